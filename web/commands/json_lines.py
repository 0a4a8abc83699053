"""Commands that take a JSON object a line and answer each with one: `judge`, `solve`, `score`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any, BinaryIO

from web.commands.common import complain, print_json_line

Answer = Callable[[Any], dict[str, Any]]
"""From the value of a line to its answer; raises ValueError for one that is not understood."""


def answer_lines(files: Iterable[BinaryIO], answer: Answer) -> bool:
    """Print the answer to every line of ``files``, or of standard input where there are none.

    Blank lines get none. A line that is not understood gets ``{"error", "line"}`` and a complaint,
    and the others are answered all the same; False where there was one.
    """
    results = [
        _answered(line, number, answer)
        for file in files or (sys.stdin.buffer,)
        for number, line in enumerate(file, start=1)
        if line.strip()
    ]
    return all(results)


def _answered(line: bytes, number: int, answer: Answer) -> bool:
    from engine.json_line import parse_json_line

    try:
        answered = answer(parse_json_line(line))
    except ValueError as error:
        reason = " ".join(str(error).split())
        complain(f"line {number}: {reason}")
        print_json_line({"error": reason, "line": number})
        return False
    print_json_line(answered)
    return True
