# SPDX-License-Identifier: MIT
# paws_precompile(<target> <header>...): headers of libraries that most sources of a target include,
# which take longer to read than what is written here.
include_guard(GLOBAL)

function(paws_precompile target)
  target_precompile_headers(${target} PRIVATE ${ARGN})
  # ccache keeps what is compiled with such a header only if the compiler notes what it was made of.
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  endif()
endfunction()
