// SPDX-License-Identifier: MIT
// NVTX ("NVIDIA Tools Extension Library"), versions 2 and 3: marks and ranges of a program for a
// profiler. Without one the calls do nothing and return what the library then returns; here there
// is none.
#pragma once

// The names are NVTX's, and C programs include this.
// NOLINTBEGIN(bugprone-reserved-identifier,modernize-use-nullptr)

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_SUCCESS 0
#define NVTX_FAIL 1
#define NVTX_NO_PUSH_POP_TRACKING (-2)
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
#define NVTX_RESOURCE_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxResourceAttributes_t))

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st* nvtxStringHandle_t;
typedef struct nvtxResourceHandle* nvtxResourceHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN,
  NVTX_MESSAGE_TYPE_ASCII,
  NVTX_MESSAGE_TYPE_UNICODE,
  NVTX_MESSAGE_TYPE_REGISTERED
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64,
  NVTX_PAYLOAD_TYPE_INT64,
  NVTX_PAYLOAD_TYPE_DOUBLE,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32,
  NVTX_PAYLOAD_TYPE_INT32,
  NVTX_PAYLOAD_TYPE_FLOAT
} nvtxPayloadType_t;
typedef enum nvtxResourceGenericType_t {
  NVTX_RESOURCE_TYPE_UNKNOWN = 0,
  NVTX_RESOURCE_TYPE_GENERIC_POINTER = 0x10001,
  NVTX_RESOURCE_TYPE_GENERIC_HANDLE,
  NVTX_RESOURCE_TYPE_GENERIC_THREAD_NATIVE,
  NVTX_RESOURCE_TYPE_GENERIC_THREAD_POSIX
} nvtxResourceGenericType_t;

typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;
typedef struct nvtxResourceAttributes_v0 {
  uint16_t version;
  uint16_t size;
  int32_t identifierType;
  union identifier_t {
    const void* pValue;
    uint64_t ullValue;
  } identifier;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxResourceAttributes_t;

// A call that does nothing: what it returns, and its parameters, whose names nobody needs.
#if defined(__cplusplus)
#define PAWS_NVTX(type, name, value, ...) \
  static inline type name(__VA_ARGS__) { return (type)(value); }
#else
// C before C23 wants names.
#define PAWS_NVTX(type, name, value, ...) \
  static inline __attribute__((unused)) type name() { return (type)(value); }
#endif
PAWS_NVTX(void, nvtxInitialize, 0, const void*)
PAWS_NVTX(void, nvtxMarkEx, 0, const nvtxEventAttributes_t*)
PAWS_NVTX(void, nvtxMarkA, 0, const char*)
PAWS_NVTX(void, nvtxMarkW, 0, const wchar_t*)
PAWS_NVTX(nvtxRangeId_t, nvtxRangeStartEx, 0, const nvtxEventAttributes_t*)
PAWS_NVTX(nvtxRangeId_t, nvtxRangeStartA, 0, const char*)
PAWS_NVTX(nvtxRangeId_t, nvtxRangeStartW, 0, const wchar_t*)
PAWS_NVTX(void, nvtxRangeEnd, 0, nvtxRangeId_t)
PAWS_NVTX(int, nvtxRangePushEx, NVTX_NO_PUSH_POP_TRACKING, const nvtxEventAttributes_t*)
PAWS_NVTX(int, nvtxRangePushA, NVTX_NO_PUSH_POP_TRACKING, const char*)
PAWS_NVTX(int, nvtxRangePushW, NVTX_NO_PUSH_POP_TRACKING, const wchar_t*)
PAWS_NVTX(int, nvtxRangePop, NVTX_NO_PUSH_POP_TRACKING, void)
PAWS_NVTX(void, nvtxNameCategoryA, 0, uint32_t, const char*)
PAWS_NVTX(void, nvtxNameCategoryW, 0, uint32_t, const wchar_t*)
PAWS_NVTX(void, nvtxNameOsThreadA, 0, uint32_t, const char*)
PAWS_NVTX(void, nvtxNameOsThreadW, 0, uint32_t, const wchar_t*)
PAWS_NVTX(nvtxDomainHandle_t, nvtxDomainCreateA, 0, const char*)
PAWS_NVTX(nvtxDomainHandle_t, nvtxDomainCreateW, 0, const wchar_t*)
PAWS_NVTX(void, nvtxDomainDestroy, 0, nvtxDomainHandle_t)
PAWS_NVTX(void, nvtxDomainMarkEx, 0, nvtxDomainHandle_t, const nvtxEventAttributes_t*)
PAWS_NVTX(nvtxRangeId_t, nvtxDomainRangeStartEx, 0, nvtxDomainHandle_t,
          const nvtxEventAttributes_t*)
PAWS_NVTX(void, nvtxDomainRangeEnd, 0, nvtxDomainHandle_t, nvtxRangeId_t)
PAWS_NVTX(int, nvtxDomainRangePushEx, NVTX_NO_PUSH_POP_TRACKING, nvtxDomainHandle_t,
          const nvtxEventAttributes_t*)
PAWS_NVTX(int, nvtxDomainRangePop, NVTX_NO_PUSH_POP_TRACKING, nvtxDomainHandle_t)
PAWS_NVTX(void, nvtxDomainNameCategoryA, 0, nvtxDomainHandle_t, uint32_t, const char*)
PAWS_NVTX(void, nvtxDomainNameCategoryW, 0, nvtxDomainHandle_t, uint32_t, const wchar_t*)
PAWS_NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringA, 0, nvtxDomainHandle_t, const char*)
PAWS_NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringW, 0, nvtxDomainHandle_t, const wchar_t*)
PAWS_NVTX(nvtxResourceHandle_t, nvtxDomainResourceCreate, 0, nvtxDomainHandle_t,
          nvtxResourceAttributes_t*)
PAWS_NVTX(void, nvtxDomainResourceDestroy, 0, nvtxResourceHandle_t)

#if defined(UNICODE)
#define PAWS_NVTX_CHOSEN(name) name##W
#else
#define PAWS_NVTX_CHOSEN(name) name##A
#endif
#define nvtxMark PAWS_NVTX_CHOSEN(nvtxMark)
#define nvtxRangeStart PAWS_NVTX_CHOSEN(nvtxRangeStart)
#define nvtxRangePush PAWS_NVTX_CHOSEN(nvtxRangePush)
#define nvtxNameCategory PAWS_NVTX_CHOSEN(nvtxNameCategory)
#define nvtxNameOsThread PAWS_NVTX_CHOSEN(nvtxNameOsThread)
#define nvtxDomainCreate PAWS_NVTX_CHOSEN(nvtxDomainCreate)
#define nvtxDomainRegisterString PAWS_NVTX_CHOSEN(nvtxDomainRegisterString)
#define nvtxDomainNameCategory PAWS_NVTX_CHOSEN(nvtxDomainNameCategory)
// NOLINTEND(bugprone-reserved-identifier,modernize-use-nullptr)
