"""Which file of a repository decides, where in it, and what becomes of a file that cannot be read."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from recipelint.packages import lines, lock, pyproject, setup_script
from recipelint.packages.find import Finder, folders
from recipelint.packages.model import CONFLICT, Requirement
from recipelint.source import SourceFile
from tests.packages import PACKAGE, reader

SHA, OTHER = "a3aa09bcc6f141457dce3a519465d46849838688", "518ea28045a3bd0ff8591820082db0ddf222c481"
GIT = "https://github.com/NVIDIA-NeMo/Automodel.git"


def find(files: Mapping[str, str | bytes], place: str | None = "examples/run.sh") -> Requirement | None:
    return Finder(PACKAGE).requirement(place, reader(files))


def value(files: Mapping[str, str | bytes]) -> str | None:
    found = find(files)
    return None if found is None else found.pin.value


def text(found: Requirement) -> str:
    """The text at the place of a requirement."""
    span = found.location.span
    return found.location.source.data[span.start : span.end].decode()


def locked(source: str, version: str = "0.7.0", name: str = "nemo-automodel") -> str:
    return f'[[package]]\nname = "{name}"\nversion = "{version}"\nsource = {{ {source} }}\n'


def test_folders() -> None:
    assert list(folders("a/b/c.sh")) == ["a/b", "a", ""]
    assert list(folders("c.sh")) == [""]
    assert list(folders(None)) == [""]
    assert next(iter(folders("../x/c.sh"))) == "../x"
    assert len(list(folders("a/" * 5000))) < 40


def test_order_of_binding() -> None:
    files = {
        "setup.py": "setup(install_requires=['nemo-automodel==0.1.0'])\n",
        "pyproject.toml": '[project]\ndependencies = ["nemo-automodel==0.2.0"]\n',
        "requirements.txt": "nemo-automodel==0.3.0\n",
        "uv.lock": locked('registry = "https://host.example/simple"', "0.4.0"),
    }
    seen = []
    while files:
        found = find(files)
        assert found is not None
        seen.append((found.pin.value, [one.pin.value for one in found.others]))
        del files[found.location.path]
    assert seen == [
        ("0.4.0", ["0.3.0", "0.2.0", "0.1.0"]),
        ("0.3.0", ["0.2.0", "0.1.0"]),
        ("0.2.0", ["0.1.0"]),
        ("0.1.0", []),
    ]
    assert find(files) is None


def test_the_nearest_folder() -> None:
    files = {"requirements.txt": "nemo-automodel==0.5.0\n", "examples/setup.py": "x = ['nemo-automodel==0.6.0']\n"}
    near, far = find(files), find(files, "tools/run.sh")
    assert near is not None
    assert far is not None
    assert (near.location.path, far.location.path) == ("examples/setup.py", "requirements.txt")


# --- requirements files --------------------------------------------------------------------------


def test_lines_and_their_places() -> None:
    data = (
        "\ufeff# nemo-automodel==0.1.0\r\n"
        "torch\r\n"
        "  nemo-automodel[all] \\\r\n    ==0.5.0 \\\r\n    --hash=sha256:00  # why\r\n"
        f"-e git+{GIT}@{SHA}#egg=nemo_automodel\n"
    )
    source = SourceFile("requirements.txt", data.encode())
    found = lines.requirements("requirements.txt", source, PACKAGE, reader({}))
    assert [(one.pin.value, one.location.start.line) for one in found] == [("0.5.0", 3), (SHA, 6)]
    assert text(found[0]).startswith("nemo-automodel[all] \\")
    assert text(found[0]).endswith("--hash=sha256:00")
    assert text(found[1]) == f"-e git+{GIT}@{SHA}#egg=nemo_automodel"


def test_included_files_stay_in_the_tree_and_end() -> None:
    files = {
        "requirements.txt": "-r ../outside.txt\n-r /etc/other.txt\n--requirement=deep/a.txt\n-r requirements.txt\n",
        "deep/a.txt": "-r b.txt\n-r ../deep/a.txt\n",
        "deep/b.txt": "nemo-automodel==0.5.0\n",
        "../outside.txt": "nemo-automodel==0.7.0\n",
        "/etc/other.txt": "nemo-automodel==0.7.0\n",
    }
    assert value(files) == "0.5.0"
    chain = {f"r{n}.txt": f"-r r{n + 1}.txt\n" for n in range(500)}
    assert find({**chain, "requirements.txt": "-r r0.txt\n", "r500.txt": "nemo-automodel==0.5.0\n"}) is None


def test_lines_that_disagree() -> None:
    found = find({"requirements.txt": "nemo-automodel==0.5.0\nnemo-automodel==0.7.0\n"})
    assert found is not None
    assert found.pin == (CONFLICT, "0.5.0 or 0.7.0")
    assert value({"requirements.txt": "nemo-automodel==0.5.0\nnemo_automodel==0.5.0\n"}) == "0.5.0"


# --- uv.lock ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        (f'git = "{GIT}?rev=main#{SHA}"', SHA),
        (f'git = "{GIT}?rev={OTHER}#{SHA}"', SHA),
        ('registry = "https://host.example/simple"', "0.7.0"),
        ('editable = "third_party/Automodel"', "third_party/Automodel"),
        (f'git = "{GIT}?rev=main"', f"{GIT}?rev=main"),
    ],
)
def test_what_a_lock_resolved(source: str, wanted: str) -> None:
    around = locked('registry = "x"', "9.9.9", "torch")
    found = find({"uv.lock": f"version = 1\n\n{around}\n{locked(source)}\n{around}"})
    assert found is not None
    assert (found.pin.value, text(found)) == (wanted, wanted)


def test_a_lock_with_two_revisions() -> None:
    entries = locked(f'git = "{GIT}#{SHA}"') + locked(f'git = "{GIT}#{OTHER}"')
    found = find({"uv.lock": entries})
    assert found is not None
    assert found.pin.kind == CONFLICT


def test_a_lock_that_only_depends_on_it() -> None:
    entry = '[[package]]\nname = "x"\nversion = "1"\ndependencies = [\n    { name = "nemo-automodel" },\n]\n'
    assert lock.requirements(SourceFile("uv.lock", entry.encode()), PACKAGE) == []


# --- pyproject.toml ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "wanted"),
    [
        ('[project]\ndependencies = ["nemo-automodel==0.5.0"]\n', "0.5.0"),
        ('[project.optional-dependencies]\ngpu = ["nemo-automodel==0.5.0"]\n', "0.5.0"),
        ('[dependency-groups]\ndev = [{include-group = "x"}, "nemo-automodel==0.5.0"]\n', "0.5.0"),
        (f'[tool.uv.sources]\nnemo_automodel = {{ git = "{GIT}", rev = "{SHA}" }}\n', SHA),
        (f'[tool.uv.sources]\nnemo-automodel = {{ git = "{GIT}", tag = "v0.5.0" }}\n', "0.5.0"),
        (f'[tool.uv.sources]\nnemo-automodel = {{ git = "{GIT}", branch = "main" }}\n', "main"),
        ('[tool.uv.sources]\nnemo-automodel = { path = "../Automodel" }\n', "../Automodel"),
        ("[tool.uv.sources]\nnemo-automodel = { workspace = true }\n", "any version"),
        (f'[[tool.uv.sources.nemo-automodel]]\ngit = "{GIT}"\nrev = "{SHA}"\n', SHA),
        ('[tool.poetry.dependencies]\nnemo-automodel = "0.5.0"\n', "0.5.0"),
        ('[tool.poetry.dependencies]\nnemo-automodel = "^0.5.0"\n', "^0.5.0"),
        ('[tool.poetry.group.gpu.dependencies]\nnemo-automodel = {version = "==0.5.0"}\n', "0.5.0"),
        (f'[tool.poetry.dependencies]\nnemo-automodel = {{git = "{GIT}", rev = "{SHA}"}}\n', SHA),
        ('[project]\nname = "nemo-automodel"\nversion = "0.5.0"\n', None),
        ('[tool.other]\nnemo-automodel = "0.5.0"\n', None),
        ('project = "nemo-automodel"\n', None),
        ('[project]\ndependencies = "nemo-automodel==0.5.0"\n', None),
        ("[project]\ndependencies = [nemo-automodel\n", None),
    ],
)
def test_tables_of_a_project(table: str, wanted: str | None) -> None:
    assert value({"pyproject.toml": table}) == wanted


def test_a_source_of_uv_stands_before_the_range() -> None:
    listed = '[project]\ndependencies = ["nemo-automodel>=0.5"]\n'
    table = f'{listed}[tool.uv.sources.nemo-automodel]\ngit = "{GIT}"\nrev = "{SHA}"\n'
    found = find({"pyproject.toml": table})
    assert found is not None
    assert (found.pin.value, found.location.start.line) == (SHA, 5)


def test_requirements_files_that_setuptools_reads() -> None:
    table = (
        '[project]\ndynamic = ["dependencies"]\n[tool.setuptools.dynamic]\ndependencies = {file = ["deps/run.txt"]}\n'
    )
    assert value({"pyproject.toml": table, "deps/run.txt": "nemo-automodel==0.5.0\n"}) == "0.5.0"
    assert (
        find({"pyproject.toml": table.replace("deps", "../deps"), "../deps/run.txt": "nemo-automodel==0.5.0\n"}) is None
    )


# --- setup.py ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "wanted"),
    [
        ("setup(install_requires=['torch', 'nemo-automodel==0.5.0'])\n", "0.5.0"),
        ("needs = ['nemo-automodel==0.5.0']\nneeds += ['nemo_automodel[x]==0.5.0']\n", "0.5.0"),
        ("a = ['nemo-automodel==0.5.0'] if x else ['nemo-automodel>=0.5']\n", "0.5.0 or >=0.5"),
        ("a = [f'nemo-automodel=={version}']\n", "what setup.py puts together"),
        ("'''nemo-automodel==0.5.0'''\n", None),
        ("raise SystemExit('Automodel is missing')\n", None),
        ("a = ['nemo-automodel==0.5.0'\n", None),
    ],
)
def test_texts_of_a_setup_script(script: str, wanted: str | None) -> None:
    assert value({"setup.py": script}) == wanted


def test_a_setup_script_is_not_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert value({"setup.py": "print('run')\nraise SystemExit(3)\nx = 'nemo-automodel==0.5.0'\n"}) == "0.5.0"
    assert capsys.readouterr().out == ""


def test_columns_after_text_that_is_not_ascii() -> None:
    found = find({"setup.py": "é = 'ü'; x = ['nemo-automodel==0.5.0']\n"})
    assert found is not None
    assert text(found) == "'nemo-automodel==0.5.0'"


# --- hostile files -----------------------------------------------------------------------------------

BROKEN: list[bytes] = [
    b"",
    b"nemo-automodel \xff\xfe ==\xff",
    b"automodel = " + b"[" * 200_000,
    b"automodel = " + b"{a=" * 50_000,
    b"x = 'automodel'\n" + b"(" * 100_000,
    b"x = 'automodel' " + b"+ 1 " * 60_000,
    b"\\\n" * 200_000 + b"automodel",
    b"# automodel " * 100_000,
    b"[[package]]\n" * 100_000 + b"automodel",
    b"-r requirements.txt\n" * 100_000,
    b"\0automodel",
    b"automodel" + b"\r" * 200_000,
]


@pytest.mark.parametrize("data", BROKEN, ids=range(len(BROKEN)))
@pytest.mark.parametrize("name", ["requirements.txt", "pyproject.toml", "uv.lock", "setup.py"])
def test_broken_files_say_nothing(name: str, data: bytes) -> None:
    found = find({name: data})
    assert found is None or found.pin.kind not in ("commit", "version")


def test_readers_of_one_file_take_nothing_from_others() -> None:
    source = SourceFile("x", b"torch==1\n")
    assert pyproject.requirements(source, PACKAGE) == setup_script.requirements(source, PACKAGE) == []
    assert pyproject.files(source) == []


def test_what_was_read_is_kept_with_the_file() -> None:
    finder, files = Finder(PACKAGE), {"requirements.txt": "nemo-automodel==0.5.0\n"}
    first, second = reader(files), reader({"requirements.txt": "nemo-automodel==0.6.0\n"})
    values = [finder.requirement(None, one) for one in (first, second, first)]
    assert [one.pin.value for one in values if one is not None] == ["0.5.0", "0.6.0", "0.5.0"]
