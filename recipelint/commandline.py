"""A command line judged as a launcher is: its words as one line of shell, the present environment given.

Nothing is written. The cure is the command with the edits of its fixes made and verified, without their comments.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence

from recipelint.files import Tree
from recipelint.linter import File, Linter, Result
from recipelint.outcome import Judged, Outcome
from recipelint.recipe.build import Recipes
from recipelint.recipe.trainers import Trainers
from recipelint.ruleset.load import Ruleset, load_for
from recipelint.ruleset.schema import Rule
from recipelint.run import Run, enclosing
from recipelint.settings import Settings
from recipelint.source import SourceFile

NAME = "<command line>"
ABOUT_COMMENTS = {"claims", "lint"}
"""The families of this program's rules about what the comments of a launcher say: nothing that a command could run
into."""
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
# What bash sets itself when it starts, whatever its environment says; PWD is the folder, known as a place.
# https://www.gnu.org/software/bash/manual/html_node/Bash-Variables.html
_SET_BY_BASH = {"IFS", "PWD", "SHLVL", "_", "SHELLOPTS", "BASHOPTS", "UID", "EUID", "PPID", "OPTIND", "OPTERR"}


def judge(words: Sequence[str], environment: Mapping[str, str], settings: Settings) -> Judged:
    """The verdict on starting WORDS in the working directory with ENVIRONMENT, over which variables of --env go.

    Those of the configuration do not: they are for launchers as shipped, and the command will not get them.
    """
    added = {name: value for name, value in settings.env if f"env.{name}" in dict(settings.origins)}
    given = {name: value for name, value in environment.items() if _VARIABLE.match(name) and name not in _SET_BY_BASH}
    command = Command(words, {**given, **added}, settings, environment.get("PWD", ""))
    result = command.lint(command.text, with_followed=True)
    rules = command.linter.ruleset.rules
    found = tuple(one for one in result.diagnostics if not about_comments(rules[one.code]))
    outcome = Outcome(result.launchers, found, hidden=result.hidden, undecided=result.undecided)
    if command.run.grade is not None:
        outcome = outcome.each(command.run.grade)
    judged = Judged(tuple(words), os.fsdecode(command.text), outcome)
    return command.cured(judged) if any(one.fix for one in found) else judged


def about_comments(rule: Rule) -> bool:
    """Whether a rule is about what comments say; a team's family may be called as it likes."""
    return rule.builtin and rule.family in ABOUT_COMMENTS


class Command:
    """A command line and the tree around the working directory."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str], settings: Settings, pwd: str) -> None:
        self.text = os.fsencode(shlex.join(words))
        self.environment = environment
        self.linter = Linter(without_comments(load_for(settings)), settings)
        self.run = Run(self.linter, settings, with_baseline=False)
        self.here = os.path.realpath(os.getcwd())
        self.root = enclosing(self.here)
        self.tree = Tree(self.run, self.root, {})
        self.trainers = Trainers(self.linter.frameworks, self.tree.open)
        self.roots = roots(self.root, self.here, pwd)

    def resolve(self, text: bytes) -> Recipes:
        """What a command line gives its trainers."""
        cwd = os.path.relpath(self.here, self.root)
        place = os.path.join(cwd, NAME)
        start = "" if cwd == "." else cwd
        file = File(SourceFile(NAME, text), place, self.tree.open, self.trainers, start, self.roots)
        return self.linter.resolve(file, self.environment)

    def lint(self, text: bytes, *, with_followed: bool = False) -> Result:
        """Diagnostics for a command line; WITH_FOLLOWED also fixes, and heeds the comments, of files it runs."""
        recipes = self.resolve(text)
        followed = {source.path for source in recipes.evaluation.session.followed.values()} if with_followed else set()
        return self.linter.report((recipes,), (), frozenset({NAME, *followed}), self.run.ignored)

    def cured(self, judged: Judged) -> Judged:
        """The verdict with its cure. What fixing needs is loaded only here."""
        from recipelint.fixer import Fixer

        for unsafe in (False, True):
            fixer = Fixer(
                self.linter, lambda changed: self.lint(changed.get(NAME, self.text)), {NAME: self.text}, unsafe
            )
            outcome = fixer.run()
            if outcome.made:
                words = tuple(shlex.split(os.fsdecode(outcome.contents[NAME])))
                codes = dict.fromkeys(made.diagnostic.code for made in outcome.made)
                return judged._replace(cure=words, cured=tuple(codes), guessed=unsafe)
        return judged


def roots(root: str, here: str, pwd: str) -> tuple[str, ...]:
    """The absolute paths of a tree: its real one and, where PWD came to HERE by a symbolic link, that one."""
    if root == os.sep:
        return ()
    rest = os.path.relpath(here, root)
    other = pwd if rest == "." else pwd.removesuffix(os.sep + rest)
    if other in (root, os.sep) or not os.path.isabs(other) or os.path.realpath(other) != root:
        return (root,)
    return (root, other)


def without_comments(ruleset: Ruleset) -> Ruleset:
    """The rules, but that no fix explains itself: a command line has no room for a comment."""
    return ruleset._replace(
        rules={
            code: rule._replace(
                fix=rule.fix._replace(comment=""), variants=tuple(one._replace(comment=None) for one in rule.variants)
            )
            if rule.fix
            else rule
            for code, rule in ruleset.rules.items()
        }
    )
