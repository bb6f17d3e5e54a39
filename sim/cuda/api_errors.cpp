// SPDX-License-Identifier: MIT
// Errors: their names, their texts, and the last one of a thread.
#include <algorithm>
#include <array>

#include "sim/cuda/call.h"

namespace paws::cuda {
namespace {

thread_local cudaError_t last = cudaSuccess;

struct ErrorText {
  cudaError_t error;
  const char* name;
  const char* text;
};

#define PAWS_ERROR(name, text) \
  ErrorText { name, #name, text }
constexpr std::array kErrors{
    PAWS_ERROR(cudaSuccess, "no error"),
    PAWS_ERROR(cudaErrorInvalidValue, "invalid argument"),
    PAWS_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    PAWS_ERROR(cudaErrorInitializationError, "initialization error"),
    PAWS_ERROR(cudaErrorCudartUnloading, "driver shutting down"),
    PAWS_ERROR(cudaErrorProfilerDisabled, "profiler disabled"),
    PAWS_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    PAWS_ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    PAWS_ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    PAWS_ERROR(cudaErrorInvalidHostPointer, "invalid host pointer"),
    PAWS_ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    PAWS_ERROR(cudaErrorInvalidTexture, "invalid texture reference"),
    PAWS_ERROR(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    PAWS_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    PAWS_ERROR(cudaErrorInvalidFilterSetting, "invalid filter mode setting"),
    PAWS_ERROR(cudaErrorInvalidNormSetting, "invalid norm mode setting"),
    PAWS_ERROR(cudaErrorNotYetImplemented, "feature not yet implemented"),
    PAWS_ERROR(cudaErrorStubLibrary, "the runtime is a stub library"),
    PAWS_ERROR(cudaErrorInsufficientDriver, "driver version is insufficient for runtime version"),
    PAWS_ERROR(cudaErrorInvalidSurface, "invalid surface reference"),
    PAWS_ERROR(cudaErrorDevicesUnavailable, "all devices are busy or unavailable"),
    PAWS_ERROR(cudaErrorMissingConfiguration, "kernel launch without a configuration"),
    PAWS_ERROR(cudaErrorPriorLaunchFailure, "an earlier kernel launch has failed"),
    PAWS_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    PAWS_ERROR(cudaErrorNoDevice, "no device is detected"),
    PAWS_ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    PAWS_ERROR(cudaErrorInvalidKernelImage, "device kernel image is invalid"),
    PAWS_ERROR(cudaErrorDeviceUninitialized, "invalid device context"),
    PAWS_ERROR(cudaErrorNoKernelImageForDevice, "no kernel image is available for the device"),
    PAWS_ERROR(cudaErrorUnsupportedLimit, "limit is not supported on this device"),
    PAWS_ERROR(cudaErrorPeerAccessUnsupported, "peer access is not supported"),
    PAWS_ERROR(cudaErrorInvalidPtx, "the PTX of a kernel was refused"),
    PAWS_ERROR(cudaErrorOperatingSystem, "a call of the operating system failed"),
    PAWS_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    PAWS_ERROR(cudaErrorIllegalState, "the operation cannot be performed in the present state"),
    PAWS_ERROR(cudaErrorSymbolNotFound, "named symbol not found"),
    PAWS_ERROR(cudaErrorNotReady, "device not ready"),
    PAWS_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    PAWS_ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    PAWS_ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    PAWS_ERROR(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    PAWS_ERROR(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    PAWS_ERROR(cudaErrorContextIsDestroyed, "context is destroyed"),
    PAWS_ERROR(cudaErrorAssert, "device-side assert triggered"),
    PAWS_ERROR(cudaErrorHostMemoryAlreadyRegistered,
               "part or all of the requested memory range is already mapped"),
    PAWS_ERROR(cudaErrorHostMemoryNotRegistered,
               "pointer does not correspond to a registered "
               "memory region"),
    PAWS_ERROR(cudaErrorHardwareStackError, "hardware stack error"),
    PAWS_ERROR(cudaErrorIllegalInstruction, "an illegal instruction was encountered"),
    PAWS_ERROR(cudaErrorMisalignedAddress, "misaligned address"),
    PAWS_ERROR(cudaErrorInvalidPc, "invalid program counter"),
    PAWS_ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    PAWS_ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    PAWS_ERROR(cudaErrorNotPermitted, "operation not permitted"),
    PAWS_ERROR(cudaErrorNotSupported, "operation not supported"),
    PAWS_ERROR(cudaErrorStreamCaptureUnsupported,
               "operation not permitted when stream is capturing"),
    PAWS_ERROR(cudaErrorStreamCaptureInvalidated,
               "operation failed due to a previous error during capture"),
    PAWS_ERROR(cudaErrorStreamCaptureMerge, "operation would merge two capture sequences"),
    PAWS_ERROR(cudaErrorStreamCaptureUnmatched, "capture was not begun in this stream"),
    PAWS_ERROR(cudaErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    PAWS_ERROR(cudaErrorStreamCaptureIsolation, "dependency on uncaptured work in another stream"),
    PAWS_ERROR(cudaErrorStreamCaptureImplicit,
               "the default stream would depend on a capturing blocking stream"),
    PAWS_ERROR(cudaErrorCapturedEvent, "event was last recorded in a capturing stream"),
    PAWS_ERROR(cudaErrorStreamCaptureWrongThread, "capture was begun in another thread"),
    PAWS_ERROR(cudaErrorGraphExecUpdateFailure, "the graph was not updated: it differs too much"),
    PAWS_ERROR(cudaErrorTimeout, "wait operation timed out"),
    PAWS_ERROR(cudaErrorUnknown, "unknown error"),
    PAWS_ERROR(cudaErrorApiFailureBase, "api failure base"),
};
#undef PAWS_ERROR

const ErrorText* find(cudaError_t error) {
  const auto* found = std::find_if(kErrors.begin(), kErrors.end(),
                                   [error](const ErrorText& each) { return each.error == error; });
  return found == kErrors.end() ? nullptr : found;
}

}  // namespace

cudaError_t note(cudaError_t error) {
  if (error != cudaSuccess) last = error;
  return error;
}

cudaError_t last_error() {
  const cudaError_t sticky = Runtime::instance().sticky();
  return sticky != cudaSuccess ? sticky : last;
}

cudaError_t take_last_error() {
  const cudaError_t error = last_error();
  last = cudaSuccess;
  return error;
}

}  // namespace paws::cuda

PAWS_CUDA_API cudaError_t cudaGetLastError() { return paws::cuda::take_last_error(); }

PAWS_CUDA_API cudaError_t cudaPeekAtLastError() { return paws::cuda::last_error(); }

PAWS_CUDA_API const char* cudaGetErrorName(cudaError_t error) {
  const paws::cuda::ErrorText* found = paws::cuda::find(error);
  return found == nullptr ? "unrecognized error code" : found->name;
}

PAWS_CUDA_API const char* cudaGetErrorString(cudaError_t error) {
  const paws::cuda::ErrorText* found = paws::cuda::find(error);
  return found == nullptr ? "unrecognized error code" : found->text;
}
