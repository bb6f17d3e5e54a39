# SPDX-License-Identifier: MIT
"""Kernels made to order, for judging what was tuned on others (scripts/study adaptive --set generated).

A kernel is a loop over phases. A phase loads a word, mixes it into the thread's value and goes through a chain of
dependent multiply-adds. Four properties vary:

* lengths: the multiply-adds of the phases of a round; short, long, or mixed
* sharing of the loaded lines: none (a stream), own (each warp reads its lines again), block (all warps of a block read
  the same lines), table (words at random places of a table that all threads share)
* barriers: the block meets after every round, or never
* divergence: in every phase about half of the lanes go through more multiply-adds, or none does

So a kernel has a name such as `mixed_block_barrier_divergent`. generate() writes CUDA, PTX, launch description, data
and the expected results, which are computed here: n multiply-adds x = a x + b are one multiply-add again.
"""

import array
import dataclasses
import hashlib
import itertools
import pathlib
import random
import subprocess

from lib.places import ROOT

LENGTHS = {"short": (6, 6, 6), "long": (64, 64, 64), "mixed": (4, 72, 20)}
SHARING = ("none", "own", "block", "table")
THREADS = 192       # of a block
WARP = 32
TABLE = 1 << 15     # words that threads share, or that a block's and a warp's lines are taken from
WORDS = 1 << 20     # of a stream; more than any L2 here holds
FACTOR, SUMMAND = 1664525, 1013904223
EXTRA = 12          # multiply-adds of the lanes that diverge
MASK = 0xFFFFFFFF

INDEX = {
    "none": "(thread + step * gridDim.x * blockDim.x) % WORDS",
    "own": "((thread / 32) * 64 + (step & 1) * 32 + (thread & 31)) % TABLE",
    "block": "(blockIdx.x * 1024 + step * 32 + (thread & 31)) % TABLE",
    "table": "(x >> 9) % TABLE",
}


@dataclasses.dataclass(frozen=True)
class Kernel:
    lengths: str
    sharing: str
    barriers: bool
    divergence: bool

    @property
    def name(self) -> str:
        return "_".join([self.lengths, self.sharing, *["barrier"] * self.barriers, *["divergent"] * self.divergence])


def chosen() -> list[Kernel]:
    """Every length with every way of sharing, of the four combinations of the other two properties each three times."""
    return [Kernel(lengths, sharing, (i + j) % 2 == 1, (i + j // 2) % 2 == 1)
            for (i, lengths), (j, sharing) in itertools.product(enumerate(LENGTHS), enumerate(SHARING))]


def digest() -> str:
    """Of this file: it decides what the kernels are."""
    return hashlib.sha256(pathlib.Path(__file__).read_bytes()).hexdigest()[:16]


def source(kernel: Kernel) -> str:
    """CUDA of the kernel."""
    lines = [f"#define TABLE {TABLE}u", f"#define WORDS {WORDS}u",
             "__device__ __forceinline__ unsigned chain(unsigned x, unsigned a, unsigned b, int steps) {",
             "#pragma unroll", "  for (int i = 0; i < steps; ++i) x = x * a + b;", "  return x;", "}",
             "__global__ void made(const unsigned* data, unsigned* out, unsigned rounds, unsigned a, unsigned b) {",
             "  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;", "  unsigned x = thread;",
             "  unsigned step = 0;", "#pragma unroll 1", "  for (unsigned round = 0; round < rounds; ++round) {"]
    for length in LENGTHS[kernel.lengths]:
        lines += [f"    x ^= data[{INDEX[kernel.sharing]}];", f"    x = chain(x, a, b, {length});"]
        if kernel.divergence:
            lines.append(f"    if (x & 0x10000u) x = chain(x, a, b, {EXTRA}) ^ step;")
        lines.append("    ++step;")
    if kernel.barriers:
        lines.append("    __syncthreads();")
    return "\n".join(["// SPDX-License-Identifier: MIT", *lines, "  }", "  out[thread] = x;", "}", ""])


def chain(steps: int) -> tuple[int, int]:
    """What so many multiply-adds are in one."""
    factor, summand = 1, 0
    for _ in range(steps):
        factor, summand = factor * FACTOR & MASK, (summand * FACTOR + SUMMAND) & MASK
    return factor, summand


def index(kernel: Kernel, thread: int, threads: int, step: int, x: int) -> int:
    """As INDEX has it."""
    if kernel.sharing == "none":
        return (thread + step * threads) % WORDS
    if kernel.sharing == "own":
        return (thread // WARP * 64 + (step & 1) * 32 + thread % WARP) % TABLE
    if kernel.sharing == "block":
        return (thread // THREADS * 1024 + step * 32 + thread % WARP) % TABLE
    return (x >> 9) % TABLE


def expected(kernel: Kernel, data: array.array, blocks: int, rounds: int) -> array.array:
    """The value of each thread."""
    chains = [chain(length) for length in LENGTHS[kernel.lengths]]
    extra_factor, extra_summand = chain(EXTRA)
    threads = blocks * THREADS
    out = array.array("I")
    for thread in range(threads):
        # A lane's number within a warp is that within the grid: blocks are whole warps.
        x, step = thread, 0
        for _ in range(rounds):
            for factor, summand in chains:
                x ^= data[index(kernel, thread, threads, step, x)]
                x = (x * factor + summand) & MASK
                if kernel.divergence and x & 0x10000:
                    x = (x * extra_factor + extra_summand) & MASK ^ step
                step += 1
        out.append(x)
    return out


def description(kernel: Kernel, blocks: int, rounds: int) -> str:
    """The launch description."""
    words = WORDS if kernel.sharing == "none" else TABLE
    return f"""# SPDX-License-Identifier: MIT
name = "{kernel.name}"
ptx = "{kernel.name}.ptx"

[[buffer]]
name = "data"
type = "u32"
count = {words}
init = {{ raw = "{kernel.name}.data" }}

[[buffer]]
name = "out"
type = "u32"
count = {blocks * THREADS}

[[step]]
kernel = "made"
grid = [{blocks}]
block = [{THREADS}]
args = [{{ buffer = "data" }}, {{ buffer = "out" }}, {rounds}, {FACTOR}, {SUMMAND}]

[[expect]]
buffer = "out"
raw = "{kernel.name}.out"
"""


def generate(kernel: Kernel, folder: pathlib.Path, blocks: int = 256, rounds: int = 4) -> pathlib.Path:
    """Writes the kernel's files and gives the launch description; it comes last, so it stands for all of them."""
    file = folder / f"{kernel.name}.toml"
    if file.exists():
        return file
    folder.mkdir(parents=True, exist_ok=True)
    draw = random.Random(kernel.name)
    data = array.array("I", (draw.getrandbits(32) for _ in range(WORDS if kernel.sharing == "none" else TABLE)))
    code = file.with_suffix(".cu")
    code.write_text(source(kernel))
    subprocess.run([ROOT / "scripts" / "cuda2ptx", code, file.with_suffix(".ptx")], check=True)
    file.with_suffix(".data").write_bytes(data.tobytes())
    file.with_suffix(".out").write_bytes(expected(kernel, data, blocks, rounds).tobytes())
    file.write_text(description(kernel, blocks, rounds))
    return file
