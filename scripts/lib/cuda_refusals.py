# SPDX-License-Identifier: MIT
"""Says in one sentence what of CUDA is not there, from what the compiler says of it (scripts/cuda++)."""

import pathlib
import re

# Calls that end a program, marked with "!".
EXPORTS = pathlib.Path(__file__).resolve().parents[2] / "sim/cuda/exports.txt"
# Parts of CUDA: names in programs, and what programs can do instead.
PARTS = (
    (r"cu[A-Z]\w*|CU[a-z]\w*|CU_[A-Z]\w*|CUDA_(?:SUCCESS|ERROR_\w+)", "the driver API is not supported; use the runtime API, as cudaMalloc() "
     "and kernel<<<grid, block>>>()"),
    (r"texture|textureReference|cuda(?:Bind|Unbind)Texture\w*|cudaGetTexture(?:Reference|AlignmentOffset)|surface"
     r"|surfaceReference|cudaBindSurface\w*|cudaGetSurfaceReference", "texture and surface references are not supported; "
     "use objects, as of cudaCreateTextureObject()"),
    (r"cudaGraph\w*|cuda\w*StreamCapture\w*|cudaStream\w*Captur\w*|cudaUserObject\w*", "graphs are not supported; launch "
     "the kernels in a stream"),
    (r"cudaIpc\w*", "memory shared between processes is not supported"),
    (r"cuda(?:Import|Destroy|Signal|Wait)?External\w*", "external memory is not supported"),
    (r"cudaGraphics\w*|cudaGL\w*|cudaEGL\w*|cudaVDPAU\w*", "graphics interfaces are not supported"),
    (r"this_cluster|cluster_group", "thread block clusters are not supported"),
    (r"nvrtc\w*", "NVRTC is not supported; compile the kernels with the program"),
    (r"curandState\w*|curandDirectionVectors\w*|curandMakeMTGP32\w*", "of the generators of cuRAND's device API only "
     "Philox4_32_10, XORWOW and MRG32k3a are there"),
    (r"curand[A-Z]\w*|CURAND_\w+", "the host API of cuRAND is not supported; use its device API, <curand_kernel.h>"),
)
DYNAMIC_PARALLELISM = ("launches and calls of the runtime API by kernels (dynamic parallelism) are not supported; make "
                       "them on the host")
SHUFFLES = ("__shfl(), __shfl_up(), __shfl_down() and __shfl_xor() are not there from sm_70 on; use those with _sync, or "
            "-arch=sm_60")
# Libraries of NVIDIA, by the beginning of their headers' names.
LIBRARIES = (("cublas", "cuBLAS"), ("cufft", "cuFFT"), ("cusparse", "cuSPARSE"), ("cusolver", "cuSOLVER"),
             ("cutensor", "cuTENSOR"), ("cudnn", "cuDNN"), ("cudss", "cuDSS"), ("nccl", "NCCL"), ("npp", "NPP"), ("nvjpeg", "nvJPEG"),
             ("nvrtc", "NVRTC"), ("nvJitLink", "nvJitLink"), ("nvml", "NVML"), ("nvgraph", "nvGRAPH"), ("cupti", "CUPTI"),
             ("cufile", "cuFile"), ("optix", "OptiX"), ("nvshmem", "NVSHMEM"), ("cutil", "cutil"),
             ("cudaProfiler", "the driver API"), ("cudaTypedefs", "the driver API"),
             (r"cuda_\w+_interop|cudaE?GL|cudaVDPAU", "graphics interfaces"))

ERROR = re.compile(r"^(?P<file>[^\n:]+):(?P<line>\d+):\d+: (?:fatal )?error: (?P<text>[^\n]*)(?P<notes>.*?)"
                   r"(?=^[^\n]*: (?:fatal )?error: |\Z)", re.MULTILINE | re.DOTALL)
UNKNOWN = re.compile(r"(?:unknown type name|undeclared identifier|no (?:template|type|member) named|undeclared function|"
                     r"undefined reference to|implicit declaration of function) [`'](?P<name>\w+)'")
# What a header here says of itself.
REFUSED = re.compile(r"(__\w+): (.*not supported.*)")
FROM_KERNEL = re.compile(r"reference to __global__ function '(\w+)' in|reference to __host__ function "
                         r"'(cuda\w+|__cudaPushCallConfiguration)' in|no matching function for call to '(cuda\w+)'")
HOST_FUNCTION = "call to __host__ function from __"


def refusals(said):
    """Sentences about what is refused, each once with its first place; none where the compiler's words have to do."""
    found = {}
    for error in ERROR.finditer(said):
        name, reason = refusal_of(error["text"], error["notes"])
        if reason:
            found.setdefault(reason, f'{error["file"]}:{error["line"]}: {name}: {reason}')
    # Of the compiler's last steps, which do not know a line.
    for fatal in re.findall(r"^fatal error: error in backend: (.*)$", said, re.MULTILINE):
        found["backend"] = SHUFFLES if "llvm.nvvm.shfl." in fatal else f"the compiler can make no PTX of a kernel: {fatal}"
    # Of the linker.
    for missing in UNKNOWN.finditer(said if not found else ""):
        if missing[0].startswith("undefined"):
            reason = part_of(missing["name"])
            if reason:
                found.setdefault(reason, f'{missing["name"]}(): {reason}')
    return list(found.values())


def part_of(name):
    """Why there is no such name; null: the program's own."""
    part = next((reason for names, reason in PARTS if re.fullmatch(names, name)), None)
    if part is None and f"\n{name} !\n" in EXPORTS.read_text():
        part = "this call of the runtime API is not supported"
    return part


def refusal_of(text, notes):
    """What is refused and why; else two nulls."""
    header = re.search(r"'([^']+)' file not found", text)
    if header:
        name = header[1].rsplit("/", 1)[-1]
        library = next((library for start, library in LIBRARIES if re.match(start, name)), None)
        return (f"<{header[1]}>", f"{library} is not supported") if library else (None, None)
    refused = REFUSED.fullmatch(text)
    if refused:
        return refused[1], refused[2]
    unknown = UNKNOWN.search(text)
    if unknown:
        return unknown["name"], part_of(unknown["name"])
    kernels = FROM_KERNEL.search(text)
    if kernels and (not kernels[3] or HOST_FUNCTION in notes):
        name = kernels[1] or kernels[2] or kernels[3]
        return ("<<<>>>" if name.startswith("__") else name), DYNAMIC_PARALLELISM
    return None, None
