# SPDX-License-Identifier: MIT
# paws_precompile(<target> <header>...): headers that most sources of a target include, and which take longer to read
# than those sources. REUSE_FROM <other> instead of headers takes those of a target
# that is compiled with the same options.
include_guard(GLOBAL)

function(paws_precompile target)
  if(ARGV1 STREQUAL REUSE_FROM)
    target_precompile_headers(${target} ${ARGN})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
  # ccache keeps what is compiled with such a header only if the compiler notes what it was made of.
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  endif()
endfunction()
