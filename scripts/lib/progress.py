# SPDX-License-Identifier: MIT
"""A line about long work: on a terminal kept up to date, else one a minute."""

import sys
import time


def duration(seconds: float) -> str:
    """2:05, 1:02:05."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"


class Line:
    """What is shown last stays."""

    def __init__(self) -> None:
        self.terminal = sys.stderr.isatty()
        self.start = self._shown = time.monotonic()

    def show(self, text: str, last: bool = False) -> None:
        now = time.monotonic()
        if not self.terminal and not last and now - self._shown < 60:
            return
        self._shown = now
        print(f"\r\033[K{text}" if self.terminal else text, end="" if self.terminal and not last else "\n",
              file=sys.stderr, flush=True)
