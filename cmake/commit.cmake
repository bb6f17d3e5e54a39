# SPDX-License-Identifier: MIT
# Run at every build: writes OUTPUT, a header with the commit of SOURCE, only when it has changed.
set(commit unknown)
find_program(GIT git)
if(GIT AND EXISTS "${SOURCE}/.git")
  execute_process(
    COMMAND ${GIT} -C "${SOURCE}" describe --always --dirty --exclude *
    OUTPUT_VARIABLE described
    RESULT_VARIABLE failed
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed)
    set(commit "${described}")
  endif()
endif()
set(text "inline constexpr const char* kBuiltFrom = \"${commit}\";\n")
set(old "")
if(EXISTS "${OUTPUT}")
  file(READ "${OUTPUT}" old)
endif()
if(NOT text STREQUAL old)
  file(WRITE "${OUTPUT}" "${text}")
endif()
