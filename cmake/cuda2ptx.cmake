# SPDX-License-Identifier: MIT
# paws_add_ptx(<source.cu> <output.ptx> [option...]): a rule that compiles CUDA kernels with scripts/cuda2ptx.
include_guard(GLOBAL)

find_program(PAWS_CLANG NAMES clang-14 clang DOC "clang with the NVPTX back-end, for the kernels")
if(NOT PAWS_CLANG)
  message(FATAL_ERROR "clang compiles the workloads' kernels and was not found (Debian: clang-14)")
endif()

function(paws_add_ptx source output)
  set(cuda2ptx ${PROJECT_SOURCE_DIR}/scripts/cuda2ptx)
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/workloads/cuda/*.h
       ${PROJECT_SOURCE_DIR}/workloads/cuda/stubs.yaml ${PROJECT_SOURCE_DIR}/sim/cuda/include/vector_*.h
       ${PROJECT_SOURCE_DIR}/sim/cuda/include/host_defines.h)
  get_filename_component(name ${source} NAME)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -E env CLANG=${PAWS_CLANG} ${cuda2ptx} ${source} ${output} ${ARGN}
    DEPENDS ${source} ${cuda2ptx} ${headers}
    COMMENT "Compiling ${name} to PTX"
    VERBATIM)
endfunction()
