// SPDX-License-Identifier: MIT
#include "engine/verilated_runtime.h"

#include <cstdarg>
#include <cstdio>
#include <utility>

#include "verilated.h"

namespace paws::verilated {

thread_local bool stopped = false;

namespace {

thread_local std::string printed;

void stop_at(const char* file, int line, const char* message) {
  stopped = true;
  if (file != nullptr && file[0] != '\0') {
    printed += std::string(file) + ":" + std::to_string(line) + ": " + message + "\n";
  }
}

}  // namespace

std::string take_message() {
  stopped = false;
  return std::exchange(printed, {});
}

}  // namespace paws::verilated

int paws_verilated_printf(const char* format, ...) {
  char buffer[1024];
  va_list arguments;
  va_start(arguments, format);
  // The analyzer does not see that va_start has set it.
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized)
  const int length = std::vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  paws::verilated::printed += buffer;
  return length;
}

void vl_stop(const char* filename, int linenum, const char* /*hier*/) {
  paws::verilated::stop_at(filename, linenum, "stopped");
}

void vl_finish(const char* filename, int linenum, const char* /*hier*/) {
  paws::verilated::stop_at(filename, linenum, "$finish");
}

void vl_fatal(const char* filename, int linenum, const char* /*hier*/, const char* msg) {
  paws::verilated::stop_at(filename, linenum, msg);
}
