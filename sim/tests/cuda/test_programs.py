# SPDX-License-Identifier: MIT
"""CUDA programs with their kernels simulated, and captured launches: test_programs.py PAWS PROGRAMS"""
import fcntl
import json
import math
import os
import pathlib
import pty
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]


def paws(*words, status=0):
    """Standard output and error of the program, which must end with this status."""
    done = subprocess.run([PAWS, *map(str, words)], capture_output=True, text=True, check=False, timeout=120)
    if done.returncode != status:
        raise AssertionError(f"{words}: status {done.returncode}, expected {status}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


# nvcc's options, and what default_stream.cu says then.
DEFAULT_STREAMS = ((["--default-stream", "per-thread"], "default streams of two threads overlap\n"),
                   (["-default-stream=legacy"], "default streams of two threads run in order\n"))


BLOCKS = """
#include <cstdio>
__global__ void sums(const int *in, int *out, int *all) {
  __shared__ int part[64];
  const int at = blockIdx.x * 64 + threadIdx.x;
  part[threadIdx.x] = in[at] + in[(at * 17) % (gridDim.x * 64)];
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 8 + blockIdx.x % 5; ++i) sum += part[(threadIdx.x + i) % 64];
  out[at] = sum;
  if (threadIdx.x == 0) atomicAdd(all, sum);
}
__global__ void fenced(int *out) { out[blockIdx.x] += 1; __threadfence(); }
int main() {
  constexpr int kBlocks = 500;
  static int in[kBlocks * 64], out[kBlocks * 64 + 1];
  for (int i = 0; i < kBlocks * 64; ++i) in[i] = i * 7 % 1013;
  int *from, *to;
  cudaMalloc(&from, sizeof in);
  cudaMalloc(&to, sizeof out);
  cudaMemset(to, 0, sizeof out);
  cudaMemcpy(from, in, sizeof in, cudaMemcpyHostToDevice);
  sums<<<kBlocks, 64>>>(from, to, to + kBlocks * 64);
  sums<<<100, 64>>>(from, to, to + kBlocks * 64);
  fenced<<<kBlocks, 64>>>(to);
  cudaMemcpy(out, to, sizeof out, cudaMemcpyDeviceToHost);
  unsigned hash = 0;
  for (int value : out) hash = hash * 31 + value;
  std::printf("%08x\\n", hash);
}
"""


MANAGED = """
__managed__ int value = 3;
__managed__ int other = 4;
__global__ void by_address(int *p) { *p += 4; }
__global__ void by_name() { other += 5; }
int main() {
  by_address<<<1, 1>>>(&value);
  by_name<<<1, 1>>>();
  cudaDeviceSynchronize();
  return value != 7 || other != 9;
}
"""


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def cuda(self, *words, status=0):
        """What `paws cuda --json` says of a program; its output; our own."""
        file = self.folder / "result.json"
        file.unlink(missing_ok=True)
        out, err = paws("cuda", "--json", file, *words, status=status)
        return json.loads(file.read_text()), out, err

    def source(self, text, name="app.cu"):
        path = self.folder / name
        path.write_text(text)
        return path

    def build(self, *words, status=0, script=ROOT / "scripts/cuda++"):
        """Standard error of the compiler."""
        done = subprocess.run([script, *words], capture_output=True, text=True, check=False, cwd=self.folder,
                              env={**os.environ, "PAWS_BUILD": str(PROGRAMS.parents[1])}, timeout=120)
        if done.returncode != status:
            raise AssertionError(f"{words}: status {done.returncode}, expected {status}\n{done.stderr}")
        return done.stderr

    def captures_are_replayed(self, program):
        """Those of its two launches, which change memory."""
        captures = self.folder / "captures"
        paws("capture", "-o", captures, "--", program)
        for number in (1, 2):
            description = captures / f"{program.name}-{number}.toml"
            self.assertIn("[[expect]]", description.read_text())
            paws("run", "--engine", "model", description)

    def run_app(self, *words):
        """What the program app.cu, built with these options, prints."""
        self.build("app.cu", *words, "-o", "app")
        return paws("cuda", "--functional", "--", self.folder / "app")[0]


class Programs(Case):
    def test_each_finds_its_own_results_right(self):
        for name, said in {"bfs": "600 vertices, 22 levels\n", "memory": "all copies are right\n",
                           "exchange": "all values are right\n", "half": "host and device agree\n",
                           "leader": "all tickets are drawn once\n", "tiles": "all tiles are right\n",
                           "textures": "all texels are right\n", "cooperative": "sum 39985\n",
                           "managed": "host and device have one value\n", "thrust": "all algorithms are right\n",
                           "cub": "all algorithms are right\n", "libcudacxx": "all classes are right\n",
                           "simd": "all parts and steps are right\n", "numbers": "all numbers are right\n",
                           "random": "all generators and distributions are right\n",
                           "pools": "pools and occupancy are right\n",
                           "blas": "all products are right\n", "graphs": "all graphs are right\n",
                           "dynamic": "cudaSuccess\n"}.items():
            out, err = paws("cuda", "--engine", "model", "--", PROGRAMS / name)
            self.assertEqual(out, said)
            self.assertIn(f"program       {name}\n", err)

    def test_tensor_cores_of_the_gpus_that_have_them(self):
        said = "all products, copies and reductions are right\n"
        out, err = paws("cuda", "--gpu", "a100", "--engine", "model", "--check", "--", PROGRAMS / "tensor")
        self.assertEqual(out, said)
        self.assertNotIn("race", err)
        out, _ = paws("cuda", "--gpu", "a100", "--engine", "model", "--", PROGRAMS / "gemm", "128")
        self.assertEqual(out, "all products are right\n")
        out, _ = paws("cuda", "--gpu", "a100", "--functional", "--", PROGRAMS / "gpt")
        self.assertTrue(out.endswith("PASS\n"), out)
        _, err = paws("cuda", "--engine", "model", "--", PROGRAMS / "tensor", status=1)
        self.assertIn("needs tensor cores, which the GPU 'm2090' does not have (tensor.interval is 0)", err)

    def test_the_measurements_for_a_card(self):
        """Those whose values the keys of the GPU say."""
        file = self.folder / "card.csv"
        paws("cuda", "--gpu", "a100", "--engine", "model", "--", PROGRAMS / "card", "--small", "--csv", file, "shared_latency",
             "fma", "launch")
        head, device, *rows = (line.split(",") for line in file.read_text().splitlines())
        self.assertEqual(head, ["quantity", "x", "value", "unit"])
        self.assertEqual(device, ["device", "PAWS a100", "1410", "MHz"])
        self.assertEqual([(name, x, unit) for name, x, _, unit in rows],
                         [("shared_latency", "", "cycles"), ("fma", "", "results per cycle and core"),
                          ("launch", "", "cycles per launch")])
        self.assertEqual(rows[0][2], "29")  # core.shared_latency and the issue
        self.assertAlmostEqual(float(rows[1][2]), 64, delta=2)  # 16 lanes of 4 schedulers
        out, _ = paws("cuda", "--gpu", "c2050", "--scheduler", "single:gto", "--engine", "model", "--", PROGRAMS / "card",
                      "--small", "texture_latency")
        cycles = {x: float(value) for name, x, value, _ in (line.split(",") for line in out.splitlines())
                  if name == "texture_latency"}
        self.assertAlmostEqual(cycles["12"], 212, delta=1)  # texture.latency and the issue
        self.assertGreater(cycles["13"], 400)
        for word in ("fms", "--csv"):
            _, err = paws("cuda", "--gpu", "a100", "--engine", "model", "--", PROGRAMS / "card", word, status=2)
            self.assertIn(f"card: '{word}' is no quantity, or an option without its value\n", err)

    def test_bulk_copies_of_the_gpus_that_have_them(self):
        said = "all sums are right\n"
        for options in (["--functional"], ["--engine", "model", "--set", "bulk.interval=2", "--check"]):
            out, err = paws("cuda", *options, "--", PROGRAMS / "bulk")
            self.assertEqual(out, said)
            self.assertNotIn("race", err)
        _, err = paws("cuda", "--engine", "model", "--gpu", "a100", "--", PROGRAMS / "bulk", status=1)
        self.assertIn("makes bulk copies, which the GPU 'a100' does not have (bulk.interval is 0)", err)

    def jacobi(self, *options):
        """The result, and the microseconds that the program measured."""
        result, out, _ = self.cuda(*options, "--", PROGRAMS / "jacobi")
        steps, time = re.fullmatch(r"(\d+) steps, ([0-9.]+) us\n", out).groups()
        self.assertEqual(len(result["launches"]), int(steps))
        self.assertEqual(sum(launch["cycles"] for launch in result["launches"]), result["total"]["cycles"])
        self.assertEqual(result["not_freed"], [])
        return result["total"], float(time)

    def test_events_tell_the_simulated_time(self):
        total, time = self.jacobi("--set", "device.copy_gbps=0")
        kernels = total["cycles"] / 1300
        self.assertAlmostEqual(time, kernels, delta=0.001)
        # A float is cleared and another copied in each step.
        again, longer = self.jacobi()
        self.assertEqual(again["cycles"], total["cycles"])
        steps = again["launches"]
        self.assertAlmostEqual(longer, kernels + steps * (4 / 6e3 + 4 / 177.6e3), delta=0.001)

    def test_clocks_of_the_host_read_simulated_time(self):
        self.source("""
#include <sys/time.h>
#include <chrono>
#include <cstdio>
#include <ctime>
__global__ void work(float *p) { for (int i = 0; i < 2000; ++i) p[threadIdx.x] = p[threadIdx.x] * 1.5f + 1; }
double day() { timeval now; gettimeofday(&now, nullptr); return now.tv_sec + 1e-6 * now.tv_usec; }
double monotonic() { timespec now; clock_gettime(CLOCK_MONOTONIC, &now); return now.tv_sec + 1e-9 * now.tv_nsec; }
double processor() { return static_cast<double>(clock()) / CLOCKS_PER_SEC; }
double steady() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
int main() {
  float *p = nullptr;
  cudaMalloc(&p, 4096);
  cudaEvent_t from, to;
  cudaEventCreate(&from);
  cudaEventCreate(&to);
  double (*const clocks[])() = {day, monotonic, processor, steady};
  for (double (*read)() : clocks) {
    const double start = read();
    cudaEventRecord(from);
    work<<<1, 32>>>(p);
    cudaEventRecord(to);
    const double launched = read() - start;
    cudaDeviceSynchronize();
    const double took = read() - start;
    float milliseconds;
    cudaEventElapsedTime(&milliseconds, from, to);
    std::printf("%.9f %.9f %.9f\\n", launched, took, 1e-3 * milliseconds);
  }
  const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(100);
  while (std::chrono::steady_clock::now() < until) {}
  std::printf("%d\\n", time(nullptr) > 1700000000);
}
""")
        self.build("app.cu", "-o", "app")
        run = ("cuda", "--engine", "model", "--host-time", "simulated")
        runs = {paws(*run, "--", self.folder / "app")[0] for _ in range(2)}
        runs.add(self.on_a_terminal(*run, "--", self.folder / "app")[2])  # The line of progress reads no such clock.
        (out,) = runs
        *rows, calendar = out.splitlines()
        self.assertEqual(calendar, "1")
        for row in rows:
            launched, took, simulated = map(float, row.split())
            self.assertGreater(simulated, 1e-5)
            self.assertAlmostEqual(launched, 0, delta=2e-6)
            self.assertAlmostEqual(took, simulated, delta=2e-6)
        real = paws("cuda", "--engine", "model", "--", self.folder / "app")[0].split()
        self.assertNotAlmostEqual(float(real[4]), float(real[5]), delta=2e-6)
        _, err = paws("cuda", "--functional", "--host-time", "simulated", "--", self.folder / "app", status=2)
        self.assertIn("--host-time means nothing with --functional", err)

    def test_copies_and_their_time_are_told(self):
        result, _, err = self.cuda("--engine", "model", "--", PROGRAMS / "jacobi")
        total, cells = result["total"], 24 * 24 * 4
        self.assertEqual(total["copies"]["to_device"]["bytes"], cells + 8)
        self.assertAlmostEqual(total["copies"]["to_device"]["milliseconds"], (cells + 8) / 6e6)
        self.assertEqual(total["copies"]["to_host"]["bytes"], cells + 8 + 4 * total["launches"])
        self.assertEqual(total["copies"]["within"]["bytes"], cells + 4 * total["launches"])
        # Nothing overlaps in it.
        self.assertAlmostEqual(total["milliseconds"], total["cycles"] / 1.3e6 + sum(
            direction["milliseconds"] for direction in total["copies"].values()))
        self.assertIn(f"copied        to the device: {cells + 8} bytes, {(cells + 8) / 6e3:.3f} us\n", err)
        self.assertIn(f"time          {total['milliseconds'] * 1e3:.3f} us, kernels and copies\n", err)
        result, _, err = self.cuda("--functional", "--", PROGRAMS / "jacobi")
        self.assertEqual(result["total"]["milliseconds"], 0)
        self.assertNotIn("copied", err)
        self.assertNotIn("copies", self.cuda("--functional", "--", PROGRAMS / "leaver", status=7)[0]["total"])

    def test_launches_take_time(self):
        model = ("--engine", "model")
        runs = [self.cuda("--set", f"device.launch_latency_us={latency}", *options, "--", PROGRAMS / "jacobi")[0]["total"]
                for latency, options in ((0, model), (4.5, model), (4.5, ("--functional",)))]
        self.assertEqual(runs[1]["cycles"], runs[0]["cycles"])
        self.assertAlmostEqual(runs[1]["milliseconds"], runs[0]["milliseconds"] + 0.0045 * runs[0]["launches"])
        self.assertEqual(runs[2]["milliseconds"], 0)

    def test_streams_overlap(self):
        one_engine = ("--set", "device.copy_engines=1", "--set", "device.copy_gbps=12")
        for options, speed in (((), "6.00"), (one_engine, "12.00"), (("--gpu", "a100"), "25.00")):
            runs = {paws("cuda", "--engine", "model", *options, "--", PROGRAMS / "streams") for _ in range(2)}
            (out, _), = runs
            self.assertEqual(out, f"{speed} GB/s to the device, {speed} GB/s to the host\n")
        # A latency counts for every copy: 65536 bytes in 4 us and 12.384 us.
        out, _ = paws("cuda", "--engine", "model", "--set", "device.copy_gbps=16.384", "--set",
                      "device.copy_latency_us=12.384", "--", PROGRAMS / "streams")
        self.assertEqual(out, "4.00 GB/s to the device, 4.00 GB/s to the host\n")

    def test_cycles_are_the_same_in_every_run_and_with_every_engine(self):
        results = [self.cuda("--engine", engine, "--threads", threads, "--", PROGRAMS / "bfs", 200)[0]
                   for engine, threads in (("rtl", 1), ("rtl", 2), ("model", 1), ("lockstep", 1))]
        for other in results[1:]:
            self.assertEqual(other["launches"], results[0]["launches"])

    def test_the_scheduler_and_the_machine_can_be_chosen(self):
        cycles = {self.cuda(*options, "--engine", "model", "--", PROGRAMS / "bfs", 200)[0]["total"]["cycles"]
                  for options in ((), ("--set", "l1.latency=90"), ("--gpu", "lee28"))}
        self.assertEqual(len(cycles), 3)
        _, err = paws("cuda", "--scheduler", "single:gto", "--", PROGRAMS / "bfs", 100)
        self.assertIn("scheduler     single:gto\n", err)

    def test_the_device_is_that_of_the_configuration(self):
        for options, said in (((), "PAWS m2090: compute capability 7.5, 16 cores, 6144 MB, 768 KB of L2, 6 blocks"),
                              (("--gpu", "a100"),
                               "PAWS a100: compute capability 8.0, 108 cores, 40960 MB, 40960 KB of L2, 8 blocks"),
                              (("--set", "device.capability=90", "--set", "device.memory_mb=100"),
                               "PAWS m2090: compute capability 9.0, 16 cores, 100 MB, 768 KB of L2, 6 blocks")):
            out, _ = paws("cuda", *options, "--", PROGRAMS / "device")
            self.assertEqual(out, f"{said} of 256 threads in a core\n")

    def test_launches_without_timing_leave_their_lines_to_the_sampled_ones(self):
        program = ("--engine", "model", "--", PROGRAMS / "gpt", "generate", 4, 64, 2, 12, 64)
        whole, _, _ = self.cuda(*program)
        sampled, _, _ = self.cuda("--sample-launches", "3,5", *program)
        pairs = [(launch["cycles"], same["cycles"])
                 for launch, same in zip(sampled["launches"], whole["launches"]) if launch["timed"]]
        self.assertLess(len(pairs), len(whole["launches"]) / 2)
        ours, right = map(sum, zip(*pairs))
        self.assertAlmostEqual(ours, right, delta=0.01 * right)

    def test_some_launches_are_timed(self):
        result, _, _ = self.cuda("--launches", "2,4-5", "--", PROGRAMS / "jacobi")
        self.assertEqual([launch["launch"] for launch in result["launches"] if launch["timed"]], [2, 4, 5])
        self.assertEqual(result["total"]["cycles"],
                         sum(launch["cycles"] for launch in result["launches"] if launch["timed"]))

    def test_launches_are_sampled(self):
        whole, out, _ = self.cuda("--engine", "model", "--", PROGRAMS / "jacobi")
        result, said, err = self.cuda("--engine", "model", "--sample-launches", "3,5", "--", PROGRAMS / "jacobi")
        self.assertEqual(said.split(",")[0], out.split(",")[0])  # the same steps: all values are right
        self.assertEqual([launch["launch"] for launch in result["launches"] if launch["timed"]],
                         [1, 2, 3, 4, 9, 14, 22])
        for key in ("kernel", "warp_instructions"):
            self.assertEqual(*([launch[key] for launch in run["launches"]] for run in (whole, result)))
        sampled = result["sampled"]
        cycles, bound = (sampled[key] for key in ("cycles", "bound"))
        self.assertEqual([sampled[key] for key in ("plan", "launches", "timed", "timed_cycles")],
                         ["3,5", 25, 7, result["total"]["cycles"]])
        self.assertLess(bound, 0.2 * cycles)
        self.assertAlmostEqual(cycles, whole["total"]["cycles"], delta=bound)
        self.assertEqual([(kind["kernel"], kind["grid"], kind["block"], kind["cycles"]) for kind in sampled["kinds"]],
                         [("relax", [22, 1, 1], [22, 1, 1], cycles)])
        figures = f"25 launches, 7 timed, {result['total']['cycles']} cycles; all: {cycles:.0f} +- {math.ceil(bound)} cycles"
        self.assertIn(f"\nsampled       relax (22,1,1) x (22,1,1): {figures}\n", err)
        self.assertIn(f"\nsampled       in sum: {figures} (", err)
        self.assertIn(f"\ncycles        {result['total']['cycles']}, of the 7 timed launches\n", err)
        # Launches that are not timed take the mean of the timed ones on the timeline.
        self.assertAlmostEqual(result["total"]["milliseconds"], whole["total"]["milliseconds"],
                               delta=0.2 * whole["total"]["milliseconds"])
        self.assertNotIn("sampled", whole)

    def on_a_terminal(self, *words):
        """What is shown on stderr, a terminal of 60 columns; the seconds that it took; standard output."""
        ours, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
        start = time.monotonic()
        with subprocess.Popen([PAWS, *map(str, words)], stdout=subprocess.PIPE, stderr=terminal, text=True) as run:
            os.close(terminal)
            shown = b""
            try:
                while part := os.read(ours, 4096):
                    shown += part
            except OSError:  # nobody has the terminal any more
                pass
            out = run.stdout.read()
        os.close(ours)
        return shown.decode(), time.monotonic() - start, out

    def test_progress_is_shown_on_a_terminal(self):
        self.source(self.SPINNING)
        self.build("app.cu", "-o", "app")
        for options, first in ((["cuda", "--engine", "model", "--max-cycles", "3000000", "--", self.folder / "app"],
                                "launch 1: spin, 0 of 1 blocks finished, cycle 0"),
                               (["cuda", "--functional", "--", PROGRAMS / "bfs"],
                                "launch 1: expand, 0 of 5 blocks finished, not timed"),
                               (["run", "bfs", "--size", "small", "--engine", "model"],
                                "launch 1: _Z9bfs_levelPKiS0_S0_PiS1_ii, 0 of 12 blocks finished, cycle 0")):
            with self.subTest(words=options):
                shown, seconds, _ = self.on_a_terminal(*options)
                lines = re.findall(r"\r\x1b\[K([^\r\n]*)", shown)
                self.assertEqual(lines[0], first[:59])
                self.assertLessEqual(len([line for line in lines if line.startswith("launch ")]), 1 + 4 * seconds)
                self.assertTrue(all(len(line) < 60 for line in lines if line.startswith("launch ")))
                self.assertFalse(lines[-1].startswith("launch "))
                _, err = paws(*options)
                self.assertNotIn("\r", err)
                self.assertNotIn(first, err)

    def test_statistics_are_those_of_paws_run(self):
        out, said = paws("cuda", "--engine", "model", "--stats", "--", PROGRAMS / "bfs")
        listing = out[out.index("kernel_name = "):]
        self.assertLess(listing.index("kernel_launch_uid = "), listing.index("\ngpu_tot_sim_cycle = "))
        self.assertNotIn("gpu_tot_sim_cycle", said)
        self.assertRegex(said, r"(?m)^made by       paws \d+\.\d+\.\d+, commit \S+$")

    def test_functional(self):
        result, out, _ = self.cuda("--functional", "--", PROGRAMS / "bfs")
        self.assertEqual(out, "600 vertices, 22 levels\n")
        self.assertFalse(any(launch["timed"] for launch in result["launches"]))
        self.assertGreater(result["total"]["instructions"], 0)

    SPINNING = """
#include <cstdio>
__global__ void spin(volatile int *flag) { printf("device\\n"); while (*flag == 0) {} }
int main() {
  int *flag;
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  printf("host\\n");
  spin<<<1, 1>>>(flag);
  const cudaError_t error = cudaDeviceSynchronize();
  printf("%s\\n", cudaGetErrorName(error));
  return 0;
}
"""

    def test_a_kernel_that_does_not_end_is_ended_by_the_limit_of_the_mode(self):
        self.source(self.SPINNING)
        self.build("app.cu", "-o", "app")
        for options, limit in ((["--max-cycles", "5000", "--engine", "model"], "5000 cycles (--max-cycles)"),
                               (["--functional", "--max-instructions", "5000"],
                                "5000 warp instructions (--max-instructions)"),
                               (["--launches", "2", "--max-instructions", "6000"],
                                "6000 warp instructions (--max-instructions)")):
            unmade = "--launches" in options  # there is no second launch
            out, err = paws("cuda", *options, "--", self.folder / "app", status=2 if unmade else 0)
            self.assertEqual(out, "host\ndevice\ncudaErrorLaunchTimeout\n")
            self.assertIn(f"not finished after {limit}", err)
        out, _ = paws("capture", "-o", self.folder / "captures", "--max-instructions", "5000", "--",
                      self.folder / "app")
        self.assertEqual(out, "host\ndevice\ncudaErrorLaunchTimeout\n")

    def test_what_a_program_has_printed_is_kept_when_it_is_ended(self):
        self.source(self.SPINNING)
        self.build("app.cu", "-o", "app")
        for number in (signal.SIGTERM, signal.SIGKILL):
            with subprocess.Popen([PAWS, "cuda", "--functional", "--", self.folder / "app"], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as run:
                self.assertEqual(run.stdout.readline(), "host\n")
                self.assertEqual(run.stdout.readline(), "device\n")
                run.send_signal(number)

    def test_what_kernels_print_can_be_dropped(self):
        both = "".join(f"before launch {launch}\nlaunch {launch}, thread 0\nlaunch {launch}, thread 1\n"
                       for launch in (1, 2))
        for options, said in (([], both), (["--printf", "show"], both),
                              (["--printf", "drop"], "before launch 1\nbefore launch 2\n"),
                              (["--printf", "drop", "--functional"], "before launch 1\nbefore launch 2\n")):
            self.assertEqual(paws("cuda", *options, "--", PROGRAMS / "printing")[0], said)

    def test_a_program_runs_by_itself(self):
        done = subprocess.run([PROGRAMS / "bfs"], capture_output=True, text=True, check=True)
        self.assertEqual((done.stdout, done.stderr), ("600 vertices, 22 levels\n", ""))


NVCC = shutil.which("nvcc")
CURAND = next(pathlib.Path(NVCC).resolve().parents[1].glob("lib*/libcurand.so"), None) if NVCC else None


@unittest.skipUnless(NVCC, "nvcc is not installed")
class BuiltByNvcc(Case):
    def test_the_same_results(self):
        for name, said, launches, capability, gpu in (
                ("memory", "all copies are right\n", 4, 75, "m2090"),
                ("textures", "all texels are right\n", 4, 75, "m2090"),
                ("tiles", "all tiles are right\n", 11, 75, "m2090"),
                ("managed", "host and device have one value\n", 3, 75, "m2090"),
                ("graphs", "all graphs are right\n", 9, 75, "m2090"),
                ("blas", "all products are right\n", 405, 75, "m2090"),
                ("numbers", "all numbers are right\n", 3, 75, "m2090"),
                ("dynamic", "cudaSuccess\n", 7, 75, "m2090"),
                ("tensor", "all products, copies and reductions are right\n", 77, 80, "a100"),
                ("libcudacxx", "all classes are right\n", 7, 80, "a100")):
            source = ROOT / f"workloads/programs/{name}.cu"
            program = self.folder / name
            subprocess.run(["nvcc", "-std=c++17", "-cudart", "shared", "-gencode",
                            f"arch=compute_{capability},code=compute_{capability}", source, "-o", program,
                            *(["-lcublas"] if name == "blas" else [])], check=True)
            result, out, _ = self.cuda("--gpu", gpu, "--engine", "model", "--", program)
            self.assertEqual(out, said)
            self.assertEqual(len(result["launches"]), launches)

    def nvcc(self, text, *options):
        """The program of this source."""
        self.source(text)
        subprocess.run(["nvcc", "-cudart", "shared", "-gencode", "arch=compute_75,code=compute_75", *options, "app.cu",
                        "-o", "app"], check=True, cwd=self.folder)
        return self.folder / "app"

    def test_the_measurements_for_a_card(self):
        program = self.nvcc((ROOT / "workloads/programs/card.cu").read_text(), "-std=c++17",
                            "-I", str(ROOT / "workloads/programs"))
        out, _ = paws("cuda", "--gpu", "a100", "--engine", "model", "--", program, "--small", "shared_latency")
        self.assertTrue(out.endswith("\nshared_latency,,29,cycles\n"), out)

    @unittest.skipUnless(NVCC and (pathlib.Path(NVCC).resolve().parents[1] / "include/curand_kernel.h").exists(),
                         "no curand_kernel.h beside nvcc")
    def test_random_numbers_are_those_of_the_library(self):
        text = (ROOT / "sim/tests/cuda/data/sequences.cu").read_text()
        program = self.nvcc(text, "-std=c++17", "-I", str(ROOT / "workloads/programs"))
        expected, found = (paws("cuda", "--functional", "--", path)[0].split()
                           for path in (program, PROGRAMS / "sequences"))
        self.assertEqual(len(found), 4 * 5 * 64)
        for number, (one, other) in enumerate(zip(expected, found, strict=True)):
            # Logarithms and sines may differ in their last bits.
            self.assertAlmostEqual(float(one), float(other), delta=2e-6 * max(1, abs(float(one))), msg=str(number))

    @unittest.skipUnless(CURAND, "no libcurand.so beside nvcc")
    def test_generators_on_the_host_are_those_of_the_library(self):
        program = self.folder / "library"
        subprocess.run(["g++", "-std=c++17", "-I", CURAND.parents[1] / "include", "-L", CURAND.parent,
                        ROOT / "sim/tests/cuda/data/host_sequences.cpp", "-lcurand", f"-Wl,-rpath,{CURAND.parent}",
                        "-o", program], check=True, capture_output=True)
        expected = subprocess.run([program], check=True, capture_output=True, text=True, timeout=120).stdout.split()
        found = paws("cuda", "--functional", "--", PROGRAMS / "host_sequences")[0].split()
        self.assertEqual(len(found), 3 * 2 * 2 * 9 * 5)
        for number, (one, other) in enumerate(zip(expected, found, strict=True)):
            self.assertAlmostEqual(float(one), float(other), delta=2e-5 * max(1, abs(float(one))), msg=str(number))

    def test_the_default_stream(self):
        for options, said in DEFAULT_STREAMS:
            program = self.nvcc((ROOT / "workloads/programs/default_stream.cu").read_text(), "-std=c++17",
                                "-I", str(ROOT / "workloads/programs"), *options)
            self.assertEqual(paws("cuda", "--engine", "model", "--", program)[0], said)

    def test_managed_variables_are_captured(self):
        self.captures_are_replayed(self.nvcc(MANAGED))

    def test_relocatable_code_is_named(self):
        program = self.folder / "app"
        self.source("__global__ void kernel() {}\nint main() { kernel<<<1, 1>>>(); return cudaDeviceSynchronize(); }\n")
        subprocess.run(["nvcc", "-cudart", "shared", "-rdc=true", "-arch=sm_75", "app.cu", "-o", "app"], check=True,
                       cwd=self.folder)
        _, err = paws("cuda", "--", program, status=2)
        self.assertIn("relocatable device code", err)


class BuiltByClang(Case):
    """scripts/cuda++ and its headers."""

    def test_mathematics_are_as_exact_as_cuda_says(self):
        out, _ = paws("cuda", "--functional", "--", PROGRAMS / "mathematics")
        self.assertEqual(out, "0 results are too far away\n")

    def test_fast_mathematics_keep_infinity_and_nan(self):
        self.source("""
#include <cmath>
#include <cstdio>
__global__ void divide(float a, float b, float *out) { out[0] = a / b; out[1] = isnan(out[0]); }
int main() {
  float *out = nullptr;
  cudaMallocManaged(&out, 8);
  divide<<<1, 1>>>(0.0f, 0.0f, out);
  cudaDeviceSynchronize();
  volatile float infinity = INFINITY;
  std::printf("%d %g %d\\n", std::isnan(out[0]), out[1], std::isinf(infinity));
}
""")
        self.assertEqual(self.run_app("--use_fast_math"), "1 1 1\n")

    def test_multiplication_and_addition_are_one_operation_unless_that_is_not_wanted(self):
        self.source("__global__ void f(float *a) { a[0] = a[1] * a[2] + a[3]; }\n")
        for options, fused in ([], True), (["-ffp-contract=fast"], True), (["-ffp-contract=off"], False), \
                (["-fmad=false"], False):
            self.build("-c", "app.cu", *options)
            self.assertEqual(b"fma.rn.f32" in (self.folder / "app.o").read_bytes(), fused, options)

    def test_options_of_nvcc(self):
        self.source("""
#include <cstdio>
__global__ void architecture(int *out) {
#ifdef __CUDA_ARCH__
  *out = __CUDA_ARCH__;
#endif
}
int main() {
  int *out = nullptr;
  cudaMallocManaged(&out, 4);
  architecture<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  std::printf("%d %d %d\\n", *out, NUMBER, static_cast<int>(__cplusplus / 100));
}
""")
        for options, said in ((["-gencode", "arch=compute_80,code=sm_80", "-Xcompiler=-DNUMBER=3"], "800 3 2017\n"),
                              (["-gencode=arch=compute_60,code=sm_60", "-gencode=arch=compute_75,code=compute_75",
                                "-gencode", "arch=compute_90,code=sm_90", "-DNUMBER=1", "-std", "c++14"],
                               "750 1 2014\n"),
                              (["-arch", "sm_90", "-Xcompiler", "-DNUMBER=2,-MD", "-MF", "made.d"], "860 2 2017\n")):
            self.assertEqual(self.run_app(*options), said)
        self.assertIn("app.cu", (self.folder / "made.d").read_text())

    def test_blocks_are_sampled(self):
        self.build(self.source(BLOCKS), "-o", self.folder / "app")
        machine = ("--engine", "model", "--set", "cores=2")
        whole, out, _ = self.cuda(*machine, "--", self.folder / "app")
        results = []
        for threads in ("1", "2"):
            result, said, err = self.cuda(*machine, "--threads", threads, "--sample-blocks", "3,7", "--",
                                          self.folder / "app")
            self.assertEqual(said, out)
            results.append(result["sampled"])
        self.assertEqual(*results)
        first, short, fenced = result["launches"]
        # Of 32 waves the first three, a sample and what warms the caches for it of every seven, and the last two.
        sampled = first["sampled"]
        self.assertEqual(sampled["waves"], 32)
        self.assertLess(sampled["timed"], 16)
        self.assertLess(first["cycles"], 0.6 * whole["launches"][0]["cycles"])
        self.assertAlmostEqual(sampled["cycles"], whole["launches"][0]["cycles"], delta=sampled["bound"])
        self.assertLess(sampled["bound"], 0.2 * sampled["cycles"])
        for launch, why in ((short, "it has 7 waves of blocks, fewer than 26"),
                            (fenced, "its blocks may wait for each other: it orders accesses to memory (")):
            self.assertIn(why, launch["whole"])
            self.assertIn(f"timed as a whole: {why}", err)
        all_of = result["sampled"]
        self.assertEqual([all_of[key] for key in ("plan", "waves", "timed", "timed_cycles")],
                         ["3,7", 32, sampled["timed"], result["total"]["cycles"]])
        self.assertAlmostEqual(all_of["cycles"], sampled["cycles"] + short["cycles"] + fenced["cycles"])
        self.assertAlmostEqual(all_of["bound"], sampled["bound"])
        figures = (f"32 waves, {sampled['timed']} timed, {first['cycles']} cycles; all: {sampled['cycles']:.0f} +- "
                   f"{math.ceil(sampled['bound'])} cycles")
        self.assertIn(f"\nsampled       sums (500,1,1) x (64,1,1): {figures}\n", err)
        self.assertIn(f"\ncycles        {result['total']['cycles']}, of timed waves\n", err)
        self.assertAlmostEqual(result["total"]["milliseconds"], whole["total"]["milliseconds"],
                               delta=0.2 * whole["total"]["milliseconds"])
        _, err = paws("cuda", *machine, "--sample-blocks", "3,7", "--max-instructions", "40", "--",
                      self.folder / "app")
        self.assertIn("Under --sample-blocks other blocks stand still meanwhile", err)

    def test_profiles_by_line(self):
        self.source("""
__global__ void add(float *a, const float *b) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float sum = a[i]
      + b[i];
  a[i] = sum;
}
int main() {
  float *a, *b;
  cudaMalloc(&a, 40960);
  cudaMalloc(&b, 40960);
  for (int launch = 0; launch < 3; ++launch) add<<<40, 256>>>(a, b);
  cudaDeviceSynchronize();
}
""")
        self.build("-lineinfo", "app.cu", "-o", "app")
        profile = self.folder / "profile.json"
        for launches, timed in (((), 3), (("--launches", "2"), 1)):
            result, _, _ = self.cuda("--engine", "model", "--profile", profile, *launches, "--", self.folder / "app")
            written = json.loads(profile.read_text())
            figures = written["total"]["two-level:paws"]
            self.assertEqual(figures["issues"], result["total"]["warp_instructions"])
            self.assertEqual(figures["thread_instructions"], result["total"]["instructions"])
            loads = [row for row in written["instructions"] if row["instruction"].startswith("ld.global")]
            self.assertEqual({pathlib.Path(row["source_file"]).name for row in loads}, {"app.cu"})
            self.assertEqual({row["source_line"] for row in loads}, {4, 5})
            for row in loads:
                self.assertEqual(row["figures"]["two-level:paws"]["issues"], timed * 40 * 8)
        out, _ = paws("cuda", "--engine", "model", "--profile", "--", self.folder / "app")
        self.assertIn("lines at which warps waited longest", out)
        self.assertRegex(out, r"app\.cu:5  \+ b\[i\];\n +memory")

    def test_reports_and_timelines(self):
        self.source("""
__global__ void add(float *a) { a[blockIdx.x * 256 + threadIdx.x] += 1; }
int main() {
  float *a;
  cudaMalloc(&a, 40960);
  for (int launch = 0; launch < 3; ++launch) add<<<40, 256>>>(a);
  cudaDeviceSynchronize();
}
""")
        self.build("app.cu", "-o", "app")
        page, timeline = self.folder / "report.html", self.folder / "t.json"
        result, _, _ = self.cuda("--engine", "model", "--report", page, "--timeline", timeline, "--to", "3000", "--",
                                 self.folder / "app")
        figures = dict(re.findall(r'data-name="(.*?)" data-value="(.*?)"', page.read_text()))
        self.assertGreater(len(figures), 12)
        for name, value in figures.items():
            self.assertEqual(json.loads(value), result["total"][name], name)
        events = json.loads(timeline.read_text())["traceEvents"]
        self.assertIn("core 0: app under two-level:paws (1 us is 1 cycle)", [event["args"]["name"] for event in events
                                                                             if event["name"] == "process_name"])
        issues = [event for event in events if event.get("ph") == "X" and event["name"] == "issue"]
        self.assertGreater(len(issues), 100)
        self.assertLessEqual(max(event["ts"] for event in issues), 3000)

        for options, message in ((("--engine", "model", "--timeline", timeline, "--from", "999999999"),
                                  "--from 999999999: there are"),
                                 (("--functional", "--report", page), "--report means nothing with --functional"),
                                 (("--from", "3"), "--from means nothing without --timeline")):
            _, said = paws("cuda", *options, "--", self.folder / "app", status=2)
            self.assertIn(message, said)
        self.source("int main() { cudaDeviceSynchronize(); }\n", "idle.cu")
        self.build("idle.cu", "-o", "idle")
        _, said = paws("cuda", "--engine", "model", "--timeline", timeline, "--", self.folder / "idle", status=2)
        self.assertIn("--timeline: no launch was timed", said)

    def test_each_process_has_its_figures(self):
        self.source("""
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>
__global__ void add(float *a) { a[blockIdx.x * 256 + threadIdx.x] += 1; }
int use(int launches) {
  float *a;
  cudaMalloc(&a, 40960);
  for (int launch = 0; launch < launches; ++launch) add<<<40, 256>>>(a);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(a);
  return error == cudaSuccess ? cudaGetLastError() : error;
}
int main() {
  for (int child = 1; child <= 2; ++child) {
    if (fork() == 0) std::exit(use(child));
  }
  int status = 0;
  while (wait(&status) > 0) std::printf("%d ", status);
  std::printf("%d ", use(3));
  std::fflush(stdout);
  if (fork() == 0) std::exit(use(1));
  wait(&status);
  std::printf("%d\\n", WEXITSTATUS(status));
}
""")
        self.build("app.cu", "-o", "app")
        written, page, timeline = (self.folder / name for name in ("all.json", "page.html", "t.json"))
        before = set(self.folder.iterdir())
        out, err = paws("cuda", "--engine", "model", "--threads", "2", "--json", written, "--report", page,
                        "--timeline", timeline, "--to", "3000", "--", self.folder / "app")
        # 3 is cudaErrorInitializationError: the device was in use when that process forked.
        self.assertEqual(out, "0 0 0 3\n")
        self.assertIn("paws: a process that has forked after a kernel launch cannot use the GPU\n", err)
        processes = json.loads(written.read_text())
        self.assertEqual([process["total"]["launches"] for process in processes][0], 3)
        self.assertEqual(sorted(process["total"]["launches"] for process in processes), [1, 2, 3])
        named = [self.folder / name for name in ("page.html", "page-2.html", "page-3.html", "t.json", "t-2.json",
                                                 "t-3.json")]
        self.assertEqual(set(self.folder.iterdir()) - before, {written, *named})
        for process, of_page, of_time in zip(processes, named[:3], named[3:]):
            figures = dict(re.findall(r'data-name="(.*?)" data-value="(.*?)"', of_page.read_text()))
            self.assertEqual(json.loads(figures["cycles"]), process["total"]["cycles"])
            events = json.loads(of_time.read_text())["traceEvents"]
            launches = [event for event in events if event["ph"] == "X" and event["tid"] == 0]
            ended = max(event["ts"] + event["dur"] for event in launches)
            self.assertEqual(ended, min(3001, process["total"]["cycles"]))
            self.assertTrue(all(event["name"].endswith("addPf") for event in launches), launches[:3])

    def test_names_that_nvcc_has_for_options(self):
        (self.folder / "include").mkdir()
        self.source("#define FROM_HEADER 1\n", "include/first.h")
        self.source("""
#include <cstdio>
__global__ void f(float *a) { a[0] = a[1] / a[2] + sqrtf(a[3]); }
int main() { std::printf("%d %d\\n", VALUE, FROM_HEADER); }
""", "app.cpp")
        self.build("-x", "cu", "app.cpp", "--include-path", "include", "--pre-include=first.h", "--define-macro",
                   "VALUE=3", "--optimize=1", "-std=c++14", "-Xcompiler", "-Wall -Wextra,-O2", "--resource-usage",
                   "-Xptxas=-v", "-Xcudafe", "--diag_suppress=1", "-Werror", "all-warnings", "-t", "2", "-lcublas",
                   "--output-file", "app")
        self.assertEqual(paws("cuda", "--", self.folder / "app")[0], "3 1\n")
        for options, instructions in (((), (b"div.rn.f32", b"sqrt.rn.f32")),
                                      (("-prec-div=false", "--prec-sqrt=false"), (b"div.full.f32", b"sqrt.approx.f32")),
                                      (("-prec-div=true", "-ftz=true"), (b"div.rn.ftz.f32",)),
                                      (("-use_fast_math",), (b"div.approx.ftz.f32", b"sqrt.approx.f32"))):
            self.build("-x", "cu", "-c", "app.cpp", "-DVALUE=1", "-DFROM_HEADER=1", *options, "-o", "app.o")
            program = (self.folder / "app.o").read_bytes()
            for instruction in instructions:
                self.assertIn(instruction, program, options)

    def test_shared_libraries(self):
        self.source("__global__ void kernel() {}\nextern \"C\" int seven() { return 7; }\n", "lib.cu")
        self.build("lib.cu", "-shared", "-o", "libseven.so")
        self.source("""
#include <cstdio>
extern "C" int seven();
int main() { std::printf("%d\\n", seven()); }
""")
        self.build("app.cu", "-L.", "-lseven", "-Wl,-rpath," + str(self.folder), "-o", "app")
        self.assertEqual(paws("cuda", "--", self.folder / "app")[0], "7\n")

    @unittest.skipUnless(list(pathlib.Path("/usr/lib").glob("llvm-*/lib/libomp.so*")), "no OpenMP of clang")
    def test_openmp(self):
        self.source("""
#include <cstdio>
#include <omp.h>
int main() {
  int sum = 0;
  omp_set_num_threads(2);
#pragma omp parallel reduction(+ : sum)
  sum += omp_get_num_threads();
  std::printf("%d\\n", sum);
}
""")
        for libraries in [], ["-lgomp"]:
            self.assertEqual(self.run_app("-Xcompiler", "-fopenmp", *libraries), "4\n")

    def test_the_default_stream(self):
        source = ROOT / "workloads/programs/default_stream.cu"
        for options, said in (*DEFAULT_STREAMS, (["-default-stream", "null"], DEFAULT_STREAMS[1][1]),
                              (["-DCUDA_API_PER_THREAD_DEFAULT_STREAM"], DEFAULT_STREAMS[0][1])):
            self.build(source, "-I", ROOT / "workloads/programs", "-pthread", *options, "-o", "app")
            self.assertEqual(paws("cuda", "--engine", "model", "--", self.folder / "app")[0], said)
        self.assertIn("--default-stream=own: the default stream is one of legacy, null, per-thread, not 'own'",
                      self.build(source, "--default-stream=own", status=2))

    def test_every_call_has_its_name_for_default_streams_per_thread(self):
        """Those that the runtime serves and programs write: the headers name them like CUDA's."""
        exports = (ROOT / "sim/cuda/exports.txt").read_text()
        served = set(re.findall(r"^(cuda\w+)_(pt[ds][sz]) = \1$", exports, re.MULTILINE))
        # CUDA exports these three, and its headers call them by other names.
        served -= {("cudaLaunchKernel", "ptds"), ("cudaMemPrefetchAsync", "ptds"), ("cudaMemcpyPeer", "ptds")}
        header = (ROOT / "sim/cuda/include/default_stream_per_thread.h").read_text()
        self.assertEqual(set(re.findall(r"redefine_extname (cuda\w+) \1_(\w+)\n", header)), served)

    def test_keywords(self):
        self.source("""
#include <cstdio>
#include <functional>
#include <memory>
__noinline__ __device__ int twice(int a) { return 2 * a; }
__global__ void call(int *out) { *out = twice(*out); }
__noinline__ int more(int a) { return a + 1; }
int main() {
  int *out = nullptr;
  cudaMallocManaged(&out, 4);
  *out = *std::make_shared<int>(more(2));
  call<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  std::printf("%d\\n", *out);
}
""")
        self.assertEqual(self.run_app(), "6\n")

    def test_managed_variables(self):
        self.source(MANAGED)
        self.build("app.cu", "-o", "app")
        self.captures_are_replayed(self.folder / "app")
        # Of a library and the program that calls it, and of several sources.
        self.source("""
__managed__ int number = 5;
static __managed__ int own = 6;
__global__ void add() { number += own; }
int sum() {
  add<<<1, 1>>>();
  cudaDeviceSynchronize();
  return number * 1000 + own;
}
""", "lib.cu")
        self.build("lib.cu", "-shared", "-o", "libsum.so")
        self.source("""
#include <cstdio>
int sum();
int other();
static __managed__ int own = 7;
__global__ void twice() { own *= 2; }
int main() {
  twice<<<1, 1>>>();
  cudaDeviceSynchronize();
  std::printf("%d %d %d\\n", sum(), own, other());
}
""")
        self.source("static __managed__ int own = 8;\n__global__ void keep() { ++own; }\nint other() { return own; }\n",
                    "other.cu")
        self.build("app.cu", "other.cu", "-L.", "-lsum", "-Wl,-rpath," + str(self.folder), "-o", "app")
        self.assertEqual(paws("cuda", "--functional", "--", self.folder / "app")[0], "11006 14 8\n")

    def test_a_large_variable_is_not_managed(self):
        """Its end is behind the addresses that the heap keeps free from the beginning."""
        self.source("""
#include <cstdio>
constexpr size_t kBytes = (size_t{1} << 30) + (1 << 20);
__device__ char large[kBytes];
__global__ void end(char *out) { *out = large[kBytes - 1]; }
int main() {
  char *address = nullptr, *out = nullptr, seven = 7, there = 0;
  cudaMallocManaged(&out, 1);
  cudaGetSymbolAddress(reinterpret_cast<void **>(&address), large);
  char *last = address + kBytes - 1;
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, last);
  const int copied = cudaMemcpy(last, &seven, 1, cudaMemcpyHostToDevice);
  end<<<1, 1>>>(out);
  const int ended = cudaDeviceSynchronize();
  const int refused = cudaMemcpy(&there, last, 1, cudaMemcpyHostToHost);
  std::printf("%d %d %d %d %d\\n", attributes.type == cudaMemoryTypeDevice, copied, ended, *out, refused);
}
""")
        self.assertEqual(self.run_app(), "1 0 0 7 1\n")

    def test_barriers_of_libcudacxx_are_instructions_from_compute_80_on(self):
        programs = ROOT / "workloads/programs"
        self.build(programs / "libcudacxx.cu", "-I", programs, "-arch=sm_80", "-o", "app")
        for program, instructions in ((self.folder / "app", True), (PROGRAMS / "libcudacxx", False)):
            self.assertEqual(b"mbarrier.arrive" in program.read_bytes(), instructions)
        out, _ = paws("cuda", "--gpu", "a100", "--engine", "model", "--", self.folder / "app")
        self.assertEqual(out, "all classes are right\n")

    def test_a_library_that_is_not_there(self):
        """The compiler's folder of headers does not change: the script looks for theirs in another one."""
        headers = self.folder / "include"
        script = self.folder / "scripts/cuda++"
        script.parent.mkdir()
        text = (ROOT / "scripts/cuda++").read_text()
        self.assertEqual(text.count('"/usr/include"'), 1)
        script.write_text(text.replace('"/usr/include"', f'"{headers}"'))
        script.chmod(0o755)
        for folder in ("sim", "workloads", "scripts/lib"):
            (self.folder / folder).symlink_to(ROOT / folder)
        for header, package in (("thrust/none.h", "libthrust-dev"), ("cub/none.cuh", "libcub-dev"),
                                ("cuda/none", "libcu\\+\\+-dev"), ("nv/none", "libcu\\+\\+-dev")):
            self.source(f"#include <{header}>\nint main() {{}}\n")
            self.assertRegex(self.build("app.cu", status=2, script=script),
                             rf"cuda\+\+: <{header}> is not there \(this library's Debian package: {package}\)\n$")
            # A header that no version of the library has.
            (headers / header).parent.mkdir(parents=True)
            said = self.build("app.cu", status=1, script=script)
            self.assertIn(f"'{header}' file not found", said)
            self.assertNotIn("Debian", said)

    def test_what_nvcc_takes_and_clang_does_not(self):
        self.source("""
#include <cstdio>
__global__ void lanes(int *out, unsigned long long *keys) {
  extern __shared__ alignas(alignof(int4)) char memory[];
  __shared__ alignas(16) int one[4];
  unsigned lane;
  asm volatile ("mov.u32 %0, %laneid;" : "=r"(lane));
  int all;
  const unsigned same = __match_all_sync(~0u, keys[0], &all);
  one[0] = __popc(__match_any_sync(~0u, keys[threadIdx.x])) + 100 * all + (same == ~0u ? 0 : 1000);
  out[threadIdx.x] = lane + one[0] + static_cast<int>(__cvta_generic_to_shared(memory) % 16) +
                     static_cast<int>(!__isShared(one) + __isGlobal(one) + !__isGlobal(out));
}
int main() {
  int *out = nullptr;
  unsigned long long *keys = nullptr;
  cudaMallocManaged(&out, 32 * 4);
  cudaMallocManaged(&keys, 32 * 8);
  for (int i = 0; i < 32; ++i) keys[i] = 1ull << 40;
  lanes<<<1, 32, 16>>>(out, keys);
  cudaDeviceSynchronize();
  std::printf("%d %d\\n", out[0], out[31]);
}
""")
        self.assertEqual(self.run_app(), "132 163\n")
        # Its messages name the lines of the file.
        self.source("__global__ void f() { unsigned a; asm(\"mov.u32 %0, %laneid;\" : \"=r\"(a)); }\nnothing\n")
        self.assertRegex(self.build("app.cu", status=1), "^app.cu:2:")

    def test_launches_with_spaces(self):
        """As formatters of Visual Studio write them; other brackets stay as they are."""
        self.source("""
#include <cstdio>
#include <iostream>
#include <vector>
template <typename T>
struct Box { T value; };
template <typename T>
std::ostream &operator<< (std::ostream &out, const Box<T> &box) { return out << box.value; }
__global__ void add(int *p, int n) { *p += n; }
int main() {
  int *d, h = 0; // add << <1, 1 >> > (d, 100); "
  cudaMallocManaged(&d, 4);
  add << <1, 1 >> > (d, 1);
  add <<< {1, 1}, {1} >> > (d, std::vector<Box<Box<int> > >(2).size());
  add<< <
    1, 8 >> 3, 0 >>
    >(d, 4);
  cudaDeviceSynchronize();
  std::cout << "<< <" << *d << Box<Box<int> >{{5}} << std::endl;
}
""")
        self.assertEqual(self.run_app(), "<< <75\n")

    def test_registers_and_commas_in_asm(self):
        """In headers of the program and macros, too."""
        self.source("""
#pragma once
__device__ inline unsigned lane() { unsigned r; asm("mov.u32 %0, %laneid;" : "=r"(r)); return r; }
#define WARP "%warpid"
#define ADD(out, a, b) \\
  asm volatile("{ .reg .u32 t;\\n" \\
               " mov.u32 t, %tid.y; add.u32 %0, %1, %2; add.u32 %0, %0, t; }" \\
               : "=r"(out) : "r"(a) "r"(b))
""", "lane.h")
        self.source("""
#include <cstdio>
#include "lane.h"
__global__ void k(unsigned *out) {
  unsigned warp, sum;
  asm("mov.u32 %0, " WARP ";" : "=r"(warp));
  ADD(sum, 1000u, lane() + 100 * warp);
  // Without operands a % is a letter.
  asm volatile("{ .reg .u32 t; mov.u32 t, %laneid; }");
  out[threadIdx.x] = sum % warpSize * 0 + sum;
}
int main() {
  unsigned *out;
  cudaMallocManaged(&out, 256);
  k<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  std::printf("%u %u\\n", out[7], out[40]);
}
""")
        self.assertEqual(self.run_app(), "1007 1108\n")

    def test_functions_that_end_without_their_value(self):
        self.source("""
#include <cstdio>
static unsigned check(const char *) {}
__device__ int mark(int *p) { *p += 1; }
extern "C"__global__ void one(int *p) {
  register int three = *p + 3;
  const short factors[] = {three, 3};
  mark(p);
  *p *= factors[0];
}
int main() {
  int *d;
  cudaMallocManaged(&d, 4);
  one<<<1, 1>>>(d);
  check("kernel failed");
  cudaDeviceSynchronize();
  std::printf("%d\\n", *d);
}
""")
        self.assertEqual(self.run_app(), "3\n")

    def test_macros_of_nvcc(self):
        self.source("""
#include <cstdio>
const char *other();
int main() {
#if defined(__NVCC__) && defined(__CUDACC__) && __CUDACC_VER_MAJOR__ == CUDART_VERSION / 1000
  std::printf("nvcc %s", other());
#endif
#ifdef __CUDACC_EXTENDED_LAMBDA__
  std::printf("lambda ");
#endif
#ifdef __CUDACC_RELAXED_CONSTEXPR__
  std::printf("constexpr ");
#endif
#ifdef __CUDACC_DEBUG__
  std::printf("debug ");
#endif
}
""")
        self.source("""
#if defined(__NVCC__) && !defined(__CUDACC__)
const char *other() { return "host "; }
#endif
""", "other.cpp")
        self.assertEqual(self.run_app("other.cpp"), "nvcc host ")
        self.assertEqual(self.run_app("other.cpp", "--extended-lambda", "-expt-relaxed-constexpr", "-G"),
                         "nvcc host lambda constexpr debug ")

    def test_pointers_to_constants_and_states_of_generators_in_a_cpp_source(self):
        self.source("""
#include <cstdio>
unsigned long size_of_state();
int main() {
  const float *constants = nullptr;
  volatile int *pinned = nullptr;
  const cudaError_t first = cudaMalloc(&constants, 4), second = cudaMallocHost(&pinned, 4);
  std::printf("%d %d %lu", first, second, size_of_state());
}
""")
        self.source("""
#include <curand_kernel.h>
#if defined(CURAND_H_) && defined(CURAND_KERNEL_H_)
unsigned long size_of_state() { return sizeof(curandState); }
#endif
""", "other.cpp")
        self.assertEqual(self.run_app("other.cpp"), "0 0 48")

    def test_places_of_memory_as_cuda_13_names_them(self):
        self.source("""
#include <cstdio>
int main() {
  int *managed = nullptr, *device = nullptr;
  cudaMallocManaged(&managed, 4);
  cudaMalloc(&device, 4);
  cudaMemLocation here{cudaMemLocationTypeDevice, 0}, host{cudaMemLocationTypeHost, 0};
  std::printf("%d %d %d %d", cudaMemPrefetchAsync(managed, 4, here, 0), cudaMemPrefetchAsync(managed, 4, host, 0, nullptr),
              cudaMemPrefetchAsync(device, 4, here, 0), cudaMemAdvise(managed, 4, cudaMemAdviseSetPreferredLocation, host));
}
""")
        self.assertEqual(self.run_app(), "0 0 1 0")

    def test_pragmas_in_macros(self):
        self.source("""
#include <cstdio>
#define STEPS 4
#define UNROLL #pragma unroll STEPS
#define ALL #pragma unroll  // "all"
__global__ void sum(int *out) {
  int sum = 0;
  UNROLL
  for (int i = 0; i < 8; ++i) sum += i;
  ALL for (int i = 0; i < 3; ++i) sum += i;
  *out = sum;
}
int main() {
  int *out;
  cudaMallocManaged(&out, 4);
  sum<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  std::printf("%d\\n", *out);
}
""")
        self.assertEqual(self.run_app(), "31\n")

    def test_constructors_of_shared_variables_are_not_run(self):
        self.source("""
#include <cstdio>
struct Point {
  float x, y;
  __device__ Point() : x(1e30f), y(1) {}
  __device__ ~Point() { x = 1e30f; }
};
template <typename T, int N>
__global__ void turn(T *out) {
  __shared__ T points[N][2], // of all threads
      one;
  static __shared__ alignas(16) Point other;
  points[threadIdx.x][0].x = 3 * threadIdx.x;
  if (threadIdx.x == 0) one.x = 100;
  if (threadIdx.x == 1) other.x = 1000;
  __syncthreads();
  out[threadIdx.x].x = points[N - 1 - threadIdx.x][0].x + one.x + other.x;
}
int main() {
  Point *out;
  cudaMallocManaged(&out, 8 * sizeof(Point));
  turn<Point, 8><<<1, 8>>>(out);
  cudaDeviceSynchronize();
  std::printf("%g\\n", out[5].x);
}
nothing;
""")
        self.assertRegex(self.build("app.cu", status=1), r"(?m)^app\.cu:26:1: error: ")
        self.source((self.folder / "app.cu").read_text().replace("nothing;", ""))
        said = self.build("app.cu", "-o", "app")
        self.assertEqual(re.findall(r"app\.cu:(\d+): warning: constructors of __shared__ variables are not run", said),
                         ["10", "12"])
        self.assertEqual(paws("cuda", "--functional", "--", self.folder / "app")[0], "1106\n")

    def test_new_and_delete_in_kernels_are_calls_of_malloc_and_free(self):
        self.source("""
#include <cstdlib>
__global__ void build(int *out) {
  int *made = new int[4];
  made[0] = 1;
  *out = made[0];
  delete[] made;
  std::free(std::malloc(8));
}
int main() {
  int *out;
  cudaMallocManaged(&out, 4);
  build<<<1, 1>>>(out);
  return cudaDeviceSynchronize() != cudaSuccess || *out != 1;
}
""")
        self.build("app.cu", "-O0", "-o", "app")
        paws("cuda", "--functional", "--", self.folder / "app")
        self.assertRegex((self.folder / "app").read_bytes(), rb"call\.uni \(retval0\),\s+malloc,")

    def test_marks_for_a_profiler_do_nothing(self):
        self.source("""
#include <nvtx3/nvToolsExt.h>
int marks(void) {
  nvtxEventAttributes_t event = {0};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = "step";
  nvtxRangeEnd(nvtxRangeStartEx(&event));
  nvtxDomainDestroy(nvtxDomainCreate("mine"));
  return nvtxRangePushEx(&event) == nvtxRangePop();
}
""", "marks.c")
        self.source("""
#include <cstdio>
#include <nvToolsExt.h>
#include <nvToolsExtCuda.h>
#include <nvToolsExtCudaRt.h>
extern "C" int marks(void);
int main() {
  nvtxNameCudaStream(0, "mine");
  nvtxMark("here");
  std::printf("%d %d\\n", nvtxRangePush("step") == NVTX_NO_PUSH_POP_TRACKING, marks());
}
""")
        self.assertEqual(self.run_app("marks.c", "-lnvToolsExt"), "1 1\n")

    def test_texture_references(self):
        self.source("""
#include <cmath>
#include <cstdio>
texture<float, 1, cudaReadModeElementType> line;
texture<float, 2, cudaReadModeElementType> plane;
static texture<uchar4, 2, cudaReadModeNormalizedFloat> colours;
texture<int2, cudaTextureType1D> pairs;
__device__ float through(int i) { return tex1Dfetch(line, i); }
__global__ void fetch(float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int2 pair = tex1Dfetch(pairs, i);
  out[i] = through(i) + tex2D(plane, i % 16 + 0.5f, i / 16 + 0.5f) + pair.x + 10 * pair.y;
}
__global__ void mix(float4 *out) { out[threadIdx.x] = tex2D(colours, threadIdx.x / 4.0f, 1.25f); }
int main() {
  constexpr int n = 256;
  float *a, *out, *rows;
  int2 *p;
  float4 *mixed;
  cudaMallocManaged(&a, n * 4 + 8);
  cudaMallocManaged(&p, n * 8);
  cudaMallocManaged(&out, n * 4);
  cudaMallocManaged(&mixed, 64);
  for (int i = 0; i < n; ++i) { a[i] = i; p[i] = {i, 2 * i}; }
  size_t offset = 7, pitch;
  int wrong = cudaBindTexture(&offset, line, a, n * 4) || offset != 0;
  wrong += cudaBindTexture(NULL, pairs, p) != cudaSuccess;
  cudaMallocPitch((void **)&rows, &pitch, 64, 16);
  cudaMemcpy2D(rows, pitch, a, 64, 64, 16, cudaMemcpyHostToDevice);
  wrong += cudaBindTexture2D(NULL, plane, rows, 16, 16, pitch) != cudaSuccess;
  fetch<<<4, 64>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) wrong += out[i] != 23 * i;
  wrong += cudaBindTexture(NULL, line, a + 2, n * 4) != cudaErrorInvalidValue;
  wrong += cudaBindTexture(&offset, line, a + 2, n * 4) || offset != 8 || cudaGetTextureAlignmentOffset(&offset, line);
  fetch<<<4, 64>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) wrong += out[i] != 23 * i;
  uchar4 texels[8];
  for (int i = 0; i < 8; ++i) texels[i] = make_uchar4(i * 30, 255, 0, 51);
  cudaArray *array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  cudaMallocArray(&array, &format, 4, 2);
  cudaMemcpyToArray(array, 0, 0, texels, sizeof(texels), cudaMemcpyHostToDevice);
  colours.normalized = true;
  colours.addressMode[1] = cudaAddressModeWrap;
  wrong += cudaBindTextureToArray(colours, array, format) != cudaSuccess;
  mix<<<1, 4>>>(mixed);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; ++i) {
    const float4 found = mixed[i];
    wrong += std::fabs(found.x - i * 30 / 255.0f) > 1e-6 || found.y != 1 || std::fabs(found.w - 0.2f) > 1e-6;
  }
  std::printf("%d wrong, ", wrong);
  wrong = cudaUnbindTexture(line);
  fetch<<<4, 64>>>(out);
  std::printf("%d %s\\n", wrong, cudaGetErrorName(cudaDeviceSynchronize()));
}
""")
        self.assertEqual(self.run_app(), "0 wrong, 0 cudaErrorIllegalAddress\n")

    def test_what_is_refused_is_said_in_one_sentence(self):
        references = "surface references are not supported; use objects"
        kernels = "launches and calls of the runtime API by kernels (dynamic parallelism) are not supported"
        for line, said in (
                ("#include <cuda.h>\nint main() { CUcontext context; cuInit(0); }",
                 "2: CUcontext: the driver API is not supported; use the runtime API"),
                ("#include <cuda.h>\nint main() { return cuInit(0); }", "2: cuInit: the driver API is not supported"),
                ("surface<void, 2> image;", f"1: surface: {references}"),
                ("int main() { cudaBindSurfaceToArray(0, 0); }", f"1: cudaBindSurfaceToArray: {references}"),
                ("int main() { cudaGraphAddMemAllocNode(0, 0, 0, 0, 0); }",
                 "1: cudaGraphAddMemAllocNode: this part of graphs is not supported"),
                ("int main() { cudaStreamGetCaptureInfo(0, 0); }",
                 "1: cudaStreamGetCaptureInfo: this part of graphs is not supported"),
                ("__global__ void child() {}\n__global__ void parent() { child<<<1, 1>>>(); }", f"2: child: {kernels}"),
                ("template <int N> __global__ void f() { if (N > 0) f<N - 1><<<1, 1>>>(); }\n"
                 "int main() { f<2><<<1, 1>>>(); }", f"1: <<<>>>: {kernels}"),
                ("__global__ void f() { cudaDeviceSynchronize(); }", f"1: cudaDeviceSynchronize: {kernels}"),
                ("__global__ void __cluster_dims__(2, 1, 1) f() {}",
                 "1: __cluster_dims__: thread block clusters are not supported"),
                ("\n#include <cublasLt.h>", "2: <cublasLt.h>: cuBLASLt is not supported"),
                ("#include <cublas_v2.h>\nint main() { cublasStrsm(0); }",
                 "2: cublasStrsm: this part of cuBLAS is not supported"),
                ("#include <curand.h>\nint main() { curandSetQuasiRandomGeneratorDimensions(0, 1); }",
                 "2: curandSetQuasiRandomGeneratorDimensions: this part of cuRAND's host API is not supported"),
                ("#include <curand_kernel.h>\n__global__ void f(curandStateSobol32_t *s) {}",
                 "2: curandStateSobol32_t: of the generators of cuRAND's device API only"),
                ("cudaAccessPolicyWindow window;", "1: cudaAccessPolicyWindow: attributes of streams, such as windows"),
                ("int main() { cudaIpcMemHandle_t h; }", "1: cudaIpcMemHandle_t: memory shared between processes"),
                ("int main() { cudaCtxResetPersistingL2Cache(); }",
                 "1: cudaCtxResetPersistingL2Cache: this call of the runtime API is not supported")):
            self.source(line + "\n")
            err = self.build("app.cu", status=2)
            self.assertEqual(err.count("\n"), 1, err)
            self.assertTrue(err.startswith(f"cuda++: app.cu:{said}"), err)
        # In a C++ source, and in a header of the program.
        self.source("#pragma once\nstruct Handle { CUmodule module; };\n", "handle.h")
        self.source("#include <cuda.h>\n#include \"handle.h\"\nint main() {}\n", "app.cpp")
        self.assertIn("handle.h:2: CUmodule: the driver API is not supported", self.build("app.cpp", status=2))
        self.source("#include <cublas_v2.h>\nint main() { cublasDestroy(0); }\n")
        self.assertEqual(self.build("app.cu", status=2),
                         "cuda++: cublasDestroy(): link the program with -lcublas\n")
        # A program's own mistake is the compiler's to say.
        for line, said in (("custom(); cudaMaloc(0, 0);", "use of undeclared identifier 'custom'"),
                           ("surface(1);", "use of undeclared identifier 'surface'"),
                           ("dim3(1).surface = 2;", "no member named 'surface' in 'dim3'")):
            self.source(f"int main() {{ {line} }}\n")
            self.assertRegex(self.build("app.cu", status=1), f"^app.cu:1:\\d+: error: {said}")
        self.source("__global__ void f(int *a) { *a = __shfl_xor(*a, 1); }\n")
        self.assertRegex(self.build("app.cu", status=2), r"cuda\+\+: app\.cu: __shfl\(\), .* are not there from sm_70 on;.*\n$")

    def test_the_jumps_of_xorwow_are_powers_of_its_step(self):
        """Each row is the one in front four times, and 2^67 steps are 32 times 2^62."""
        table = (ROOT / "sim/cuda/include/paws_xorwow_jumps.h").read_text()
        words = [int(word, 16) for word in re.findall(r"0x[0-9a-f]{8}", table)]
        rows = [words[i:i + 5] for i in range(0, len(words), 5)]
        self.assertEqual(len(rows), 64)

        def jump(row, state, times=1):
            for _ in range(times):
                total = [0] * 5
                for bit in range(160):
                    if row[bit // 32] >> bit % 32 & 1:
                        total = [a ^ b for a, b in zip(total, state, strict=True)]
                    first = state[0] ^ state[0] >> 2
                    state = [*state[1:], (state[4] ^ state[4] << 4 ^ first ^ first << 1) & 0xffffffff]
                state = total
            return state

        start = [123456789, 362436069, 521288629, 88675123, 5783321]
        self.assertEqual(rows[0], [2, 0, 0, 0, 0])
        for number, (row, following) in enumerate(zip(rows, rows[1:], strict=False)):
            self.assertEqual(jump(following, start), jump(row, start, 32 if number == 31 else 4), number)

    def test_threads_of_a_warp_may_wait_for_each_other(self):
        # As a lock per thread: clang and the author let the winner leave the loop before it gives the lock back.
        self.source("""
#include <cstdio>
__global__ void add(unsigned *lock, volatile unsigned *count) {
  while (atomicCAS(lock, 0u, 1u) != 0u) {}
  *count = *count + 1;
  __threadfence();
  atomicExch(lock, 0u);
}
int main() {
  unsigned *d, h = 0;
  cudaMalloc(&d, 8);
  cudaMemset(d, 0, 8);
  add<<<1, 64>>>(d, d + 1);
  cudaError_t e = cudaMemcpy(&h, d + 1, 4, cudaMemcpyDeviceToHost);
  std::printf("%s, %u\\n", cudaGetErrorString(e), h);
}
""")
        self.build("app.cu", "-o", "app")
        program = self.folder / "app"
        captures = self.folder / "captures"
        model = ("--engine", "model")
        for options in (model, (*model, "--gpu", "a100"), ("--functional",)):
            out, err = paws("cuda", *options, "--", program)
            self.assertEqual(out, "no error, 64\n", (options, err))
        # Where it is off, the message of a kernel that does not end names cause and key.
        for off in ("core.yield_after=0", "device.capability=61"):
            out, err = paws("cuda", "--engine", "model", "--set", off, "--max-cycles", "30000", "--", program)
            self.assertIn("timed out", out)
            self.assertRegex(err, r"warp \d is still running with \d+ of its threads; if they wait for one of the "
                                  r"others, as for a lock, neither goes on.*core\.yield_after.*: not finished after 30000 cycles")
        # What is captured runs on as it did.
        paws("capture", "-o", captures, "--", program)
        self.assertIn("independent_threads = true\n", (captures / "app-1.toml").read_text())
        paws("run", captures / "app-1.toml", "--engine", "model")

    def test_a_thread_may_wait_for_another(self):
        self.source("""
#include <cstdio>
struct Pair { short a, b; };
__global__ void wait(volatile int *flag, const Pair *pair, int *out) {
  if (blockIdx.x == 0) {
    while (__ldcv(const_cast<const int *>(flag)) == 0) {}
    *out = __ldcv(pair).b;
  } else {
    *flag = 1;
  }
}
int main() {
  int *memory = nullptr;
  cudaMallocManaged(&memory, 12);
  *reinterpret_cast<Pair *>(memory + 1) = {4, 5};
  wait<<<2, 1>>>(memory, reinterpret_cast<Pair *>(memory + 1), memory + 2);
  cudaDeviceSynchronize();
  std::printf("%d\\n", memory[2]);
}
""")
        self.build("app.cu", "-o", "app")
        program = (self.folder / "app").read_bytes()
        loop = program[program.index(b".entry"):program.index(b"ret;")]
        self.assertIn(b"ld.volatile", loop)
        self.assertEqual(paws("cuda", "--engine", "model", "--", self.folder / "app")[0], "5\n")

    def test_copies_to_shared_memory_that_go_on_by_themselves(self):
        self.source("""
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
#include <cstdio>
namespace cg = cooperative_groups;
constexpr int kThreads = 64, kSteps = 10;
__global__ void pipeline(const int4 *in, int4 *out) {
  __shared__ int4 stage[3][kThreads];
  const int t = threadIdx.x;
  for (int k = 0; k < kSteps + 2; ++k) {
    if (k < kSteps) __pipeline_memcpy_async(&stage[k % 3][t], in + k * kThreads + t, 16);
    __pipeline_commit();
    if (k < 2) continue;
    __pipeline_wait_prior(2);
    __syncthreads();
    out[(k - 2) * kThreads + t] = stage[(k - 2) % 3][kThreads - 1 - t];
    __syncthreads();
  }
}
__global__ void fill(const int *in, int *out) {
  __shared__ __align__(16) int stage[4 * kThreads];
  int *mine = stage + 4 * threadIdx.x;
  for (int i = 0; i < 4; ++i) mine[i] = -1;
  __pipeline_memcpy_async(mine, in + 4 * threadIdx.x, 16, 4 * (threadIdx.x % 4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = mine[i];
}
__global__ void turn(const char *in, char *out, int bytes) {
  __shared__ __align__(16) char stage[1024];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, stage, in, bytes);
  cg::wait(block);
  for (int i = threadIdx.x; i < bytes; i += kThreads) out[i] = stage[bytes - 1 - i];
}
int main() {
  constexpr int kPieces = kSteps * kThreads;
  int4 *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, kPieces * 16);
  cudaMallocManaged(&out, kPieces * 16);
  int *words = reinterpret_cast<int *>(out);
  const char *from = reinterpret_cast<const char *>(in), *to = reinterpret_cast<const char *>(out);
  for (int i = 0; i < 4 * kPieces; ++i) reinterpret_cast<int *>(in)[i] = 1000003 * i;
  int wrong = 0;
  pipeline<<<1, kThreads>>>(in, out);
  wrong += cudaDeviceSynchronize() != cudaSuccess;
  for (int i = 0; i < 4 * kPieces; ++i) {
    const int piece = i / 4, turned = piece / kThreads * kThreads + kThreads - 1 - piece % kThreads;
    wrong += words[i] != 1000003 * (4 * turned + i % 4);
  }
  fill<<<1, kThreads>>>(&in->x, words);
  wrong += cudaDeviceSynchronize() != cudaSuccess;
  for (int i = 0; i < 4 * kThreads; ++i) wrong += words[i] != (i % 4 + i / 4 % 4 < 4 ? 1000003 * i : 0);
  const int sizes[] = {1024, 992, 500, 999};
  for (const int bytes : sizes) {
    turn<<<1, kThreads>>>(from, const_cast<char *>(to), bytes);
    wrong += cudaDeviceSynchronize() != cudaSuccess;
    for (int i = 0; i < bytes; ++i) wrong += to[i] != from[bytes - 1 - i];
  }
  std::printf("%d wrong\\n", wrong);
}
""")
        self.assertEqual(self.run_app(), "0 wrong\n")


class Errors(Case):
    def test_mistakes_have_the_codes_of_a_gpu(self):
        out, err = paws("cuda", "--", PROGRAMS / "errors", status=3)
        self.assertEqual(out, "all errors are the right ones\n")
        self.assertIn("a grid of (1,1,1) blocks of (2048,1,1) threads is not possible", err)
        self.assertRegex(err, r"paws: launch 3: errors#1.ptx:\d+: kernel '_Z4fillPii', block \(0,0,0\), warp \d, "
                              r"lane 0, thread \(\d+,0,0\): 4-byte store at global address 0x7f\w+: "
                              r"'cudaMalloc number 1' \(256 bytes\) was there and has been freed")
        paws("cuda", "--", PROGRAMS / "errors", "misaligned", status=3)
        _, err = paws("cuda", "--", PROGRAMS / "errors", "refused", status=3)
        self.assertRegex(err, r"(?m)^paws: errors#1.ptx:\d+: .*wgmma")

    def test_mistakes_with_the_heap_and_the_stack_of_kernels(self):
        for mistake, error, said in (
                ("past", "cudaErrorIllegalAddress", r"4-byte load at global address 0x\w+: 0 bytes past the end of "
                                                    r"'malloc number \d+' \(8 bytes\)"),
                ("freed", "cudaErrorIllegalAddress", r"'malloc number \d+' \(4 bytes\) was there and has been freed"),
                ("twice", "cudaErrorIllegalAddress", r"free of address 0x\w+, where no block of the device's heap begins"),
                ("deep", "cudaErrorHardwareStackError", r"stack overflow in a call of '_Z4deepi'")):
            out, err = paws("cuda", "--functional", "--", PROGRAMS / "dynamic", mistake)
            self.assertEqual(out, f"{error}\n")
            self.assertRegex(err, said)

    def test_accesses_outside_memory_may_be_warnings(self):
        self.source("""
#include <cstdio>
__global__ void shift(int *p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int left = p[i - 1];
  p[i + 1] = left;
}
int main() {
  int *p, h[128];
  cudaMalloc(&p, sizeof(h));
  cudaMemset(p, 1, sizeof(h));
  for (int launch = 0; launch < 3; ++launch) shift<<<1, 128>>>(p, 128);
  printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%d\\n", cudaMemcpy(h, p, sizeof(h), cudaMemcpyDeviceToHost));
}
""")
        self.build("app.cu", "-o", "app")
        for options in (["--engine", "model"], ["--functional"]):
            out, err = paws("cuda", *options, "--memory-errors", "warn", "--", self.folder / "app")
            self.assertEqual(out, "cudaSuccess 0\n")
            warnings = re.findall(r"^paws: app#1.ptx:\d+: warning: (.*)$", err, re.MULTILINE)
            self.assertEqual(len(warnings), 2, err)
            self.assertRegex(warnings[0], r"^kernel '_Z5shiftPii', block \(0,0,0\), warp 0, lane 0, .*4-byte load at .*; "
                                          r"3 accesses of this line were outside memory$")
            self.assertRegex(warnings[1], r"warp 3, lane 31, .*4-byte store at .*0 bytes past the end of 'cudaMalloc number "
                                          r"1' \(512 bytes\); 3 accesses")
            out, _ = paws("cuda", *options, "--", self.folder / "app")
            self.assertEqual(out, "cudaErrorIllegalAddress 700\n")

    def test_a_texture_that_has_been_destroyed_is_found(self):
        _, err = paws("cuda", "--", PROGRAMS / "textures", "destroyed", status=3)
        self.assertRegex(err, r"paws: launch 5: textures#1.ptx:\d+: kernel '_Z6soften\w+', block \(0,0,0\), warp 0, "
                              r"lane 0, thread \(0,0,0\): the texture object at address 0x7f\w+ "
                              r"\('cudaCreateTextureObject number \d+'\) has been destroyed")

    def test_launches_that_are_not_made(self):
        for said, words in (("--launches 1,99-", ("cuda", "--json", self.folder / "out.json")),
                            ("--launches 99", ("capture", "-o", self.folder / "captures"))):
            _, err = paws(*words, *said.split(), "--", PROGRAMS / "leaver", status=7)
            self.assertNotIn("--launches", err)  # a program that fails says why itself
            _, err = paws(*words, *said.split(), "--", PROGRAMS / "jacobi", 64, 2, status=2)
            self.assertRegex(err, rf"\npaws: {said}: the program has made \d+ launches\n$")
        self.assertTrue((self.folder / "out.json").exists())

    def test_a_crash_keeps_its_status_and_what_was_done_before(self):
        result, _, err = self.cuda("--", PROGRAMS / "crash", status=128 + 11)
        self.assertIn("paws: the program was ended by signal 11", err)
        self.assertEqual(len(result["launches"]), 1)
        self.assertIsNone(result["total"])

    def test_exit_in_the_middle(self):
        result, _, err = self.cuda("--", PROGRAMS / "leaver", status=7)
        self.assertEqual(result["total"]["launches"], 1)
        self.assertIn("not freed     cudaMalloc number 1, 128 bytes\n", err)

    def test_races_are_found(self):
        result, _, err = self.cuda("--check", "--", PROGRAMS / "racy")
        self.assertRegex(err, r"paws: racy#1\.ptx.*shared")
        self.assertEqual(result["total"]["check"]["findings"][0]["kind"], "shared-race")

    def test_an_unknown_call_is_named(self):
        _, err = paws("cuda", "--", PROGRAMS / "refused", status=2)
        self.assertIn("paws: cudaBindSurfaceToArray() is not supported by this CUDA runtime", err)

    def test_arguments_at_the_edges(self):
        out, _ = paws("cuda", "--functional", "--", PROGRAMS / "arguments")
        self.assertEqual(out, "all arguments are taken or refused as they should be\n")

    def test_a_module_of_an_unknown_kind(self):
        _, err = paws("cuda", "--", PROGRAMS / "unknown_module", status=2)
        self.assertIn("the program's device code is of a kind that is not known", err)

    def test_a_runtime_that_gives_up_was_loaded(self):
        _, err = paws("cuda", "--", PROGRAMS / "in_the_way", status=2)
        self.assertIn("the process has memory of its own at 0x7f0000000000", err)
        self.assertNotIn("has not loaded", err)

    def test_a_forked_process_reports_nothing(self):
        self.source("""
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>
__global__ void kernel() {}
int main() {
  int *memory = nullptr;
  cudaMalloc(&memory, 64);
  kernel<<<1, 1>>>();
  if (fork() == 0) std::exit(0);
  wait(nullptr);
  kernel<<<1, 1>>>();
  cudaFree(memory);
}
""")
        self.build("app.cu", "-o", "app")
        result, _, _ = self.cuda("--functional", "--", self.folder / "app")
        self.assertEqual(result["not_freed"], [])
        self.assertEqual(result["total"]["launches"], 2)

    def test_the_gpu_is_found_from_another_folder(self):
        shutil.copy(pathlib.Path(__file__).resolve().parents[3] / "sim/presets/m2090.toml",
                    self.folder / "own.toml")
        done = subprocess.run([pathlib.Path(PAWS).resolve(), "cuda", "--functional", "--gpu", "own.toml", "--", "sh",
                               "-c", f"cd / && {(PROGRAMS / 'bfs').resolve()} 100"], capture_output=True, text=True,
                              cwd=self.folder, check=False, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("gpu           own\n", done.stderr)

    def test_no_folder_stays_when_nobody_reads(self):
        reader, writer = os.pipe()
        os.close(reader)
        subprocess.run([PAWS, "cuda", "--functional", "--", PROGRAMS / "bfs", "100"], stdout=subprocess.DEVNULL,
                       stderr=writer, check=False, timeout=120, env={**os.environ, "TMPDIR": str(self.folder)})
        os.close(writer)
        self.assertEqual(list(self.folder.iterdir()), [])

    def start(self, word, *options):
        """A run of a program that takes a minute, with its child process and the folder for what is temporary."""
        folder = self.folder / f"tmp-{word}"
        folder.mkdir(exist_ok=True)
        run = subprocess.Popen([PAWS, word, *options, "--", "sleep", "60"], stderr=subprocess.PIPE, text=True,
                               env={**os.environ, "TMPDIR": str(folder)})
        self.addCleanup(run.stderr.close)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        children = pathlib.Path(f"/proc/{run.pid}/task/{run.pid}/children")
        for _ in range(1000):
            child = children.read_text().split()
            if child and pathlib.Path(f"/proc/{child[0]}/comm").read_text() == "sleep\n":
                return run, pathlib.Path("/proc") / child[0], folder
            time.sleep(0.01)
        raise AssertionError("the program has not started")

    def assert_ends(self, process):
        for _ in range(1000):
            try:
                if " Z " in (process / "stat").read_text():
                    return
            except OSError:
                return
            time.sleep(0.01)
        raise AssertionError(f"{process} lives on")

    def test_the_program_dies_with_paws_whatever_kills_it(self):
        for word, options in (("cuda", ("--functional",)), ("capture", ("-o", self.folder / "captures"))):
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL):
                with self.subTest(word=word, signal=number):
                    run, child, folder = self.start(word, *options)
                    run.send_signal(number)
                    self.assert_ends(child)
                    status = run.wait(timeout=60)
                    if number == signal.SIGKILL:
                        self.assertEqual(len(list(folder.iterdir())), 1)
                        _, _, folder = self.start(word, *options)  # removes what the killed one left
                        self.assertEqual(len(list(folder.iterdir())), 1)
                        # The folder of one that runs is left alone.
                        self.start(word, *options)
                        self.assertEqual(len(list(folder.iterdir())), 2)
                    else:
                        self.assertEqual(status, 128 + number)
                        self.assertIn(f"the program was ended by signal {int(number)} ", run.stderr.read())
                        self.assertEqual(list(folder.iterdir()), [])

    def test_sigterm_tells_what_an_interrupt_tells(self):
        self.source(Programs.SPINNING)
        self.build("app.cu", "-o", "app")
        told = []
        for number, words in ((signal.SIGINT, "2 (Interrupt)"), (signal.SIGTERM, "15 (Terminated)")):
            with subprocess.Popen([PAWS, "cuda", "--engine", "model", "--", self.folder / "app"], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
                self.assertEqual(run.stdout.readline() + run.stdout.readline(), "host\ndevice\n")
                run.send_signal(number)
                _, err = run.communicate(timeout=60)
            self.assertEqual(run.returncode, 128 + number)
            self.assertIn(f"paws: the program was ended by signal {words}\n", err)
            told.append(err.replace(words, ""))
        self.assertEqual(*told)
        self.assertIn("totals        none: the program did not end in order\n", told[0])

    def test_a_program_without_ptx(self):
        _, err = paws("cuda", "--", PROGRAMS / "no_ptx", status=2)
        self.assertIn("no_ptx#1.ptx: the program has no PTX, only machine code (sm_90): build it with nvcc -gencode "
                      "arch=compute_75,code=compute_75", err)

    def test_a_program_with_the_static_runtime(self):
        program = self.folder / "static"
        shutil.copy(PROGRAMS / "no_ptx", program)
        empty = self.folder / "empty"
        empty.write_bytes(b"x")
        subprocess.run(["objcopy", "--add-section", f".nv_fatbin={empty}", shutil.which("true"), program], check=True)
        _, err = paws("cuda", "--", program, status=2)
        self.assertIn("the CUDA runtime is linked statically: build it with nvcc -cudart shared", err)

    def test_what_is_no_cuda_program(self):
        _, err = paws("cuda", "--", "true")
        self.assertIn("paws: the program has not loaded the CUDA runtime", err)
        _, err = paws("cuda", "--", self.folder / "missing", status=2)
        self.assertIn("missing: no program that can be executed", err)

    def test_options_are_checked_before_the_program_starts(self):
        for options, said in ((["--scheduler", "x"], "x"), (["--launches", "x"], "--launches x: expected numbers"),
                              (["--sample-launches", "2,5"], "--sample-launches 2,5: expected FIRST,EVERY"),
                              (["--sample-launches", "3,5", "--launches", "1"], "--launches means nothing"),
                              (["--functional", "--sample-launches", "3,5"], "--sample-launches means nothing"),
                              (["--sample-blocks", "3"], "--sample-blocks 3: expected FIRST,EVERY"),
                              (["--sample-blocks", "3,5", "--sample-launches", "3,5"], "--sample-launches means nothing"),
                              (["--functional", "--sample-blocks", "3,5"], "--sample-blocks means nothing"),
                              (["--sample-blocks", "3,5", "--gpu", "lwm2011", "--scheduler", "single:rr"],
                               "--sample-blocks: a barrel core (core.pipeline_stages) times all blocks"),
                              (["--set", "core.warp=1"], "core.warp"),
                              (["--printf", "quiet"], "--printf quiet: expected show or drop"),
                              (["--functional", "--max-cycles", "5"], "--max-cycles means nothing")):
            out, err = paws("cuda", *options, "--", PROGRAMS / "bfs", status=2)
            self.assertEqual(out, "")
            self.assertIn(said, err)


class Captures(Case):
    def test_a_launch_is_replayed(self):
        captures = self.folder / "captures"
        live, _, _ = self.cuda("--launches", "1", "--", PROGRAMS / "jacobi")
        paws("capture", "-o", captures, "--launches", "1,3", "--", PROGRAMS / "jacobi")
        self.assertEqual(sorted(file.name for file in captures.glob("*.toml")), ["jacobi-1.toml", "jacobi-3.toml"])
        self.assertEqual(list(captures.glob("*.part")), [])
        # Large elements: a replay keeps each in eight bytes.
        description = (captures / "jacobi-1.toml").read_text()
        self.assertIn('type = "u64"\ncount = 288\n', description)
        for line in ("# version: ", "# commit: ", "# workload: jacobi\n", "# gpu: m2090\n"):
            self.assertIn("\n" + line, description)
        replay = self.folder / "replay.json"
        paws("run", captures / "jacobi-1.toml", "--json", replay)
        result = json.loads(replay.read_text())
        self.assertTrue(result["verified"])
        self.assertEqual(result["cycles"], live["launches"][0]["cycles"])
        out, _ = paws("compare", captures / "jacobi-3.toml", "--engine", "model", "--schedulers",
                      "single:rr,two-level:paws")
        self.assertIn("two-level:paws", out)

    def test_textures_and_surfaces_are_captured_with_their_objects(self):
        captures = self.folder / "captures"
        paws("capture", "-o", captures, "--", PROGRAMS / "textures")
        for number in (1, 2, 3):
            out, _ = paws("run", "--engine", "model", captures / f"textures-{number}.toml")
            self.assertIn("results             PASS", out)

    def test_what_the_program_computed_is_what_is_expected(self):
        captures = self.folder / "captures"
        paws("capture", "-o", captures, "--", PROGRAMS / "cooperative")
        description = captures / "cooperative-1.toml"
        # The number of values, which the kernel reads: with another one the sum is another one.
        wrong = captures / "wrong.toml"
        wrong.write_text(description.read_text().replace('bits = "0x1388"', 'bits = "0x1387"'))
        paws("run", "--engine", "model", description)
        out, _ = paws("run", "--engine", "model", wrong, status=1)
        self.assertIn("results             FAIL", out)

    def capture(self, *words, launches="1"):
        """The folder of the captures."""
        folder = self.folder / "captures"
        paws("capture", "-o", folder, "--launches", launches, "--", *words)
        return folder

    def test_sums_in_any_order_are_close_and_all_else_is_equal(self):
        self.source("""
template <typename T>
__global__ void add(T *sums, int *small, int number, float *same, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  T value = T(1) / (3 + i) + i % 7 * T(1e3);
  for (int turn = 0; turn < blockIdx.x % 5 * 20; ++turn) value = value * T(1.0000001) + T(1e-9);
  atomicAdd(sums + i % 8, value);
  if (i == 0) {
    *small = number;
    *same = factor;
  }
}
int main() {
  void *sums = nullptr;
  int *small = nullptr;
  float *same = nullptr;
  cudaMallocManaged(&sums, 64);
  cudaMallocManaged(&small, 4);
  cudaMallocManaged(&same, 8);
  *same = 1;
  const int numbers[] = {5, 6, -1};
  for (const int number : numbers) {
    cudaMemset(sums, 0, 64);
    if (number == 6) {
      add<<<64, 64>>>(static_cast<double *>(sums), small, number, same, 1.0f);
    } else {
      add<<<64, 64>>>(static_cast<float *>(sums), small, number, same, 1.0f);
    }
    cudaDeviceSynchronize();
  }
}
""")
        self.build("app.cu", "-o", "app")
        captures = self.capture(self.folder / "app", launches="1-3")
        wrong = captures / "wrong.toml"
        for number, value, other, kind in ((1, "0x5", "0x7", "f32"), (2, "0x6", "0x7", "f64"),
                                           (3, "0xffffffff", "0xfffffffe", "f32")):
            description = captures / f"app-{number}.toml"
            text = description.read_text()
            self.assertIn(f'type = "{kind}"', text)
            paws("run", "--engine", "model", description)
            # Another integer, where -1 and -2 are no numbers as floats; another float in a buffer that is as before.
            for before, after in ((value, other), ("0x3f800000", "0x3f800001")):
                self.assertEqual(text.count(f'bits = "{before}"'), 1)
                wrong.write_text(text.replace(f'bits = "{before}"', f'bits = "{after}"'))
                out, _ = paws("run", "--engine", "model", wrong, status=1)
                self.assertIn("results             FAIL", out)

    def test_a_launch_that_computes_the_same_again_is_checked_too(self):
        self.source("""
__global__ void fill(int *values, int number) { values[threadIdx.x] = number; }
int main() {
  int *values = nullptr;
  cudaMalloc(&values, 128);
  fill<<<1, 32>>>(values, 5);
  fill<<<1, 32>>>(values, 5);
  return cudaDeviceSynchronize();
}
""")
        self.build("app.cu", "-o", "app")
        description = self.capture(self.folder / "app", launches="2") / "app-2.toml"
        out, _ = paws("run", "--engine", "model", description)
        self.assertRegex(out, "results +PASS")
        description.write_text(description.read_text().replace('bits = "0x5"', 'bits = "0x6"'))
        out, _ = paws("run", "--engine", "model", description, status=1)
        self.assertRegex(out, "results +FAIL")

    def test_variables_of_other_modules(self):
        self.source("""
__device__ int table[4] = {5, 6, 7, 8};
int *table_address() {
  void *address = nullptr;
  cudaGetSymbolAddress(&address, table);
  return static_cast<int *>(address);
}
""", "table.cu")
        self.source("""
int *table_address();
__global__ void copy(int *out, int *table) { out[threadIdx.x] = table[threadIdx.x]++; }
int main() {
  int *out = nullptr;
  cudaMallocManaged(&out, 16);
  copy<<<1, 4>>>(out, table_address());
  cudaDeviceSynchronize();
  return out[3] != 8;
}
""")
        self.build("app.cu", "table.cu", "-o", "app")
        captures = self.capture(self.folder / "app")
        paws("run", "--engine", "model", captures / "app-1.toml")

    def test_processes_of_one_run_have_names_of_their_own(self):
        jacobi = (PROGRAMS / "jacobi").resolve()
        captures = self.capture("sh", "-c", f"{jacobi} && {jacobi}")
        self.assertEqual(sorted(file.name for file in captures.glob("*.toml")), ["jacobi-1.toml", "jacobi.2-1.toml"])
        for file in captures.glob("*.toml"):
            paws("run", "--engine", "model", file)

    def test_captures_of_another_run_are_kept(self):
        captures = self.capture(PROGRAMS / "bfs", launches="1,2")
        before = {file.name: file.read_bytes() for file in captures.iterdir()}
        done = subprocess.run([PAWS, "capture", "-o", captures, "--", PROGRAMS / "bfs", "100"], capture_output=True,
                              text=True, check=False, timeout=120)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"bfs-[12]\.toml: is there already, of another run: capture into another folder")
        self.assertEqual({file.name: file.read_bytes() for file in captures.iterdir()}, before)
        self.capture(PROGRAMS / "exchange")  # whose files have other names
        self.assertEqual(len(list(captures.glob("*.toml"))), 3)

    def test_captures_need_a_folder(self):
        file = self.folder / "file"
        file.write_text("kept")
        _, err = paws("capture", "-o", file, "--", PROGRAMS / "bfs", status=2)
        self.assertEqual(err, f"paws: {file}: is no folder: -o takes the folder of the captures\n")
        self.assertEqual(file.read_text(), "kept")
        _, err = paws("cuda", "--json", self.folder, "--", PROGRAMS / "bfs", status=2)
        self.assertEqual(err, f"paws: {self.folder}: cannot be written: Is a directory\n")

    def test_a_name_that_a_description_cannot_have(self):
        program = self.folder / 'a b"q'
        shutil.copy(PROGRAMS / "exchange", program)
        paws("run", "--engine", "model", self.capture(program) / "a_b_q-1.toml")

    def test_cycles_do_not_depend_on_what_was_asked_before(self):
        self.source("""
__global__ void work(float *out, const float *in) {
  float r[48];
#pragma unroll
  for (int i = 0; i < 48; ++i) r[i] = in[i * 32 + threadIdx.x % 32];
  __syncthreads();
#pragma unroll
  for (int j = 0; j < 4; ++j) {
#pragma unroll
    for (int i = 0; i < 48; ++i) r[i] = r[i] * r[(i + 7) % 48] + r[(i + j + 13) % 48];
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 48; ++i) sum += r[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
int main(int argc, char **) {
  float *out = nullptr, *in = nullptr;
  cudaMalloc(&out, 1 << 20);
  cudaMalloc(&in, 1 << 20);
  int blocks = 0;
  if (argc > 1) cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, work, 1024, 0);
  work<<<32, 64>>>(out, in);
}
""")
        self.build("app.cu", "-o", "app")
        cycles = [self.cuda("--engine", "model", "--", self.folder / "app", *words)[0]["total"]["cycles"]
                  for words in ([], ["ask"])]
        self.assertEqual(cycles[0], cycles[1])

    def test_a_damaged_file_is_named(self):
        captures = self.folder / "captures"
        paws("capture", "-o", captures, "--launches", "2", "--", PROGRAMS / "bfs")
        broken = sorted(captures.glob("*.zst"))[0]
        broken.write_bytes(broken.read_bytes()[:-1])
        _, err = paws("run", captures / "bfs-2.toml", status=2)
        self.assertIn(f"{broken} is no file of Zstandard, or damaged", err)

    def test_a_changed_byte_is_found(self):
        captures = self.capture(PROGRAMS / "bfs", launches="2")
        for file in captures.glob("*.zst"):
            content = file.read_bytes()
            for at in (len(content) // 2, len(content) - 1):
                with self.subTest(file=file.name, at=at):
                    file.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1:])
                    done = subprocess.run([PAWS, "run", "--engine", "model", captures / "bfs-2.toml"],
                                          capture_output=True, text=True, check=False, timeout=120)
                    if done.returncode == 0 and at != len(content) - 1:
                        continue  # The bit means nothing: the contents are the same.
                    self.assertEqual(done.returncode, 2, done.stdout)
                    self.assertIn(f"{file} is no file of Zstandard, or damaged", done.stderr)
            file.write_bytes(content)
        paws("run", "--engine", "model", captures / "bfs-2.toml")

    def test_addresses_of_buffers(self):
        captures = self.folder / "captures"
        paws("capture", "-o", captures, "--launches", "1", "--", PROGRAMS / "exchange")
        text = (captures / "exchange-1.toml").read_text()
        address = re.search(r'address = "(0x7f\w+)"', text)[1]
        changed = captures / "changed.toml"
        for other, said in (("0x010000000000", "there is something else at its address, or no global memory"),
                            ("7f0000001000", '"address" must be hexadecimal digits in a string')):
            changed.write_text(text.replace(f'address = "{address}"', f'address = "{other}"'))
            _, err = paws("run", changed, status=2)
            self.assertRegex(err, rf"changed\.toml:\d+: .*{said}")
        again = text[text.index("[[buffer]]"):text.index("[[step]]")].replace('name = "', 'name = "again_')
        changed.write_text(text.replace("[[step]]", again + "[[step]]"))
        _, err = paws("run", changed, status=2)
        self.assertIn("there is something else at its address", err)

    def test_cuda2ptx_can_order_barriers_too(self):
        captures = self.folder / "captures"
        paws("capture", "-o", captures, "--", PROGRAMS / "exchange")
        description = captures / "exchange-1.toml"
        source = (ROOT / "workloads/programs/exchange.cu").read_text()
        kernel = self.folder / "kernel.cu"
        kernel.write_text(source[source.index("constexpr int kThreads"):source.index("int main")])
        ptx = captures / re.search(r'^ptx = "(.*)"$', description.read_text(), re.MULTILINE)[1]
        subprocess.run([ROOT / "scripts/cuda2ptx", kernel, ptx, "-DPAWS_ORDERED_BARRIERS"], check=True)
        out, _ = paws("run", "--engine", "model", description)
        self.assertRegex(out, "results +PASS")

    def test_a_launch_that_fails_leaves_no_file(self):
        captures = self.folder / "captures"
        _, err = paws("capture", "-o", captures, "--launches", "3", "--", PROGRAMS / "errors", status=3)
        self.assertIn("paws: no launch was captured\n", err)
        self.assertEqual(list(captures.iterdir()), [])


if __name__ == "__main__":
    PAWS, PROGRAMS = sys.argv[1], pathlib.Path(sys.argv[2])
    unittest.main(argv=sys.argv[:1])
