# SPDX-License-Identifier: MIT
"""Programs of workloads/programs whose kernels run on a card (scripts/card) and on a preset (scripts/study silicon), with the
words that make them as long as both can bear."""

import re
from typing import NamedTuple


class Program(NamedTuple):
    name: str
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join([self.name, *self.words])


MEASURED = (Program("gemm", ("512",)), Program("bfs", ("2000",)), Program("jacobi"))


def base_name(kernel: str) -> str:
    """Of `void multiply<true>(float *, int)`: multiply."""
    kernel = kernel.replace("(anonymous namespace)::", "")
    while "<" in kernel and (shorter := re.sub(r"<[^<>]*>", "", kernel)) != kernel:
        kernel = shorter
    return re.findall(r"\w+", kernel.partition("(")[0])[-1]
