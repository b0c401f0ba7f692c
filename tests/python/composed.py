"""Trainers put together from statements, the same on every machine and in every run.

A statement may use `p` (the parser), `g` (a group or the parser), `names`, `table`, `n`, `v`, `o`, the functions of
HEAD and the module MODULE. `@` stands for a number that no other statement of the trainer has.
"""

from __future__ import annotations

import random
from textwrap import indent

MODULE = """
VALUE = 4

def add(parser, name):
    parser.add_argument("--" + name, default=VALUE)
"""

HEAD = """
import argparse, os, sys
import mod

_numbers = [0]
STATE = {"count": 1}
COUNT = 1

def number():
    _numbers[0] += 1
    return _numbers[0]

class Adder:
    def __init__(self, parser, size=3):
        self.parser = parser
        self.size = size

    def add(self, name, **options):
        self.parser.add_argument(name, default=self.size, **options)

class Doubling(Adder):
    def __init__(self, *args):
        super().__init__(*args)
        self.size = self.size * 2

def remember(value):
    STATE["count"] = value

def count():
    global COUNT
    COUNT += 1

def main():
    p = argparse.ArgumentParser(conflict_handler="resolve")
    g = p
    names = ["a"]
    table = {"base": 1}
    n, v, unknown = 1, "v", 0
    o = Adder(p)
    helper = lambda parser, *args, **options: None
"""

TAIL = """
    p.parse_args()

if __name__ == "__main__":
    main()
"""

HELPER = """
def helper(parser, x=n, *args, **options):
    parser.add_argument('--i@_' + str(x) + str(number()), default=options.get('d', x))
    if x > 3:
        return x
    return None
"""
LOOP = """
for at, name in enumerate(names[:3]):
    p.add_argument(f'--k@.{at}{number()}', default=name)
    if at == 1:
        break
"""
STATEMENTS = [
    "p.add_argument('--a@', default=v, choices=names or None)",
    "p.add_argument('--b@', type=int, default=n, nargs=(n % 3) or None)",
    "p.add_argument('--c@', choices=sorted(table), default=list(table.items())[:2])",
    "p.add_argument('--d@', action=argparse.BooleanOptionalAction, default=bool(n))",
    "p.add_argument('--e@', default=[n, v, COUNT])",
    "g = p.add_argument_group('g@')",
    "g = p.add_mutually_exclusive_group()",
    "g.add_argument('--f@', action='store_true')",
    "action = p.add_argument('--g@')\naction.default = n",
    "p.set_defaults(a@=n)",
    "names = ['a', 'b']",
    "names.append('c@')",
    "names += ['d@']",
    "names = names + ['y']",
    "names = names[::-1]",
    "names.insert(0, 'first')",
    "names.remove(names[0])",
    "names.sort()",
    "names = names or ['e']",
    "names = [name.upper() for name in names if name != 'a']",
    "table['k@'] = n",
    "table.update(q=n)",
    "table = {**table, 'star': n}",
    "del table['base']\ntable['base'] = 9",
    "for key in table:\n    p.add_argument('--h@' + key, default=table[key])\n    continue",
    "n = n + 1",
    "n += len(names)",
    "n = int('%d' % n)",
    "n = max(n, 3) if v else min(n, 2)",
    "n = STATE.setdefault('count', 3)",
    "while n > 100:\n    n -= 1",
    "v = f'{n}-{v}'[:40]",
    "v = names[0] if n % 2 else names[-1]",
    "v = os.environ.get('NOPE') or v",
    "v, *rest = [v, 1, 2]",
    "match n:\n    case 1:\n        v = 'one'\n    case _:\n        v = 'other'",
    HELPER,
    "n = (helper(p) or 0) + n",
    "helper(p, 5, d=v)",
    "f = lambda parser, k=n: parser.add_argument('--j@' + str(k) + str(number()), default=k)\nf(p)",
    LOOP,
    "for parser in [p]:\n    parser.add_argument('--l@')",
    "o = Adder(p, n)",
    "o.add('--m@' + str(number()))",
    "n = o.size",
    "o.size = n + 1",
    "setattr(o, 'size', 7)",
    "Doubling(p, n).add('--n@')",
    "remember(n)",
    "count()",
    "mod.add(p, 'o@' + str(number()))",
    "n = mod.VALUE",
    "mod.VALUE = n",
    "unknown = os.getpid()",
    "if n > 2:\n    names.append('big')\nelse:\n    v = 'small'",
    "if unknown > 1:\n    n = n + 1",
    "if unknown > 1:\n    names.append('unknown')",
    "if unknown < 0:\n    sys.exit(1)",
    "if unknown > 1:\n    p.add_argument('--p@')",
    "try:\n    import nothing_like_it\nexcept ImportError:\n    nothing_like_it = None",
    "with open(os.devnull) as stream:\n    n = n + 1",
]
AROUND = ["if n > 2:", "for turn in range(2):", "if unknown > 1:", "with open(os.devnull):"]


def trainer(seed: int) -> str:
    """A trainer; some raise, or are refused by argparse, when they run."""
    choose = random.Random(seed)
    body = []
    for at in range(choose.randint(3, 22)):
        statement = choose.choice(STATEMENTS).replace("@", str(at))
        around = choose.choice([*AROUND, *[""] * 16])
        body.append(f"{around}\n{indent(statement, '    ')}" if around else statement)
    return HEAD + indent("\n".join(body), "    ") + TAIL
