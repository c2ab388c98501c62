# SPDX-License-Identifier: Apache-2.0
"""What must and must not stand in the files: licence lines, no traces of a machine, live links."""

from __future__ import annotations

import re
from pathlib import Path

import repository

LICENCE = "SPDX-License-Identifier: Apache-2.0"
LICENSED = {".h", ".cc", ".cpp", ".cmake", ".py", ".sh", ".txt", ".toml", ".yml"}
LICENSED_NAMES = {"run", "test.sh", "setup.sh", "demo.sh"}

# Kernels that are the input of a test: their text, and with it every line number in the expected
# message, belongs to the case.
CASES = ("tests/golden/", "tests/cases/", "tests/twins/")

# Written in pieces so that this file does not find itself.
TRACES = [
    re.compile(r"(?<![\w.])/" + r"(work|root|home/\w+)/"),
    re.compile(r"/tmp/" + r"\w+[.]lock"),
    re.compile(r"(?i)work" + r"place"),
    re.compile(r"(?i)pypi[.]" + r"org|deb[.]" + r"debian|files[.]python" + r"hosted"),
    re.compile(r"(?i)\b(clau" + r"de|anthro" + r"pic|chat" + r"gpt)\b"),
]

LINK = re.compile(r"(?<!!)\[[^\]\n]+\]\(([^)\s]+)\)|!\[[^\]\n]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.+?)\s*$", re.MULTILINE)


def check_licence(path: Path, text: str) -> list[str]:
    name = repository.shown(path)
    wanted = path.suffix in LICENSED or path.name in LICENSED_NAMES
    if not wanted or name.startswith(CASES) or not text.strip():
        return []
    if LICENCE in "\n".join(text.splitlines()[:5]):
        return []
    return [f"{name}:1: no line '{LICENCE}' among the first five"]


def check_traces(path: Path, text: str) -> list[str]:
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        for pattern in TRACES:
            match = pattern.search(line)
            if match:
                where = f"{repository.shown(path)}:{number}"
                found.append(f"{where}: '{match[0]}' names a place outside the repository")
    return found


def anchors(text: str) -> set[str]:
    """The link targets that headings make, as the usual viewers spell them."""
    words = (re.sub(r"[^\w\- ]", "", h.lower()) for h in HEADING.findall(text))
    return {w.replace(" ", "-") for w in words}


def check_links(path: Path, text: str) -> list[str]:
    found = []
    for match in LINK.finditer(
        re.sub(r"```.*?```", lambda m: "\n" * m[0].count("\n"), text, flags=re.S)
    ):
        target = match[1] or match[2]
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        aim = (path.parent / file).resolve() if file else path
        problem = None
        if not aim.exists():
            problem = f"no such file: '{file}'"
        elif anchor and aim.suffix == ".md" and anchor not in anchors(aim.read_text("utf-8")):
            problem = f"no such heading: '{target}'"
        if problem:
            found.append(f"{repository.shown(path)}: {problem}")
    return found


def main() -> None:
    findings = []
    for path in repository.all_files():
        text = repository.read(path)
        if text is None or path.name == "LICENSE":
            continue
        findings += check_licence(path, text)
        findings += check_traces(path, text)
        if path.suffix == ".md":
            findings += check_links(path, text)
    repository.finish("text", findings)


if __name__ == "__main__":
    main()
