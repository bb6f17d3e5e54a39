// SPDX-License-Identifier: MIT
// Graphs: what a stream captures, nodes that the program makes, changes of what it launches again,
// and errors. A graph's work takes as long as its longest chain.
#include <cmath>
#include <cstring>
#include <initializer_list>

#include "check.h"

constexpr int kCount = 4096, kThreads = 256;
constexpr size_t kBytes = kCount * sizeof(int);

__global__ void add(int* data, int number) {
  data[blockIdx.x * blockDim.x + threadIdx.x] += number;
}
__global__ void multiply(int* data, const int* factors) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] *= factors[i];
}

static int *first, *second, *host, *calls;

static void count_call(void* number) { ++*static_cast<int*>(number); }

static void launch(int* data, int number, cudaStream_t stream) {
  add<<<kCount / kThreads, kThreads, 0, stream>>>(data, number);
}

static bool all_are(const int* data, int number) {
  for (int i = 0; i < kCount; ++i) {
    if (data[i] != number) return false;
  }
  return true;
}

/// What a launch of the graph in the stream takes, in milliseconds.
static float time_of(cudaGraphExec_t graph, cudaStream_t stream) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventRecord(begin, stream));
  CHECK(cudaGraphLaunch(graph, stream));
  CHECK(cudaEventRecord(end, stream));
  CHECK(cudaEventSynchronize(end));
  float milliseconds = 0;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  return milliseconds;
}

/// Ends the capture; the graph can be launched.
static cudaGraphExec_t captured(cudaStream_t stream, size_t nodes) {
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(stream, &graph));
  size_t count = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &count));
  EXPECT(count == nodes);
  cudaGraphExec_t executable = nullptr;
  CHECK(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  CHECK(cudaGraphDestroy(graph));
  return executable;
}

static void check_capture(cudaStream_t stream) {
  int value = 3;
  cudaStreamCaptureStatus status;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaStreamIsCapturing(stream, &status));
  EXPECT(status == cudaStreamCaptureStatusActive);
  CHECK(cudaMemsetAsync(first, 0, kBytes, stream));
  launch(first, value, stream);
  value = 100;  // an argument is that of the launch
  CHECK(cudaLaunchHostFunc(stream, count_call, calls));
  CHECK(cudaMemcpyAsync(host, first, kBytes, cudaMemcpyDeviceToHost, stream));
  const cudaGraphExec_t graph = captured(stream, 4);
  CHECK(cudaStreamIsCapturing(stream, &status));
  EXPECT(status == cudaStreamCaptureStatusNone);
  // Nothing has been done by now.
  EXPECT(all_are(host, 0) && *calls == 0);
  for (int turn = 1; turn <= 2; ++turn) {
    std::memset(host, 0, kBytes);
    CHECK(cudaGraphLaunch(graph, stream));
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(all_are(host, 3) && *calls == turn);
  }
  CHECK(cudaGraphExecDestroy(graph));
}

/// Two branches: copies of one and kernels of the other overlap.
static void check_branches(cudaStream_t stream, cudaStream_t other) {
  cudaEvent_t fork, join;
  CHECK(cudaEventCreate(&fork));
  CHECK(cudaEventCreate(&join));
  float times[3];
  for (const int branches : {0, 1, 2}) {
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    if (branches == 2) {
      CHECK(cudaEventRecord(fork, stream));
      CHECK(cudaStreamWaitEvent(other, fork, 0));
    }
    const cudaStream_t copying = branches == 2 ? other : stream;
    if (branches != 0) {
      CHECK(cudaMemcpyAsync(second, host, kBytes, cudaMemcpyHostToDevice, copying));
    }
    if (branches == 2) CHECK(cudaEventRecord(join, other));
    if (branches != 1) {
      launch(first, 1, stream);
    }
    if (branches == 2) CHECK(cudaStreamWaitEvent(stream, join, 0));
    const cudaGraphExec_t graph = captured(stream, branches == 2 ? 2 : 1);
    times[branches] = time_of(graph, stream);
    CHECK(cudaGraphExecDestroy(graph));
  }
  EXPECT(std::fabs(times[2] - std::fmax(times[0], times[1])) <= 1e-4f * times[2]);
  // It can be recorded again outside of captures.
  CHECK(cudaEventRecord(fork, stream));
  CHECK(cudaEventSynchronize(fork));
  CHECK(cudaEventDestroy(fork));
  CHECK(cudaEventDestroy(join));
}

static cudaKernelNodeParams kernel(void* function, void** arguments) {
  cudaKernelNodeParams parameters = {};
  parameters.func = function;
  parameters.gridDim = dim3(kCount / kThreads);
  parameters.blockDim = dim3(kThreads);
  parameters.kernelParams = arguments;
  return parameters;
}

static void check_nodes(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemsetParams fill = {};
  fill.dst = first;
  fill.value = 0x01020304;
  fill.elementSize = 4;
  fill.width = kCount;
  fill.height = 1;
  cudaGraphNode_t filled, copied, computed, counted, fetched, end;
  CHECK(cudaGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill));
  CHECK(cudaGraphAddMemcpyNode1D(&copied, graph, nullptr, 0, second, host, kBytes,
                                 cudaMemcpyHostToDevice));
  const cudaGraphNode_t both[] = {filled, copied};
  void* arguments[] = {&first, &second};
  cudaKernelNodeParams product = kernel(reinterpret_cast<void*>(multiply), arguments);
  CHECK(cudaGraphAddKernelNode(&computed, graph, both, 2, &product));
  cudaHostNodeParams call = {count_call, calls};
  CHECK(cudaGraphAddHostNode(&counted, graph, &computed, 1, &call));
  cudaMemcpy3DParms fetch = {};
  fetch.srcPtr = make_cudaPitchedPtr(first, kBytes, kBytes, 1);
  fetch.dstPtr = make_cudaPitchedPtr(host, kBytes, kBytes, 1);
  fetch.extent = make_cudaExtent(kBytes, 1, 1);
  fetch.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaGraphAddMemcpyNode(&fetched, graph, &computed, 1, &fetch));
  CHECK(cudaGraphAddEmptyNode(&end, graph, &fetched, 1));
  cudaGraphNode_t roots[6];
  size_t count = 6;
  CHECK(cudaGraphGetRootNodes(graph, roots, &count));
  EXPECT(count == 2 && roots[0] == filled && roots[1] == copied);
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(counted, &type));
  EXPECT(type == cudaGraphNodeTypeHost);

  // A graph within another one, and a copy of it.
  cudaGraph_t outer = nullptr, clone = nullptr;
  CHECK(cudaGraphCreate(&outer, 0));
  cudaGraphNode_t child;
  CHECK(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, graph));
  CHECK(cudaGraphClone(&clone, graph));
  for (const cudaGraph_t each : {graph, outer, clone}) {
    for (int i = 0; i < kCount; ++i) host[i] = 2;
    *calls = 0;
    cudaGraphExec_t executable = nullptr;
    CHECK(cudaGraphInstantiateWithFlags(&executable, each, 0));
    CHECK(cudaGraphUpload(executable, stream));
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(all_are(host, 2 * 0x01020304) && *calls == 1);
    CHECK(cudaGraphExecDestroy(executable));
  }

  // Other arguments for what is launched.
  cudaGraphExec_t executable = nullptr;
  CHECK(cudaGraphInstantiate(&executable, graph));
  int seven = 7;
  void* others[] = {&first, &seven};
  cudaKernelNodeParams sum = kernel(reinterpret_cast<void*>(add), others);
  CHECK(cudaGraphExecKernelNodeSetParams(executable, computed, &sum));
  fill.value = 5;
  CHECK(cudaGraphExecMemsetNodeSetParams(executable, filled, &fill));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaGraphExecMemsetNodeSetParams(executable, computed, &fill));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  EXPECT(all_are(host, 12));
  // The graph itself is as it was: the other way round.
  cudaGraphExecUpdateResultInfo result;
  CHECK(cudaGraphExecUpdate(executable, graph, &result));
  EXPECT(result.result == cudaGraphExecUpdateSuccess);
  for (int i = 0; i < kCount; ++i) host[i] = 1;
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  EXPECT(all_are(host, 0x01020304));
  EXPECT_ERROR(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(executable, outer, &result));
  EXPECT(result.result == cudaGraphExecUpdateErrorTopologyChanged);
  CHECK(cudaGraphExecDestroy(executable));
  for (const cudaGraph_t each : {graph, outer, clone}) CHECK(cudaGraphDestroy(each));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGraphDestroy(graph));
}

/// The capture is of no use after `call` has failed.
template <typename Call>
static void refuses(cudaStream_t stream, cudaError_t error, Call call) {
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  launch(first, 1, stream);
  EXPECT_ERROR(error, call());
  cudaStreamCaptureStatus status;
  CHECK(cudaStreamIsCapturing(stream, &status));
  EXPECT(status == cudaStreamCaptureStatusInvalidated);
  cudaGraph_t graph = nullptr;
  EXPECT_ERROR(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &graph));
  EXPECT(graph == nullptr);
}

static void check_errors(cudaStream_t stream, cudaStream_t other) {
  cudaEvent_t event;
  CHECK(cudaEventCreate(&event));
  CHECK(cudaEventRecord(event, other));
  void* memory = nullptr;
  cudaGraph_t graph = nullptr;
  const cudaError_t unsupported = cudaErrorStreamCaptureUnsupported;
  refuses(stream, unsupported, [&] { return cudaStreamSynchronize(stream); });
  refuses(stream, unsupported, [&] { return cudaStreamQuery(stream); });
  refuses(stream, unsupported, [&] { return cudaDeviceSynchronize(); });
  refuses(stream, unsupported, [&] { return cudaMalloc(&memory, 4); });
  refuses(stream, unsupported, [&] { return cudaMallocAsync(&memory, 4, stream); });
  refuses(stream, cudaErrorStreamCaptureImplicit,
          [&] { return cudaMemcpy(first, second, 4, cudaMemcpyDeviceToDevice); });
  refuses(stream, cudaErrorStreamCaptureIsolation,
          [&] { return cudaStreamWaitEvent(stream, event, 0); });
  refuses(stream, cudaErrorCapturedEvent, [&] {
    CHECK(cudaEventRecord(event, stream));
    return cudaEventSynchronize(event);
  });
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  EXPECT_ERROR(cudaErrorIllegalState, cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMalloc(&memory, 4));  // in this mode
  CHECK(cudaFree(memory));
  launch(first, 1, stream);
  CHECK(cudaEventRecord(event, stream));
  CHECK(cudaStreamWaitEvent(other, event, 0));
  launch(first, 1, other);
  EXPECT_ERROR(cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(stream, &graph));
  EXPECT_ERROR(cudaErrorIllegalState, cudaStreamEndCapture(stream, &graph));
  EXPECT_ERROR(unsupported, cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
  CHECK(cudaEventDestroy(event));
  cudaGetLastError();
}

int main() {
  CHECK(cudaMalloc(&first, kBytes));
  CHECK(cudaMalloc(&second, kBytes));
  CHECK(cudaMallocHost(&host, kBytes));
  CHECK(cudaMallocHost(&calls, sizeof(int)));
  std::memset(host, 0, kBytes);
  *calls = 0;
  cudaStream_t stream, other;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  check_capture(stream);
  check_branches(stream, other);
  check_nodes(stream);
  check_errors(stream, other);
  // Of all this, no capture is left.
  CHECK(cudaDeviceSynchronize());
  for (cudaStream_t each : {stream, other}) CHECK(cudaStreamDestroy(each));
  CHECK(cudaFree(first));
  CHECK(cudaFree(second));
  CHECK(cudaFreeHost(host));
  CHECK(cudaFreeHost(calls));
  std::printf("all graphs are right\n");
  return 0;
}
