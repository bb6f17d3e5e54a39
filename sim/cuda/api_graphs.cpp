// SPDX-License-Identifier: MIT
// Graphs and the capture of streams. A launch does the nodes in the order of their making; when
// each begins and ends is as its graph allows.
#include <algorithm>
#include <cstring>
#include <utility>

#include "sim/cuda/array_copy.h"
#include "sim/cuda/call.h"
#include "sim/cuda/copy_time.h"
#include "sim/cuda/graphs.h"
#include "sim/cuda/memory_side.h"

namespace {

using paws::cuda::call;
using paws::cuda::Runtime;
using paws::cuda::Side;
using paws::cuda::side_of;
using paws::cuda::Step;
using paws::cuda::steps_of;
using paws::cuda::Submission;
using paws::cuda::Task;

// --- tasks ---------------------------------------------------------------------------------------
// Each is made of what the program gives, or is an error.

cudaError_t make(Runtime& runtime, const cudaKernelNodeParams* p, Task& task) {
  if (p == nullptr || p->func == nullptr) return cudaErrorInvalidValue;
  if (p->extra != nullptr) return cudaErrorNotSupported;
  paws::cuda::LaunchCall launch{nullptr, p->gridDim, p->blockDim, p->kernelParams,
                                p->sharedMemBytes};
  launch.function = runtime.modules().function(p->func);
  if (launch.function == nullptr) return cudaErrorInvalidDeviceFunction;
  return paws::cuda::record_launch(runtime, launch, task);
}

cudaError_t make(Runtime&, const cudaMemcpy3DParms* p, Task& task) {
  if (p == nullptr) return cudaErrorInvalidValue;
  task.type = cudaGraphNodeTypeMemcpy;
  task.work = [copy = *p](Runtime& runtime, const Submission& submission) {
    return paws::cuda::copy_box(runtime, &copy, submission);
  };
  return cudaSuccess;
}

cudaMemcpy3DParms one_row(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  cudaMemcpy3DParms copy{};
  copy.dstPtr = make_cudaPitchedPtr(to, bytes, bytes, 1);
  copy.srcPtr = make_cudaPitchedPtr(const_cast<void*>(from), bytes, bytes, 1);
  copy.extent = make_cudaExtent(bytes, 1, 1);
  copy.kind = kind;
  return copy;
}

cudaError_t make(Runtime&, const cudaMemsetParams* p, Task& task) {
  if (p == nullptr || p->width == 0 || p->height == 0 ||
      (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4)) {
    return cudaErrorInvalidValue;
  }
  task.type = cudaGraphNodeTypeMemset;
  task.work = [fill = *p](Runtime& runtime, const Submission& submission) {
    const std::size_t row = fill.width * fill.elementSize;
    const Side to = side_of(runtime, fill.dst, (fill.height - 1) * fill.pitch + row);
    if (!fits(to, true)) return cudaErrorInvalidValue;
    for (std::size_t y = 0; y < fill.height; ++y) {
      for (std::size_t x = 0; x < row; x += fill.elementSize) {
        std::memcpy(to.data + y * fill.pitch + x, &fill.value, fill.elementSize);
      }
    }
    time_fill(runtime, to, row * fill.height, submission);
    return cudaSuccess;
  };
  return cudaSuccess;
}

cudaError_t make(Runtime&, const cudaHostNodeParams* p, Task& task) {
  if (p == nullptr || p->fn == nullptr) return cudaErrorInvalidValue;
  task.type = cudaGraphNodeTypeHost;
  task.host = *p;
  return cudaSuccess;
}

// --- graphs --------------------------------------------------------------------------------------

/// Adds a node that `give(runtime, task)` makes.
template <typename Give>
cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                std::size_t count, Give&& give) {
  return call([&](Runtime& runtime) {
    if (node == nullptr || !runtime.graphs().knows(graph) || (after == nullptr && count != 0)) {
      return cudaErrorInvalidValue;
    }
    auto made = std::make_unique<CUgraphNode_st>();
    for (std::size_t i = 0; i < count; ++i) {
      const bool own = std::any_of(graph->nodes.begin(), graph->nodes.end(),
                                   [&](const auto& each) { return each.get() == after[i]; });
      if (!own || !made->after.insert(after[i]).second) return cudaErrorInvalidValue;
    }
    if (const cudaError_t error = give(runtime, made->task); error != cudaSuccess) return error;
    *node = made.get();
    graph->nodes.push_back(std::move(made));
    return cudaSuccess;
  });
}

/// With what one of the functions above takes.
template <typename Parameters>
cudaError_t add_made(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                     std::size_t count, const Parameters* parameters) {
  return add(node, graph, after, count,
             [&](Runtime& runtime, Task& task) { return make(runtime, parameters, task); });
}

/// Gives a node of a graph that can be launched another task of its type.
template <typename Parameters>
cudaError_t change(cudaGraphExec_t graph, cudaGraphNode_t node, const Parameters* parameters) {
  return call([&](Runtime& runtime) {
    if (!runtime.graphs().knows(graph)) return cudaErrorInvalidValue;
    const auto found = graph->step_of.find(node);
    if (found == graph->step_of.end()) return cudaErrorInvalidValue;
    Task task;
    if (const cudaError_t error = make(runtime, parameters, task); error != cudaSuccess) {
      return error;
    }
    Task& old = graph->steps[found->second].task;
    if (task.type != old.type) return cudaErrorInvalidValue;
    old = std::move(task);
    return cudaSuccess;
  });
}

/// Those that `wanted(node)` names, at most `*count` of them; without `nodes`, their number.
template <typename Wanted>
cudaError_t list(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count, Wanted&& wanted) {
  return call([&](Runtime& runtime) {
    if (!runtime.graphs().knows(graph) || count == nullptr) return cudaErrorInvalidValue;
    std::size_t found = 0;
    for (const auto& node : graph->nodes) {
      if (!wanted(*node)) continue;
      if (nodes != nullptr && found < *count) nodes[found] = node.get();
      ++found;
    }
    for (std::size_t i = found; nodes != nullptr && i < *count; ++i) nodes[i] = nullptr;
    *count = nodes == nullptr ? found : std::min(found, *count);
    return cudaSuccess;
  });
}

cudaError_t instantiate(cudaGraphExec_t* made, cudaGraph_t graph) {
  return call([&](Runtime& runtime) {
    if (made == nullptr || !runtime.graphs().knows(graph)) return cudaErrorInvalidValue;
    auto executable = std::make_unique<CUgraphExec_st>();
    executable->steps = steps_of(*graph);
    for (std::size_t i = 0; i < graph->nodes.size(); ++i) {
      executable->step_of[graph->nodes[i].get()] = i;
    }
    *made = runtime.graphs().add(std::move(executable));
    return cudaSuccess;
  });
}

/// Does the steps, from `begin` milliseconds on. `end`: of all.
cudaError_t run(const std::vector<Step>& steps, double begin, double& end) {
  std::vector<double> ends;
  end = begin;
  for (const Step& step : steps) {
    double from = begin;
    for (const std::size_t before : step.after) from = std::max(from, ends[before]);
    cudaError_t error = cudaSuccess;
    if (step.task.child != nullptr) {
      error = run(*step.task.child, from, from);
    } else if (step.task.work) {
      // A stream of its own: what it waits for is known.
      CUstream_st stream{cudaStreamNonBlocking, 0, {paws::cuda::StreamKind::non_blocking, from}};
      error =
          call([&](Runtime& runtime) { return step.task.work(runtime, {&stream, false, true}); });
      from = stream.time.end;
    } else if (step.task.host.fn != nullptr) {
      // Without the lock: the function belongs to the program.
      step.task.host.fn(step.task.host.userData);
    }
    if (error != cudaSuccess) return error;
    ends.push_back(from);
    end = std::max(end, from);
  }
  return cudaSuccess;
}

/// Whether two graphs differ in more than what their nodes of one type do.
cudaGraphExecUpdateResult compare(const std::vector<Step>& steps, const std::vector<Step>& others,
                                  std::size_t& at) {
  at = 0;
  if (steps.size() != others.size()) return cudaGraphExecUpdateErrorTopologyChanged;
  for (; at < steps.size(); ++at) {
    if (steps[at].task.type != others[at].task.type) return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (steps[at].after != others[at].after) return cudaGraphExecUpdateErrorTopologyChanged;
  }
  return cudaGraphExecUpdateSuccess;
}

}  // namespace

// --- captures ------------------------------------------------------------------------------------

PAWS_CUDA_API cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return call([&](Runtime& runtime) {
    if (!runtime.knows(stream)) return cudaErrorInvalidResourceHandle;
    return runtime.graphs().begin_capture(runtime.time_of(stream), mode);
  });
}

PAWS_CUDA_API cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return call([&](Runtime& runtime) {
    if (graph == nullptr) return cudaErrorInvalidValue;
    *graph = nullptr;
    if (!runtime.knows(stream)) return cudaErrorInvalidResourceHandle;
    return runtime.graphs().end_capture(runtime.time_of(stream), graph);
  });
}

PAWS_CUDA_API cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                                cudaStreamCaptureStatus* status) {
  return call([&](Runtime& runtime) {
    if (status == nullptr) return cudaErrorInvalidValue;
    if (!runtime.knows(stream)) return cudaErrorInvalidResourceHandle;
    const paws::cuda::CapturePoint* point = runtime.graphs().capturing(runtime.time_of(stream));
    *status = point == nullptr        ? cudaStreamCaptureStatusNone
              : point->capture->valid ? cudaStreamCaptureStatusActive
                                      : cudaStreamCaptureStatusInvalidated;
    return cudaSuccess;
  });
}

// --- graphs --------------------------------------------------------------------------------------

PAWS_CUDA_API cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  return call([&](Runtime& runtime) {
    if (graph == nullptr || flags != 0) return cudaErrorInvalidValue;
    *graph = runtime.graphs().add(std::make_unique<CUgraph_st>());
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return call([&](Runtime& runtime) {
    return runtime.graphs().remove(graph) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

PAWS_CUDA_API cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t original) {
  return call([&](Runtime& runtime) {
    if (clone == nullptr || !runtime.graphs().knows(original)) return cudaErrorInvalidValue;
    auto made = std::make_unique<CUgraph_st>();
    for (const Step& step : steps_of(*original)) {
      auto node = std::make_unique<CUgraphNode_st>();
      node->task = step.task;
      for (const std::size_t before : step.after) node->after.insert(made->nodes[before].get());
      made->nodes.push_back(std::move(node));
    }
    *clone = runtime.graphs().add(std::move(made));
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                 const cudaGraphNode_t* after, size_t count,
                                                 const cudaKernelNodeParams* parameters) {
  return add_made(node, graph, after, count, parameters);
}

PAWS_CUDA_API cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                 const cudaGraphNode_t* after, size_t count,
                                                 const cudaMemcpy3DParms* parameters) {
  return add_made(node, graph, after, count, parameters);
}

PAWS_CUDA_API cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                                   const cudaGraphNode_t* after, size_t count,
                                                   void* to, const void* from, size_t bytes,
                                                   cudaMemcpyKind kind) {
  const cudaMemcpy3DParms parameters = one_row(to, from, bytes, kind);
  return add_made(node, graph, after, count, &parameters);
}

PAWS_CUDA_API cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                 const cudaGraphNode_t* after, size_t count,
                                                 const cudaMemsetParams* parameters) {
  return add_made(node, graph, after, count, parameters);
}

PAWS_CUDA_API cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                               const cudaGraphNode_t* after, size_t count,
                                               const cudaHostNodeParams* parameters) {
  return add_made(node, graph, after, count, parameters);
}

PAWS_CUDA_API cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                     const cudaGraphNode_t* after, size_t count,
                                                     cudaGraph_t child) {
  return add(node, graph, after, count, [&](Runtime& runtime, Task& task) {
    if (!runtime.graphs().knows(child)) return cudaErrorInvalidValue;
    task.type = cudaGraphNodeTypeGraph;
    task.child = std::make_shared<const std::vector<Step>>(steps_of(*child));
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                const cudaGraphNode_t* after, size_t count) {
  return add(node, graph, after, count, [](Runtime&, Task&) { return cudaSuccess; });
}

PAWS_CUDA_API cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes,
                                            size_t* count) {
  return list(graph, nodes, count, [](const CUgraphNode_st&) { return true; });
}

PAWS_CUDA_API cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes,
                                                size_t* count) {
  return list(graph, nodes, count, [](const CUgraphNode_st& node) { return node.after.empty(); });
}

PAWS_CUDA_API cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return call([&](Runtime&) {
    if (node == nullptr || type == nullptr) return cudaErrorInvalidValue;
    *type = node->task.type;
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                                       const cudaKernelNodeParams* parameters) {
  return call([&](Runtime& runtime) {
    if (node == nullptr || node->task.type != cudaGraphNodeTypeKernel) return cudaErrorInvalidValue;
    return make(runtime, parameters, node->task);
  });
}

// --- graphs that can be launched -----------------------------------------------------------------

/// Programs of CUDA 11 give an error's node and a text where the flags are.
PAWS_CUDA_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph,
                                               unsigned long long) {
  return instantiate(made, graph);
}

PAWS_CUDA_API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* made, cudaGraph_t graph,
                                                        unsigned long long) {
  return instantiate(made, graph);
}

PAWS_CUDA_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
  return call([&](Runtime& runtime) {
    return runtime.graphs().remove(graph) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

PAWS_CUDA_API cudaError_t cudaGraphUpload(cudaGraphExec_t graph, cudaStream_t stream) {
  return call([&](Runtime& runtime) {
    if (!runtime.graphs().knows(graph)) return cudaErrorInvalidValue;
    return runtime.knows(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

PAWS_CUDA_API cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
  std::vector<Step> steps;
  double begin = 0;
  cudaError_t error = call([&](Runtime& runtime) {
    if (!runtime.graphs().knows(graph)) return cudaErrorInvalidValue;
    if (!runtime.knows(stream)) return cudaErrorInvalidResourceHandle;
    steps = graph->steps;
    begin = runtime.timeline().reached(runtime.time_of(stream));
    return runtime.graphs().refuse_in(runtime.time_of(stream));
  });
  if (error != cudaSuccess) return error;
  double end = begin;
  error = run(steps, begin, end);
  if (error != cudaSuccess) return error;
  return call([&](Runtime& runtime) {
    runtime.timeline().wait(runtime.time_of(stream), end);
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t graph,
                                                           cudaGraphNode_t node,
                                                           const cudaKernelNodeParams* parameters) {
  return change(graph, node, parameters);
}

PAWS_CUDA_API cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t graph,
                                                           cudaGraphNode_t node,
                                                           const cudaMemcpy3DParms* parameters) {
  return change(graph, node, parameters);
}

PAWS_CUDA_API cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t graph,
                                                             cudaGraphNode_t node, void* to,
                                                             const void* from, size_t bytes,
                                                             cudaMemcpyKind kind) {
  const cudaMemcpy3DParms parameters = one_row(to, from, bytes, kind);
  return change(graph, node, &parameters);
}

PAWS_CUDA_API cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t graph,
                                                           cudaGraphNode_t node,
                                                           const cudaMemsetParams* parameters) {
  return change(graph, node, parameters);
}

PAWS_CUDA_API cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t graph,
                                                         cudaGraphNode_t node,
                                                         const cudaHostNodeParams* parameters) {
  return change(graph, node, parameters);
}

PAWS_CUDA_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t made, cudaGraph_t graph,
                                              cudaGraphExecUpdateResultInfo* result) {
  return call([&](Runtime& runtime) {
    if (!runtime.graphs().knows(made) || !runtime.graphs().knows(graph) || result == nullptr) {
      return cudaErrorInvalidValue;
    }
    std::vector<Step> steps = steps_of(*graph);
    std::size_t at = 0;
    *result = {compare(made->steps, steps, at), nullptr, nullptr};
    if (result->result == cudaGraphExecUpdateSuccess) {
      made->steps = std::move(steps);
      return cudaSuccess;
    }
    if (at < steps.size()) result->errorNode = graph->nodes[at].get();
    return cudaErrorGraphExecUpdateFailure;
  });
}

/// The same for programs of CUDA 11.
extern "C" cudaError_t paws_cudaGraphExecUpdate_11(cudaGraphExec_t made, cudaGraph_t graph,
                                                   cudaGraphNode_t* error_node,
                                                   cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info{};
  const cudaError_t error = cudaGraphExecUpdate(made, graph, &info);
  if (error_node != nullptr) *error_node = info.errorNode;
  if (result != nullptr) *result = info.result;
  return error;
}
