"""What a scheduler gives a launch: the nodes, tasks and GPUs that a queue's options and the head of a script ask for,
and what a step of the job takes of them.

A quantity that nobody states is left out; one that only the machine knows is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from recipelint.lazily import regex
from recipelint.recipe.derived import computed
from recipelint.recipe.directives import directives
from recipelint.recipe.frameworks import valued
from recipelint.recipe.model import Setting
from recipelint.recipe.options import Grammar, split_options
from recipelint.record import NamedTuple
from recipelint.shell.calls import Given, Step
from recipelint.shell.nodes import Unit
from recipelint.shell.text import Text
from recipelint.shell.unknown import Unknowns

Facts = Mapping[str, Any]
INT: Facts = {"type": "int"}
GPUS = regex(r"(?:[^:,()]+:)?(\d+)(?:\([^)]*\))?")
GRES = regex(r"gpu(?::[^:,()]+)??(?::(\d+))?(?:\([^)]*\))?")


class Resources(NamedTuple):
    """Quantities by name (nodes, tasks, tasks_per_node, gpus_per_node) of a job or of a step.

    by      who gives them, for a sentence: `#SBATCH`, `srun`
    whole   the nodes are the job's alone: it has all GPUs of them, whatever it asked for
    copies  there are several of it, as of a job array
    """

    by: str
    given: Mapping[str, Setting]
    whole: bool = False
    copies: bool = False

    def get(self, name: str) -> Setting | None:
        return self.given.get(name)


class Reader:
    """Reads quantities from options. FACTS is `geometry` of `rules/launchers.yaml`."""

    def __init__(self, facts: Facts, wrappers: Facts, unknowns: Unknowns) -> None:
        self.facts = facts
        self.wrappers = wrappers
        self.unknowns = unknowns
        self._heads: dict[tuple[str, int], tuple[Unit, Given | None]] = {}

    def head(self, kind: str, script: Unit) -> Given | None:
        """The options that a script has at its head, read once; None for a job of several components."""
        key = kind, id(script)
        if key not in self._heads:
            entry = self.queue(kind)
            lines = directives(script, entry["directive"]) if entry["directive"] in script.text.s else []
            several = any(word.s in entry["components"] for line in lines for word in line)
            # What is no option, as `{ name }` in a template, spoils its own line alone.
            grammar = Grammar.of(self.wrappers[kind])
            given = tuple(one for line in lines for one in split_options(line, grammar)[0].given)
            self._heads[key] = script, None if several else given
        return self._heads[key][1]

    def texts(self, entry: Facts, given: Given) -> dict[str, Text]:
        """The last value of each quantity. Long options may be cut short, as argparse and getopt allow."""
        found: dict[str, Text] = {}
        for option, value in given:
            for quantity, names in entry["options"].items():
                known = option in names or (len(option) > 3 and any(name.startswith(option) for name in names))
                if known and value is not None:
                    found[quantity] = value
                    break
        return found

    # --- jobs and steps ----------------------------------------------------------------------------

    def job(self, kind: str, step: Step | None, script: Unit | None) -> Resources | None:
        """What a queue of a KIND allocates for a SCRIPT; STEP is its call, None where the script is just a file."""
        entry = self.queue(kind)
        said = [entry["directive"]]
        head = self.head(kind, script) if script is not None else ()
        if head is None:
            return None
        texts = self.texts(entry, head)
        options = list(head)
        if step is not None:
            texts |= {q: step.environment[name] for q, name in entry["environment"].items() if name in step.environment}
            over = self.texts(entry, step.options)
            texts |= over
            options += step.options
            said = [kind] if over else said
        given = {option for option, _ in options}
        if given & set(entry["spoils"]):
            texts = {q: text for q, text in texts.items() if q == "nodes"}
        if not texts:
            return None
        whole, copies = (bool(given & set(entry[key])) for key in ("whole", "copies"))
        return Resources(said[0], self.quantities(texts, None), whole, copies)

    def queue(self, kind: str) -> Facts:
        entry: Facts = self.facts["queues"][kind]
        return {**self.facts["queues"][entry["like"]], **entry} if "like" in entry else entry

    def step(self, step: Step, job: Resources | None) -> Resources:
        """What the processes of a STEP get: what its options say, else what the JOB has."""
        entry = self.facts["steps"][step.kind]
        if any(option in entry["spoils"] for option, _ in step.options):
            return Resources(step.wrapper, {})
        named = entry.get("environment", {})
        texts = {q: step.environment[name] for q, name in named.items() if name in step.environment}
        texts |= self.texts(entry, step.options)
        own = self.quantities(texts, job)
        inherited = job.given if job is not None and step.kind == "srun" else {}
        given = {name: one for name, one in {**inherited, **own}.items() if name != "tasks"}
        tasks = own.get("tasks")
        if tasks is None and not {"nodes", "tasks_per_node"} & own.keys():
            tasks = inherited.get("tasks")
        nodes, each = given.get("nodes"), given.get("tasks_per_node")
        if tasks is not None:
            given["tasks"] = tasks
            if "tasks" in own:
                given.pop("tasks_per_node", None)
            if nodes is not None and isinstance(tasks.value, int) and isinstance(nodes.value, int):
                if tasks.value < nodes.value and "nodes" not in own:
                    given["nodes"] = nodes = tasks._replace(name="nodes")  # srun takes no more nodes than it has tasks
                if "tasks_per_node" not in given and nodes.value and tasks.value % int(nodes.value) == 0:
                    given["tasks_per_node"] = computed("tasks_per_node", "quotient", [tasks, nodes])
            if "tasks_per_node" in own and "tasks_per_node" not in given:
                given["tasks_per_node"] = own["tasks_per_node"]
        elif nodes is not None and step.kind == "srun":
            if each is None:
                # One task on each node: https://slurm.schedmd.com/srun.html#OPT_ntasks
                each = given["tasks_per_node"] = Setting("tasks_per_node", 1, "derived", detail="srun's default")
            given["tasks"] = computed("tasks", "product", [nodes, each])
        whole = bool(job and job.whole and not {"gpus_per_node"} & own.keys())
        return Resources(step.wrapper, given, whole, bool(job and job.copies))

    # --- quantities --------------------------------------------------------------------------------

    def quantities(self, texts: Mapping[str, Text], job: Resources | None) -> dict[str, Setting]:
        found = {
            name: self.number(name, texts[name], job) for name in ("nodes", "tasks", "tasks_per_node") if name in texts
        }
        if "tasks" not in found and "nodes" in found and "tasks_per_node" in found and job is None:
            found["tasks"] = computed("tasks", "product", [found["nodes"], found["tasks_per_node"]])
        gpus = self.gpus(texts, found, job)
        if gpus is not None:
            found["gpus_per_node"] = gpus._replace(name="gpus_per_node")
        return found

    def gpus(self, texts: Mapping[str, Text], found: Mapping[str, Setting], job: Resources | None) -> Setting | None:
        """How many GPUs a node has for this; the total says so only where there is one node."""
        if "gpus_per_node" in texts:
            return self.counted(texts["gpus_per_node"], GPUS, job)
        if "gres" in texts and "gpu" in texts["gres"].s:
            return self.counted(texts["gres"], GRES, job)
        nodes, each = found.get("nodes"), found.get("tasks_per_node")
        if "gpus" in texts and nodes is not None and nodes.value == 1:
            return self.counted(texts["gpus"], GPUS, job)
        if "gpus_per_task" in texts and each is not None:
            return computed("gpus_per_node", "product", [self.counted(texts["gpus_per_task"], GPUS, job), each])
        return None

    def counted(self, text: Text, form: re.Pattern[str], job: Resources | None) -> Setting:
        """The number in `h100:8`, or in `gpu:h100:8,fs:1`."""
        if not text.known:
            return self.number("gpus_per_node", text, job)
        total, place = 0, text
        for m in re.finditer(r"[^,]+", text.s):
            one = form.fullmatch(m[0].strip())
            if one is not None:
                total += int(one[1] or 1)
                place = text.slice(m.start() + one.start(1), m.start() + one.end(1)) if one[1] else place
            elif form is GPUS:
                return valued(self.unknowns, "gpus_per_node", INT, text)
        return valued(self.unknowns, "gpus_per_node", INT, place)._replace(
            value=total or None, source="literal" if total else "unknown"
        )

    def number(self, name: str, text: Text, job: Resources | None) -> Setting:
        """A number; a variable of the scheduler's is what the JOB has."""
        found = valued(self.unknowns, name, INT, text)
        if found.value is not None or found.choices:
            return found
        if len(text.s) == 1 and not text.known and job is not None:
            variable = self.unknowns[text.s].name
            quantity = self.facts["variables"].get(variable)
            known = job.get(quantity) if quantity else None
            if known is not None and not (job.whole and variable in self.facts["on_node"]):
                return known._replace(name=name, detail=f"{variable}, as {job.by} has it")
        least, most = bounds(text)
        if least is not None and least == most:
            return found._replace(value=least, source="literal")
        return found._replace(detail=text.s) if text.known else found


def bounds(text: Text) -> tuple[int | None, int | None]:
    """The least and the most of a number of nodes: `4`, `2:4` (torchrun), `2-4` (Slurm)."""
    m = re.fullmatch(r"(\d{1,9})(?:[:-](\d{1,9}))?", text.s) if text.known else None
    return (int(m[1]), int(m[2] or m[1])) if m else (None, None)


def last(found: Sequence[Step], kinds: Facts) -> int | None:
    """The index of the innermost step of one of these KINDS."""
    return next((at for at in range(len(found) - 1, -1, -1) if found[at].kind in kinds), None)
