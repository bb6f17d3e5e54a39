// SPDX-License-Identifier: MIT
// Streams and events. All work is done when it is submitted: what streams and the host wait for is
// simulated time (stream_timeline.h). An event holds the simulated time of its record.
#include <algorithm>

#include "sim/cuda/call.h"

namespace {

using paws::cuda::call;
using paws::cuda::CapturePoint;
using paws::cuda::kGreatestPriority;
using paws::cuda::kLeastPriority;
using paws::cuda::Runtime;
using paws::cuda::StreamTime;

cudaError_t create(cudaStream_t* stream, unsigned flags, int priority) {
  return call([&](Runtime& runtime) {
    if (stream == nullptr || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
    *stream = runtime.new_stream(flags, priority);
    return cudaSuccess;
  });
}

cudaError_t check(cudaStream_t stream) {
  return call([&](Runtime& runtime) {
    return runtime.knows(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

/// For what is no node of a graph.
cudaError_t check_not_capturing(cudaStream_t stream) {
  return call([&](Runtime& runtime) {
    if (!runtime.knows(stream)) return cudaErrorInvalidResourceHandle;
    return runtime.graphs().refuse_in(runtime.time_of(stream));
  });
}

/// Queries wait as well. They always find the work done, and no simulated time passes while a
/// program asks again and again.
cudaError_t wait_for(cudaStream_t stream) {
  return call([&](Runtime& runtime) {
    if (!runtime.knows(stream)) return cudaErrorInvalidResourceHandle;
    const StreamTime& time = runtime.time_of(stream);
    const cudaError_t error = runtime.graphs().refuse_in(time);
    if (error == cudaSuccess) runtime.timeline().host_waits(runtime.timeline().ended(time));
    return error;
  });
}

cudaError_t wait_for(cudaEvent_t event) {
  return call([&](Runtime& runtime) {
    if (!runtime.knows(event)) return cudaErrorInvalidResourceHandle;
    if (event->captured) {
      event->captured->capture->valid = false;
      return cudaErrorCapturedEvent;
    }
    if (event->milliseconds) runtime.timeline().host_waits(*event->milliseconds);
    return cudaSuccess;
  });
}

cudaError_t record(cudaEvent_t event, cudaStream_t stream) {
  return call([&](Runtime& runtime) {
    if (!runtime.knows(event) || !runtime.knows(stream)) return cudaErrorInvalidResourceHandle;
    StreamTime& time = runtime.time_of(stream);
    event->captured.reset();
    if (const CapturePoint* point = runtime.graphs().capturing(time)) {
      event->captured = *point;
      event->milliseconds.reset();
      return point->capture->valid ? cudaSuccess : cudaErrorStreamCaptureInvalidated;
    }
    const cudaError_t error = runtime.graphs().refuse_in(time);
    if (error == cudaSuccess) event->milliseconds = runtime.timeline().record(time);
    return error;
  });
}

}  // namespace

PAWS_CUDA_API cudaError_t cudaStreamCreate(cudaStream_t* stream) { return create(stream, 0, 0); }

PAWS_CUDA_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return create(stream, flags, 0);
}

PAWS_CUDA_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags,
                                                       int priority) {
  return create(stream, flags, std::clamp(priority, kGreatestPriority, kLeastPriority));
}

PAWS_CUDA_API cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call([&](Runtime& runtime) {
    if (runtime.knows(stream)) {
      const cudaError_t error = runtime.graphs().refuse_in(runtime.time_of(stream));
      if (error != cudaSuccess) return error;
    }
    return runtime.delete_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

PAWS_CUDA_API cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return wait_for(stream); }

PAWS_CUDA_API cudaError_t cudaStreamQuery(cudaStream_t stream) { return wait_for(stream); }

PAWS_CUDA_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                              unsigned int) {
  return call([&](Runtime& runtime) {
    if (!runtime.knows(stream) || !runtime.knows(event)) return cudaErrorInvalidResourceHandle;
    StreamTime& time = runtime.time_of(stream);
    if (event->captured || runtime.graphs().capturing(time) != nullptr) {
      return runtime.graphs().wait(time, event->captured ? &*event->captured : nullptr);
    }
    if (event->milliseconds) runtime.timeline().wait(time, *event->milliseconds);
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                                void* data, unsigned int) {
  const cudaError_t error = check_not_capturing(stream);
  if (error == cudaSuccess && callback != nullptr) callback(stream, cudaSuccess, data);
  return error;
}

PAWS_CUDA_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void*, size_t,
                                                   unsigned int) {
  return check(stream);
}

PAWS_CUDA_API cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  return call([&](Runtime& runtime) {
    if (!runtime.knows(stream)) return cudaErrorInvalidResourceHandle;
    if (flags == nullptr) return cudaErrorInvalidValue;
    const bool own = stream > cudaStreamPerThread;
    *flags = own ? stream->flags : cudaStreamDefault;
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return call([&](Runtime& runtime) {
    if (!runtime.knows(stream)) return cudaErrorInvalidResourceHandle;
    if (priority == nullptr) return cudaErrorInvalidValue;
    const bool own = stream > cudaStreamPerThread;
    *priority = own ? stream->priority : 0;
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

PAWS_CUDA_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return call([&](Runtime& runtime) {
    if (event == nullptr) return cudaErrorInvalidValue;
    *event = runtime.new_event(flags);
    return cudaSuccess;
  });
}

PAWS_CUDA_API cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call([&](Runtime& runtime) {
    return runtime.delete_event(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

PAWS_CUDA_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return record(event, stream);
}

PAWS_CUDA_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream,
                                                   unsigned int) {
  return record(event, stream);
}

PAWS_CUDA_API cudaError_t cudaEventSynchronize(cudaEvent_t event) { return wait_for(event); }

PAWS_CUDA_API cudaError_t cudaEventQuery(cudaEvent_t event) { return wait_for(event); }

PAWS_CUDA_API cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start,
                                               cudaEvent_t end) {
  return call([&](Runtime& runtime) {
    if (milliseconds == nullptr) return cudaErrorInvalidValue;
    if (!runtime.knows(start) || !runtime.knows(end) || !start->milliseconds ||
        !end->milliseconds || (start->flags & cudaEventDisableTiming) != 0 ||
        (end->flags & cudaEventDisableTiming) != 0) {
      return cudaErrorInvalidResourceHandle;
    }
    *milliseconds = static_cast<float>(*end->milliseconds - *start->milliseconds);
    return cudaSuccess;
  });
}
