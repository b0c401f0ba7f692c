"""A trainer's words as argparse takes them apart, and what it would refuse.

The rules are those of `ArgumentParser.parse_known_args` (https://docs.python.org/3/library/argparse.html, and its
source). A word that is not known is never refused, nor are the words for which it may decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recipelint.lazily import regex
from recipelint.python.schema import Flag, Schema
from recipelint.recipe.spoken import CommandLine, Occurrence, Refusal, Word
from recipelint.record import NamedTuple

NEGATIVE_NUMBER = regex(r"-\d+$|-\d*\.\d+$")


class _Option(NamedTuple):
    """A word that argparse takes for a flag; without a flag it is unknown, or opaque."""

    flag: Flag | None
    name: str
    spelled: str
    stuck: str | None
    names: tuple[str, ...] = ()
    opaque: bool = False


def read(schema: Schema, words: Sequence[Word]) -> CommandLine:
    """The words as the parser of SCHEMA takes them."""
    return _Reader(schema, words).read()


class _Reader:
    def __init__(self, schema: Schema, words: Sequence[Word], start: int = 0) -> None:
        self.schema = schema
        self.words = words
        self.options = schema.options
        self.positionals = [flag for flag in schema.flags if flag.positional]
        self.numbers = any(NEGATIVE_NUMBER.match(name) for name in self.options)
        self.start = start
        self.occurrences: list[Occurrence] = []
        self.refusals: list[Refusal] = []
        self.sure = True
        self.taken = 0
        """How many of the positionals have their words."""

    def read(self) -> CommandLine:
        kinds = self.kinds()
        at = self.start
        last: Flag | None = None
        doubtful = False
        while at < len(self.words):
            option = kinds[at]
            if isinstance(option, _Option):
                last, start = option.flag, at
                at = self.option(option, at, kinds)
                doubtful = last is None or "?" in kinds[start:at]
                continue
            if option == "?":
                doubtful, at = True, at + 1
                continue
            if option == "-":
                at += 1
                continue
            end = at
            while end < len(self.words) and kinds[end] == "A":
                end += 1
            at = self.plain(at, end, last, doubtful)
        if self.sure:
            self.missing()
        return CommandLine(tuple(self.occurrences), tuple(self.refusals), self.sure)

    # --- what a word is ----------------------------------------------------------------------------

    def kinds(self) -> list[_Option | str]:
        """For each word: a flag, "A" for a plain one, "-" for the `--`, "?" where nobody knows how many it is."""
        out: list[_Option | str] = []
        plain = False
        for word in self.words:
            if plain:
                out.append("?" if word.many else "A")
            elif word.text == "--" and word.known:
                plain = True
                out.append("-")
            elif word.many:
                self.sure = False
                out.append("?")
            else:
                out.append(self.kind(word))
        return out

    def kind(self, word: Word) -> _Option | str:
        text, chars = word.text, self.schema.prefix_chars
        if not word.known and "=" not in text:
            if not text:
                return "A"
            if text[0] in chars:
                self.sure = False
                return _Option(None, "", text, None, opaque=True)
            return "A"
        if not text or text[0] not in chars:
            return "A"
        if text in self.options:
            return _Option(self.options[text], text, text, None)
        if len(text) == 1:
            return "A"
        spelled, equals, value = text.partition("=")
        if equals and spelled in self.options:
            return _Option(self.options[spelled], spelled, spelled, value)
        found = list(self.abbreviated(text))
        if len(found) > 1:
            return _Option(None, "", spelled, None, tuple(name for name, _, _ in found))
        if found:
            name, spelled, stuck = found[0]
            return _Option(self.options[name], name, spelled, stuck)
        if NEGATIVE_NUMBER.match(text) and not self.numbers:
            return "A"
        if " " in text:
            return "A"
        return _Option(None, "", spelled, None)

    def abbreviated(self, text: str) -> Iterator[tuple[str, str, str | None]]:
        """The flags that a word may mean: each with what of the word spells it, and the value stuck to that."""
        if text[1] in self.schema.prefix_chars:
            if self.schema.allow_abbrev:
                spelled, equals, value = text.partition("=")
                for name in self.options:
                    if name.startswith(spelled):
                        yield name, spelled, value if equals else None
            return
        for name in self.options:
            if name == text[:2]:
                yield name, name, text[2:]
            elif name.startswith(text):
                yield name, text, None

    # --- flags and their values --------------------------------------------------------------------

    def option(self, option: _Option, at: int, kinds: Sequence[_Option | str]) -> int:
        """Take a flag with its values; the index after them."""
        flag = option.flag
        if flag is None:
            if option.names:
                self.refuse("ambiguous", at, None, option.names)
            elif not option.opaque:
                self.refuse("unknown", at, None)
            return at + 1
        if option.stuck is not None:
            return self.stuck(flag, option, at)
        if flag.nargs == "...":
            end = len(self.words)
        else:
            most = len(self.words) if flag.most is None else flag.most
            end = at + 1
            while end < len(self.words) and end - at - 1 < most and kinds[end] in ("A", "?"):
                end += 1
        count = end - at - 1
        if count < flag.least and "?" not in kinds[at + 1 : end]:
            self.refuse("few", at, flag, given=count)
        self.occurrences.append(Occurrence(flag, option.name, at, end, option.spelled, tuple(range(at + 1, end)), None))
        return end

    def stuck(self, flag: Flag, option: _Option, at: int) -> int:
        """A flag whose value is stuck to it, or short flags that are stuck together."""
        value, spelled, name = option.stuck, option.spelled, option.name
        while value is not None and flag.most == 0 and not flag.open:
            if spelled[1:2] in self.schema.prefix_chars or not value:
                self.refuse("many", at, flag, given=1)
                return at + 1
            self.occurrences.append(Occurrence(flag, name, at, at + 1, spelled, (), None))
            spelled, value = spelled[0] + value[0], value[1:] or None
            following = self.options.get(spelled)
            if following is None:
                self.refuse("many", at, flag, given=1)
                return at + 1
            flag, name = following, spelled
        if value is None:
            kinds = ["A" if at + 1 <= n and self.kind(word) == "A" else "O" for n, word in enumerate(self.words)]
            return self.option(_Option(flag, name, spelled, None), at, kinds)
        if flag.least > 1:
            self.refuse("few", at, flag, given=1)
        self.occurrences.append(Occurrence(flag, name, at, at + 1, spelled, (at,), value))
        return at + 1

    # --- plain words -------------------------------------------------------------------------------

    def plain(self, at: int, end: int, last: Flag | None, doubtful: bool) -> int:
        """Take the plain words [at, end) for positionals; the index after those that were taken or refused."""
        for flag in self.positionals[self.taken :]:
            if flag.action == "parsers":
                return self.subcommand(flag, at)
            if flag.nargs == "...":
                return len(self.words)  # all that is left, flags too
            if flag.open or not isinstance(flag.nargs, int | None):
                self.taken, self.sure = len(self.positionals), False
                return end
            count = 1 if flag.nargs is None else flag.nargs
            if end - at < count:
                return end
            self.occurrences.append(Occurrence(flag, "", at, at + count, "", tuple(range(at, at + count)), None))
            self.taken += 1
            at += count
            following = self.positionals[self.taken :]
            if at == end and not (following and following[0].nargs == "..."):
                return end
        if any(not word.known and not word.text for word in self.words[at:end]):
            self.sure = False
        elif not doubtful and all(isinstance(flag.nargs, int | None) and not flag.open for flag in self.positionals):
            self.refuse("stray", at, last, given=end - at)
        return end

    def subcommand(self, flag: Flag, at: int) -> int:
        """The word that chooses a parser, and the rest of the words for that parser."""
        self.taken += 1
        self.occurrences.append(Occurrence(flag, "", at, at + 1, "", (at,), None))
        word = self.words[at]
        inner = self.schema.subcommands.get(word.text) if word.known else None
        if inner is None or not inner.complete:
            self.sure = False
            return len(self.words)
        found = _Reader(inner, self.words, at + 1).read()
        self.occurrences += found.occurrences
        self.refusals += found.refusals
        self.sure = self.sure and found.sure
        return len(self.words)

    def missing(self) -> None:
        """The required flags, and positionals, that no word gives."""
        seen = {id(one.flag) for one in self.occurrences}
        for flag in self.schema.flags:
            if flag.required and not flag.open and id(flag) not in seen:
                self.refuse("missing", None, flag)

    def refuse(self, kind: str, at: int | None, flag: Flag | None, names: tuple[str, ...] = (), given: int = 0) -> None:
        self.refusals.append(Refusal(kind, at, flag, names, given))
