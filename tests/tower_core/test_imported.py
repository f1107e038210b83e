"""Objects named as package.module:Name or file.py:Name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tower_core.imported import import_named, split_named


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("net.py:Net", ("net.py", "Net", "")),
        ("my nets/a=b,c.py:Net:depth=3", ("my nets/a=b,c.py", "Net", "depth=3")),
        ("package.module:Net", ("package.module", "Net", "")),
        ("greedy", None),
        ("runs/net:Net", None),
        ("net.py:", None),
        ("net.py:3", None),
    ],
)
def test_specs_have_a_place_a_name_and_options(spec: str, parts: tuple[str, str, str] | None) -> None:
    assert split_named(spec) == parts


def test_a_file_is_run_again_once_it_has_changed_and_imports_from_its_folder(tmp_path: Path) -> None:
    (tmp_path / "beside_the_file.py").write_text("VALUE = 3\n")
    file = tmp_path / "own.py"
    file.write_text("from beside_the_file import VALUE\nclass Net: value = VALUE\n")
    first = import_named(f"{file}:Net", "network")
    assert first.value == 3 and import_named(f"{file}:Net", "network") is first
    file.write_text("class Net: value = 44\n")
    assert import_named(f"{file}:Net", "network").value == 44


def test_a_module_may_lie_in_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "module_in_this_folder.py").write_text("def pay(): return 7\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path / "elsewhere")  # restores sys.path afterwards
    assert import_named("module_in_this_folder:pay", "reward")() == 7


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "there is no file own.py"),
        (
            "open('missing.txt')",
            "own.py can't be loaded: FileNotFoundError: [Errno 2] No such file or directory: 'missing.txt'",
        ),
        ("class Net: pass\nimport os\n", "own.py has no 'Other'; it has: Net"),
        ("import nowhere_at_all\n", "own.py requires nowhere_at_all, which is not installed"),
        ("1 / 0\n", "own.py can't be loaded: ZeroDivisionError: division by zero"),
        ("def\n", "own.py can't be loaded: SyntaxError: invalid syntax (own.py, line 1)"),
        ("import sys; sys.exit(3)\n", "own.py can't be loaded: SystemExit: 3"),
    ],
)
def test_faults_of_a_file_are_one_line(
    content: str | None, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if content is not None:
        Path("own.py").write_text(content)
    with pytest.raises(ValueError) as fault:
        import_named("own.py:Other", "network")
    assert str(fault.value) == f"network 'own.py:Other': {message}"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("no_such_package.net:Net", "there is no module no_such_package"),
        ("tower_core.no_such:Net", "there is no module tower_core.no_such"),
    ],
)
def test_missing_modules_are_named(spec: str, message: str) -> None:
    with pytest.raises(ValueError) as fault:
        import_named(spec, "network")
    assert str(fault.value) == f"network {spec!r}: {message}"
