# SPDX-License-Identifier: MIT
"""Says in one sentence what of CUDA is not there, from what the compiler says of it (scripts/cuda++)."""

import pathlib
import re

# Calls that end a program, marked with "!".
EXPORTS = pathlib.Path(__file__).resolve().parents[2] / "sim/cuda/exports.txt"
# Parts of CUDA: names in programs, those of templates with a <, and what programs can do instead.
PARTS = (
    (r"cu[A-Z]\w*|CU[a-z]\w*|CU_[A-Z]\w*|CUDA_(?:SUCCESS|ERROR_\w+)",
     "the driver API is not supported; use the runtime API, as cudaMalloc() and kernel<<<grid, block>>>()"),
    (r"surface<|surfaceReference|cuda(?:Bind|Unbind|Get)Surface\w*",
     "surface references are not supported; use objects, as of cudaCreateSurfaceObject()"),
    (r"cudaGraph(?!ics)\w*|cuda\w*StreamCapture\w*|cudaStream\w*Captur\w*|cudaUserObject\w*",
     "this part of graphs is not supported (docs/guide/cuda.md says what is there)"),
    (r"cudaAccessP\w*|cudaStreamAttr\w*|cudaStream[SG]etAttribute",
     "attributes of streams, such as windows of the L2 cache, are not supported"),
    (r"cudaIpc\w*", "memory shared between processes is not supported"),
    (r"cuda(?:Import|Destroy|Signal|Wait)?External\w*", "external memory is not supported"),
    (r"cudaGraphics\w*|cudaGL\w*|cudaEGL\w*|cudaVDPAU\w*", "graphics interfaces are not supported"),
    (r"this_cluster|cluster_group", "thread block clusters are not supported"),
    (r"nvrtc\w*", "NVRTC is not supported; compile the kernels with the program"),
    (r"cublas[A-Z]\w*|CUBLAS_\w+", "this part of cuBLAS is not supported (docs/guide/cuda.md says what is there)"),
    (r"curandState\w*|curandDirectionVectors\w*|curandMakeMTGP32\w*",
     "of the generators of cuRAND's device API only Philox4_32_10, XORWOW and MRG32k3a are there"),
    (r"curand[A-Z]\w*|CURAND_\w+",
     "this part of cuRAND's host API is not supported (docs/guide/cuda.md says what is there)"),
)
DYNAMIC_PARALLELISM = ("launches and calls of the runtime API by kernels (dynamic parallelism) are not supported; "
                       "make them on the host")
SHUFFLES = ("__shfl(), __shfl_up(), __shfl_down() and __shfl_xor() are not there from sm_70 on; use those with _sync, "
            "or -arch=sm_60")
# Libraries of NVIDIA, by the beginning of their headers' names.
LIBRARIES = (
    ("cublasLt", "cuBLASLt"), ("cublasXt", "cuBLASXt"),
    (r"cublas\.", "the first version of cuBLAS, which <cublas_v2.h> has replaced,"),
    ("cufft", "cuFFT"), ("cusparse", "cuSPARSE"), ("cusolver", "cuSOLVER"),
    ("cutensor", "cuTENSOR"), ("cudnn", "cuDNN"), ("cudss", "cuDSS"), ("cufile", "cuFile"), ("cupti", "CUPTI"),
    ("nccl", "NCCL"), ("npp", "NPP"), ("nvgraph", "nvGRAPH"), ("nvjpeg", "nvJPEG"), ("nvJitLink", "nvJitLink"),
    ("nvml", "NVML"), ("nvrtc", "NVRTC"), ("nvshmem", "NVSHMEM"), ("optix", "OptiX"), ("cutil", "cutil"),
    ("cudaProfiler|cudaTypedefs", "the driver API"), (r"cuda_\w+_interop|cudaE?GL|cudaVDPAU", "graphics interfaces"))

ERROR = re.compile(r"^(?P<file>[^\n:]+):(?P<line>\d+):\d+: (?:fatal )?error: (?P<text>[^\n]*)(?P<notes>.*?)"
                   r"(?=^[^\n]*: (?:fatal )?error: |\Z)", re.MULTILINE | re.DOTALL)
MISSING_HEADER = re.compile(r"'([^']+)' file not found")
UNKNOWN = re.compile(r"(?:unknown type name|undeclared (?:identifier|function)|no (?P<template>template) named|"
                     r"implicit declaration of function) '(?P<name>\w+)'|"
                     r"no member named '(?P<member>\w+)' in namespace")
# What a header here says of itself.
REFUSED = re.compile(r"(__\w+): (.*not supported.*)")
BY_KERNEL = re.compile(r"reference to __global__ function '(\w+)' in|reference to __host__ function "
                       r"'(cuda\w+|__cudaPushCallConfiguration)' in|no matching function for call to '(cuda\w+)'")
HOST_FUNCTION = "call to __host__ function from __"
BACKEND = re.compile(r"^fatal error: error in backend: (.*)$", re.MULTILINE)


def refusals(said, source):
    """Sentences about what is refused, each once with its first place; none where the compiler's words have to do."""
    found = {}
    for error in ERROR.finditer(said):
        name, reason = refusal_of(error["text"], error["notes"])
        if reason:
            found.setdefault(reason, f'{error["file"]}:{error["line"]}: {name}: {reason}')
    if found:
        return list(found.values())
    # The compiler's last steps and the linker know no lines.
    for fatal in BACKEND.findall(said):
        reason = SHUFFLES if "llvm.nvvm.shfl." in fatal else f"the compiler can make no PTX of a kernel: {fatal}"
        return [f"{source}: {reason}"]
    missing = [(name, unlinked(name) or part_of(name)) for name in re.findall(r"undefined reference to `(\w+)'", said)]
    return [f"{name}(): {reason}" for name, reason in missing if reason][:1]


def unlinked(name):
    """Which library a name is of that the headers declare; null: of none."""
    library = re.match(r"(cublas|curand)[A-Z]", name)
    return library and f"link the program with -l{library[1]}"


def part_of(name):
    """Why there is no such name; null: the program's own."""
    part = next((reason for names, reason in PARTS if re.fullmatch(names, name)), None)
    if part is None and f"\n{name} !\n" in EXPORTS.read_text():
        part = "this call of the runtime API is not supported"
    return part


def refusal_of(text, notes):
    """What an error says is not there, and why; two nulls for any other error."""
    header = MISSING_HEADER.search(text)
    if header:
        name = header[1].rsplit("/", 1)[-1]
        library = next((library for start, library in LIBRARIES if re.match(start, name)), None)
        return (f"<{header[1]}>", f"{library} is not supported") if library else (None, None)
    refused = REFUSED.fullmatch(text)
    if refused:
        return refused[1], refused[2]
    unknown = UNKNOWN.search(text)
    if unknown:
        name = unknown["name"] or unknown["member"]
        return name, part_of(name + ("<" if unknown["template"] else ""))
    kernel = BY_KERNEL.search(text)
    if kernel and (not kernel[3] or HOST_FUNCTION in notes):
        name = kernel[1] or kernel[2] or kernel[3]
        return ("<<<>>>" if name.startswith("__") else name), DYNAMIC_PARALLELISM
    return None, None
