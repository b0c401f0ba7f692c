"""LCH001: torchrun or accelerate, and the scheduler, that do not agree on how many nodes and processes there are.

Only what is known on both sides: the nodes that the program waits for against the programs that are started, and the
processes of a node against its GPUs. A step that is smaller than the job, and fewer processes than GPUs, are legal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from recipelint.checks import Context
from recipelint.diagnostic import Label, Severity, several
from recipelint.finding import Finding
from recipelint.lazily import regex
from recipelint.recipe.allocation import Resources
from recipelint.recipe.build import Recipes, Resolved
from recipelint.recipe.model import Setting, SettingValue
from recipelint.record import NamedTuple
from recipelint.shell.text import Text
from recipelint.shell.unknown import Kind

COMMENT = regex(r"^[ \t]*#.*$", re.MULTILINE)
LOOP = regex(r"(?<![\w./-])(?:for|while|until)(?![\w./-])")
NAME = regex(r"\$\{?([A-Za-z_]\w*)")


class Wrong(NamedTuple):
    """What is wrong with a launch, what to do, and which settings decide it; the first is the place."""

    problem: str
    cure: str
    settings: tuple[Setting | None, ...]
    severity: Severity | None = None


def check(context: Context) -> Iterable[Finding]:
    """What of each launch does not agree."""
    facts = context.ruleset.launchers.get("geometry")
    if facts is None:
        return
    for recipes in context.recipes:
        for resolved in recipes.resolved:
            judge = Judge(context, recipes, resolved)
            if judge.program in facts["programs"] and "rank" in facts["programs"][judge.program]:
                for wrong in (judge.alone(), judge.agents(), judge.gpus()):
                    if wrong is not None:
                        yield judge.finding(wrong)


class Judge:
    """One launch."""

    def __init__(self, context: Context, recipes: Recipes, resolved: Resolved) -> None:
        self.facts = context.ruleset.launchers["geometry"]
        self.elsewhere = frozenset(context.ruleset.launchers["elsewhere"]) - {"docker", "podman", "nerdctl"}
        self.own = re.compile("|".join(self.facts["own"]))
        self.recipes = recipes
        self.resolved = resolved
        self.shape = resolved.geometry
        self.program = self.shape.program

    def finding(self, wrong: Wrong) -> Finding:
        places = [one.location for one in wrong.settings if one is not None and one.location is not None]
        launch = self.resolved.launch
        stated = wrong.settings[0] is not None and wrong.settings[0].location is not None
        location = places[0] if stated else launch.trainer
        first = wrong.settings[0]
        said = quantity(first) if stated and first is not None else f"{self.program} is started here"
        related = tuple(
            Label(one.location, quantity(one))
            for one in wrong.settings[1 if stated else 0 :]
            if one is not None and one.location is not None and one.location.key != location.key
        )
        return Finding(
            "LCH001",
            location,
            {"problem": " ".join(wrong.problem.split()), "cure": wrong.cure},
            said,
            related=related,
            recipes=self.recipes,
            resolved=(self.resolved,),
            severity=wrong.severity,
        )

    # --- what may be wrong -------------------------------------------------------------------------

    def alone(self) -> Wrong | None:
        """A program that meets nobody, and waits for others."""
        least, nodes = self.shape.least, self.setting("nodes")
        if not self.shape.standalone or least is None or least < 2:
            return None
        option = self.option("nodes")
        return Wrong(
            f"{self.program} --standalone meets nobody, and {option} {least} waits for {least - 1} more: it hangs",
            f"leave out --standalone and give all nodes one {self.option('meeting')}, or set {option} to 1",
            (nodes,),
        )

    def agents(self) -> Wrong | None:
        """The nodes that the program waits for, against how often it is started."""
        shape = self.shape
        if shape.least is None or shape.most is None or not self.elsewhere.isdisjoint(self.resolved.launch.wrappers):
            return None
        if (shape.standalone and shape.least > 1) or self.hangs_on_job():
            return None
        return self.started(shape.step) if shape.step is not None else self.once()

    def started(self, step: Resources) -> Wrong | None:
        """A step that starts the program once a task."""
        least, most = self.shape.least or 1, self.shape.most or 1
        tasks, nodes, each = number(step, "tasks"), number(step, "nodes"), number(step, "tasks_per_node")
        if tasks is None or least <= tasks <= most:
            return None
        said = (self.setting("nodes"), step.get("nodes"), step.get("tasks_per_node"), step.get("tasks"))
        if least > tasks:
            if self.by_hand() or self.joined(step):
                return None
            return Wrong(
                f"{self.program} waits for {count(least, 'node')}, and {step.by} starts it {times(tasks)}: it hangs",
                f"let {step.by} start it once on each node, and {self.option('nodes')} be the number of nodes",
                said,
            )
        if most == 1:
            if self.tells_apart():
                return None
            where = f"{times(tasks)} on {count(nodes, 'node')}" if nodes is not None else times(tasks)
            return Wrong(
                f"{step.by} starts {self.program} {where}, each a run of its own, with a single node",
                f"give it the number of nodes ({self.given('$SLURM_JOB_NUM_NODES')}) and one meeting point, and start "
                "it once on each node",
                said,
            )
        if nodes is not None and least <= nodes <= most and each is not None:
            return Wrong(
                f"{step.by} starts {self.program} {times(each)} on each of {count(nodes, 'node')}, and "
                f"{self.option('nodes')} {most} counts each node once",
                f"start it once on each node: {step.by} --ntasks-per-node=1",
                (step.get("tasks_per_node"), self.setting("nodes"), step.get("nodes")),
            )
        return Wrong(
            f"{step.by} starts {self.program} {times(tasks)}, and it takes {count(most, 'node')}: {tasks - most} of "
            f"them {'waits' if tasks - most == 1 else 'wait'} in vain",
            f"let {step.by} start it as often as {self.option('nodes')} says",
            said,
        )

    def once(self) -> Wrong | None:
        """A program that the script of a job starts itself: on the first of its nodes, and nowhere else."""
        job, least, most = self.shape.job, self.shape.least or 1, self.shape.most or 1
        nodes = number(job, "nodes") if job is not None else None
        if job is None or nodes is None or least <= 1 >= nodes or self.reaches_others():
            return None
        said = (self.setting("nodes"), job.get("nodes"))
        if least > 1:
            if self.by_hand() or self.joined(job):
                return None
            return Wrong(
                f"{self.program} waits for {count(least, 'node')}, and the script starts it once, on the first of "
                f"{count(nodes, 'node')}: it hangs",
                "start it with srun, once on each node",
                said,
            )
        if most > 1:
            return None
        return Wrong(
            f"{self.program} runs on the first of {nodes} nodes; the others of the job stay idle",
            f"start it with srun, once on each node, with {self.given('$SLURM_JOB_NUM_NODES')}; or ask for one node",
            (job.get("nodes"), self.setting("nodes")),
            Severity.WARNING,
        )

    def gpus(self) -> Wrong | None:
        """More processes on a node than it has GPUs for them."""
        given = self.shape.step or self.shape.job
        processes, gpus = self.setting("processes_per_node"), given.get("gpus_per_node") if given is not None else None
        if given is None or processes is None or gpus is None or not isinstance(gpus.value, int):
            return None
        each = (number(given, "tasks_per_node") or 1) if self.shape.step is not None and not self.hangs_on_job() else 1
        if not isinstance(processes.value, int) or processes.value * each <= gpus.value:
            return None
        many = f"{each} × {processes.value} = {each * processes.value}" if each > 1 else str(processes.value)
        sure = self.resolved.entry is not None and not given.whole
        return Wrong(
            f"{many} processes on each node, and {count(gpus.value, 'GPU')} there: the others find no device",
            "start as many processes as there are GPUs, or ask the scheduler for more",
            (processes, gpus, given.get("tasks_per_node") if each > 1 else None),
            None if sure else Severity.WARNING,
        )

    # --- what makes it right -----------------------------------------------------------------------

    def option(self, quantity: str) -> str:
        """The option that gives the program a quantity: as it was given, else its first name."""
        facts = self.facts["programs"][self.program]
        names = facts["options"].get(quantity) or facts[quantity]
        return str(next((option for option in reversed(self.shape.given) if option in names), names[0]))

    def given(self, value: str) -> str:
        """How the program would be given the number of nodes."""
        return f"{self.option('nodes')}{'=' if self.program == 'torchrun' else ' '}{value}"

    def setting(self, name: str) -> Setting | None:
        return self.shape.settings.get(name)

    def by_hand(self) -> bool:
        """Whether the other nodes may be started by somebody else: by a rank or a meeting point that the user gives."""
        rank = self.shape.rank
        if rank is not None and not self.reads_own(rank):
            return True
        unknowns = self.recipes.evaluation.session.unknowns
        meeting = self.shape.meeting
        pieces = list(unknowns.pieces(meeting.s)) if meeting is not None else []
        return any(piece.kind in (Kind.KNOB, Kind.REQUIRED) for piece in pieces)

    def joined(self, given: Resources) -> bool:
        """Whether other starts of the program may be what this one waits for: of this launcher, or of a job array."""
        if given.copies:
            return True
        calls = [call for one in self.recipes.resolved if one.geometry.program == self.program for call in one.calls]
        return any(call.beside for call in calls) and (len(calls) > 1 or any(self.speaks_of(LOOP)))

    def hangs_on_job(self) -> bool:
        """Whether the launcher starts this only for some sizes of the job, or for some of its tasks."""
        session = self.recipes.evaluation.session
        numbers = {number for term in self.resolved.condition for number, _ in term}
        told = " ".join(session.unknowns.display(session.decisions[number]) for number in numbers)
        names = "|".join(map(re.escape, set(NAME.findall(told))))
        given = "|".join((*self.facts["variables"], *self.facts["own"]))
        return bool(re.search(given, told)) or (
            bool(names) and any(self.speaks_of(re.compile(rf"\b(?:{names})=.*(?:{given})")))
        )

    def reads_own(self, text: Text) -> bool:
        """Whether a text holds what the scheduler tells each process of its own."""
        pieces = self.recipes.evaluation.session.unknowns.pieces(text.s)
        return any(piece.name in self.facts["own"] or self.own.search(piece.label) for piece in pieces)

    def tells_apart(self) -> bool:
        """Whether each start is told which it is, so that several runs are meant."""
        return any(map(self.reads_own, self.resolved.words)) or any(self.speaks_of(self.own))

    def reaches_others(self) -> bool:
        """Whether something else in the launcher may start programs on other nodes."""
        return any(self.speaks_of(re.compile(rf"(?<![\w./-])(?:{'|'.join(self.facts['remote'])})(?![\w.-])")))

    def speaks_of(self, wanted: re.Pattern[str]) -> Iterator[bool]:
        """Whether the launcher, and each file that it runs, has it in a line that is no comment."""
        for file in (self.recipes.source, *self.recipes.evaluation.session.followed.values()):
            yield speaks_of(file.text, wanted)


@lru_cache(maxsize=64)
def speaks_of(text: str, wanted: re.Pattern[str]) -> bool:
    """Looked for once, however many launches ask."""
    return bool(wanted.search(COMMENT.sub("", text)))


def number(given: Resources | None, name: str) -> int | None:
    """A quantity, if it is known."""
    one = given.get(name) if given is not None else None
    return one.value if one is not None and isinstance(one.value, int) else None


def count(n: SettingValue, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {several(noun)}"


NOUNS = {
    "nodes": ("node", ""),
    "tasks": ("task", " in all"),
    "tasks_per_node": ("task", " on each node"),
    "processes_per_node": ("process", " on each node"),
    "gpus_per_node": ("GPU", " on each node"),
}
"""What each quantity counts, and where."""


def quantity(one: Setting) -> str:
    """`2 nodes`, `1 task on each node`."""
    noun, where = NOUNS[one.name]
    return f"{count(one.value, noun)}{where}"


def times(n: int) -> str:
    return "once" if n == 1 else "twice" if n == 2 else f"{n} times"
