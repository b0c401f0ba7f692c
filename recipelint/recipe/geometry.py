"""The geometry of a launch: how many processes it starts, and on how many nodes, and who says so.

What a program such as torchrun is told, and beside it what the scheduler gives; that the two agree is LCH001's to ask.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recipelint.lazily import regex
from recipelint.recipe.allocation import INT, Facts, Reader, Resources, bounds, last
from recipelint.recipe.derived import computed
from recipelint.recipe.frameworks import valued
from recipelint.recipe.model import Setting
from recipelint.record import NamedTuple
from recipelint.shell.calls import Call, Step
from recipelint.shell.nodes import Unit
from recipelint.shell.state import Environment
from recipelint.shell.text import Text
from recipelint.shell.unknown import Unknowns

READ_FROM = "rules/launchers.yaml"
HOSTS = regex(r"[\w.-]+:(\d+(?:,\d+)*)")
"""`localhost:0,1,2` of deepspeed's --include: one host, with these GPUs."""


class Geometry(NamedTuple):
    """What one launch starts.

    program      the kind of program that starts the trainer's processes on a node, `torchrun`; empty for none
    settings     nodes, processes_per_node and world_size, and what the job has: allocated_nodes, gpus_per_node
    job, step    what the scheduler gives, and what the step of the job that runs the program gets
    least, most  the nodes that the program waits for, where they are known
    standalone   whether an option lets the program wait for nobody
    rank         what the program is told of which node it is on
    meeting      where its agents meet
    between      the wrappers between the job, or the step, and the program
    given        the options of the program, as they are written
    """

    program: str
    settings: Mapping[str, Setting]
    job: Resources | None = None
    step: Resources | None = None
    least: int | None = None
    most: int | None = None
    standalone: bool = False
    rank: Text | None = None
    meeting: Text | None = None
    between: tuple[str, ...] = ()
    given: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[object, ...]:
        """What tells it from that of another call of the same command."""
        return tuple((name, one.value, one.choices, one.detail) for name, one in self.settings.items())


NONE = Geometry("", {})


def reader_of(data: Mapping[str, Any], unknowns: Unknowns) -> Reader | None:
    """What reads the geometry of the calls of one launcher; DATA is `rules/launchers.yaml`."""
    return Reader(data["geometry"], data["wrappers"], unknowns) if "geometry" in data else None


def geometry(call: Call, root: Unit, reader: Reader | None) -> Geometry:
    """The geometry of a CALL in the launcher ROOT."""
    if reader is None:
        return NONE
    facts = reader.facts
    steps = [step for border in call.borders for step in border.steps]
    trainer = call.trainer
    steps.append(Step(trainer.launcher, call.environment, "", trainer.launcher, trainer.options))
    at = last(steps, facts["queues"])
    queue = None if at is None else steps[at]
    job = reader.job(queue.kind, queue, queue.script) if queue is not None else reader.job("sbatch", None, root)
    inner = steps if at is None else steps[at + 1 :]
    started = last(inner, facts["programs"])
    run = last(inner if started is None else inner[:started], facts["steps"])
    step = None if run is None else reader.step(inner[run], job)
    made = Geometry("", {}, job, step)
    if started is not None:
        program = inner[started]
        between = tuple(one.wrapper for one in inner[0 if run is None else run + 1 : started] if one.wrapper)
        made = told(made._replace(between=between), program, reader)
    elif step is not None:
        made = made._replace(settings=of_step(step))
    return made._replace(settings={**made.settings, **of_job(job)})


def told(made: Geometry, program: Step, reader: Reader) -> Geometry:
    """What a PROGRAM is told by its options, and by the environment."""
    entry = reader.facts["programs"][program.kind]
    given = [option for option, _ in program.options]
    here = made.job if made.step is None or same_nodes(made.step, made.job) else None
    texts = variables(entry, program.environment) | reader.texts(entry, program.options)
    settings: dict[str, Setting] = {}
    bare = not texts and set(given).isdisjoint(entry.get("standalone", ()))
    if not set(given) & set(entry.get("spoils", ())):
        for name, text in texts.items():
            if name != "include":
                settings[name] = reader.number(name, text, here if name == "nodes" else made.job)
            elif text.known and (hosts := HOSTS.fullmatch(text.s)):
                count = len(hosts[1].split(","))
                place = valued(reader.unknowns, name, INT, text)
                settings["nodes"] = place._replace(name="nodes", value=1, source="literal")
                settings["processes_per_node"] = place._replace(
                    name="processes_per_node", value=count, source="literal"
                )
        for name, value in entry.get("defaults", {}).items():
            if name not in settings:
                option = entry["options"][name][0]
                detail = f"{program.kind}'s default without {option}"
                made_up = Setting(name, value, "trainer-default", detail=detail, read_from=READ_FROM)
                if bare and name in entry.get("environment", {}):
                    # An operator that runs it without an option of the kind says so in the environment.
                    variable = entry["environment"][name]
                    made_up = Setting(
                        name, None, "unknown", variable, detail=f"{value}, {detail}, unless {variable} is set"
                    )
                settings[name] = made_up
    total = settings.pop("processes", None)
    if total is not None:
        settings["world_size"] = total._replace(name="world_size")
        if "nodes" in settings:
            settings["processes_per_node"] = computed("processes_per_node", "quotient", [total, settings["nodes"]])
    nodes = settings.get("nodes")
    least, most = bounds(texts["nodes"]) if "nodes" in texts else (None, None)
    if least is None and nodes is not None and isinstance(nodes.value, int):
        least = most = nodes.value
    return made._replace(
        program=program.kind,
        settings={name: settings[name] for name in ORDER if name in settings},
        least=least,
        most=most,
        standalone=not set(given).isdisjoint(entry.get("standalone", ())),
        rank=option_value(entry.get("rank", ()), program),
        meeting=option_value(entry.get("meeting", ()), program),
        given=tuple(given),
    )


def same_nodes(step: Resources, job: Resources | None) -> bool:
    """Whether a step surely has all nodes of the job, so that a variable that counts them is the same in both."""
    ours, whole = step.get("nodes"), job.get("nodes") if job is not None else None
    return ours is not None and whole is not None and ours.value == whole.value


ORDER = ("nodes", "processes_per_node", "world_size")


def variables(entry: Facts, environment: Environment) -> dict[str, Text]:
    """What the environment says where an option does not."""
    named = entry.get("environment", {})
    return {quantity: environment[name] for quantity, name in named.items() if name in environment}


def option_value(names: object, program: Step) -> Text | None:
    """The last value of an option."""
    found = [value for option, value in program.options if isinstance(names, list) and option in names]
    return found[-1] if found else None


def of_step(step: Resources) -> dict[str, Setting]:
    """The processes that a step starts itself: one a task."""
    found: dict[str, Setting] = {}
    for name, quantity in (("nodes", "nodes"), ("processes_per_node", "tasks_per_node"), ("world_size", "tasks")):
        one = step.get(quantity)
        if one is not None:
            found[name] = one._replace(name=name)
    return found


def of_job(job: Resources | None) -> dict[str, Setting]:
    """What a job has, as settings."""
    if job is None:
        return {}
    found = {"allocated_nodes": job.get("nodes"), "gpus_per_node": job.get("gpus_per_node")}
    return {name: one._replace(name=name) for name, one in found.items() if one is not None}
