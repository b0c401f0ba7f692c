"""Requirements as pip would take them: what each form asks for, and what is about another package."""

from __future__ import annotations

import pytest

from recipelint.packages.model import BRANCH, COMMIT, PLACE, RANGE, VERSION
from recipelint.packages.requirement import read
from tests.packages import PACKAGE

SHA = "a3aa09bcc6f141457dce3a519465d46849838688"
LINK = "git+https://github.com/NVIDIA-NeMo/Automodel.git"


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        (f"nemo-automodel @ {LINK}@{SHA}", COMMIT, SHA),
        (f"nemo_automodel[all,vlm]@{LINK}@{SHA.upper()}", COMMIT, SHA),
        (f"Nemo.Automodel @ {LINK}@{SHA} ; python_version >= '3.10'", COMMIT, SHA),
        (f"{LINK}@{SHA[:9]}#egg=nemo_automodel", COMMIT, SHA[:9]),
        (f"git+ssh://git@github.com/NVIDIA-NeMo/Automodel.git@{SHA}", COMMIT, SHA),
        (f"nemo-automodel @ git+https://user:word@host.example/fork/Automodel@{SHA}", COMMIT, SHA),
        (f"{LINK}@v0.5.0", VERSION, "0.5.0"),
        (f"{LINK}@refs/tags/v0.5.0", VERSION, "0.5.0"),
        (f"{LINK}@main", BRANCH, "main"),
        (f"{LINK}@feature/experts", BRANCH, "feature/experts"),
        (LINK, BRANCH, "the default branch"),
        ("nemo-automodel==0.5.0", VERSION, "0.5.0"),
        ("nemo-automodel === 0.5.0 --hash=sha256:00", VERSION, "0.5.0"),
        ("nemo-automodel (==0.5.0)", VERSION, "0.5.0"),
        ("nemo-automodel==0.5.*", RANGE, "==0.5.*"),
        ("nemo-automodel~=0.5.0", RANGE, "~=0.5.0"),
        ("nemo-automodel>=0.5.0,<0.6", RANGE, ">=0.5.0,<0.6"),
        ("nemo-automodel==0.5.0,!=0.5.1", RANGE, "==0.5.0,!=0.5.1"),
        ("nemo-automodel", RANGE, "any version"),
        ("nemo-automodel[all] ; sys_platform == 'linux'", RANGE, "any version"),
        ("https://host.example/nemo_automodel-0.5.0-py3-none-any.whl", VERSION, "0.5.0"),
        (
            "nemo-automodel @ https://user:word@host.example/automodel.tar.gz",
            PLACE,
            "https://host.example/automodel.tar.gz",
        ),
        ("nemo-automodel @ file:///opt/Automodel", PLACE, "file:///opt/Automodel"),
        ("./third_party/Automodel", PLACE, "./third_party/Automodel"),
        ("third_party/Automodel", PLACE, "third_party/Automodel"),
    ],
)
def test_what_it_asks_for(text: str, kind: str, value: str) -> None:
    assert read(text, PACKAGE) == (kind, value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "torch",
        "nemo-automodel-extras==0.5.0",
        "nemo-automodelling",
        "automodel==0.5.0",
        "git+https://github.com/NVIDIA-NeMo/RL.git@main",
        f"{LINK}@{SHA}#egg=another",
        "../Automodels",
        "https://host.example/other-0.5.0-py3-none-any.whl",
        "@ nemo-automodel",
        "nemo-automodel" + " " * 5000 + "==0.5.0",
    ],
)
def test_what_is_about_another_package(text: str) -> None:
    assert read(text, PACKAGE) is None


def test_hostile_texts_end_soon() -> None:
    for text in ("nemo-automodel" + "[" * 4000, "a" * 4096, "git+" + "@" * 4000, "nemo-automodel @ " + "#" * 4000):
        read(text, PACKAGE)


@pytest.mark.parametrize(
    ("fragment", "about"),
    [
        ("#egg=nemo-automodel", True),
        ("#subdirectory=a&egg=nemo-automodel", True),
        ("#" * 4000 + "egg=nemo-automodel", True),
        ("#" * 4000, False),
        ("#legg=nemo-automodel", False),
        ("?a&egg=nemo-automodel", False),
    ],
)
def test_the_name_after_egg(fragment: str, about: bool) -> None:
    assert (read(f"git+https://host.example/fork/other{fragment}", PACKAGE) is not None) is about
