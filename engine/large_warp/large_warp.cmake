# SPDX-License-Identifier: MIT
# Functions that add engines of sub-warp packers and branch masks to the build; included by every folder that has some.

set(paws_class_subwarp_packer SubwarpPacker)
set(paws_class_branch_masks BranchMasks)

# Builds one engine's object file, checked (1: with contract assertions) with optimization option <opt>. <variant>: the
# modes of a packer (packed 1, rows 2, once 4), the buffers of branch masks. A netlist may follow, to take instead of the RTL.
function(paws_large_warp library module lanes rows variant checked opt)
  set(name ${module}_${lanes}_${rows}_${variant})
  if(checked)
    string(APPEND name _checked)
  endif()
  if(ARGN)
    string(APPEND name _netlist)
  endif()
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.o)
  file(STRINGS ${PROJECT_SOURCE_DIR}/rtl/paws_${module}.f sources)
  list(TRANSFORM sources PREPEND ${PROJECT_SOURCE_DIR}/rtl/)
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_COMMAND} -E env CXX=${CMAKE_CXX_COMPILER}
      "CXX_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}" VERILATOR=${PAWS_VERILATOR}
      VERILATOR_FILES=${verilator_root}
      bash ${PROJECT_SOURCE_DIR}/engine/large_warp/build_large_warp.sh ${object}
      ${CMAKE_CURRENT_BINARY_DIR}/${name} ${name} ${module} ${lanes} ${rows} ${variant} ${checked} ${opt} ${ARGN}
    DEPENDS ${sources} ${ARGN}
      ${PROJECT_SOURCE_DIR}/rtl/paws_${module}.f
      ${PROJECT_SOURCE_DIR}/engine/large_warp/build_large_warp.sh
      ${PROJECT_SOURCE_DIR}/engine/large_warp/verilated_module.h
      ${PROJECT_SOURCE_DIR}/engine/large_warp/verilated_${module}.cpp
      ${PROJECT_SOURCE_DIR}/engine/rtl_engine.h
      ${PROJECT_SOURCE_DIR}/engine/verilated_runtime.h
      ${PROJECT_SOURCE_DIR}/model/large_warp.h
      ${PROJECT_SOURCE_DIR}/model/${module}.h
    COMMENT "Verilating ${name}"
    VERBATIM)
  set(cpp_0 false)
  set(cpp_1 true)
  set(${library}_objects ${${library}_objects} ${object} PARENT_SCOPE)
  set(${library}_declarations
    "${${library}_declarations}paws::${paws_class_${module}}* paws_${name}();\n" PARENT_SCOPE)
  set(${library}_${module}_rows
    "${${library}_${module}_rows}      {{${lanes}, ${rows}, ${variant}}, ${cpp_${checked}}, paws_${name}},\n" PARENT_SCOPE)
endfunction()

# Adds the library of the engines, with the sources that follow its name.
function(paws_large_warp_library target library)
  set(declarations "${${library}_declarations}")
  set(subwarp_packer_rows "${${library}_subwarp_packer_rows}")
  set(branch_masks_rows "${${library}_branch_masks_rows}")
  configure_file(${PROJECT_SOURCE_DIR}/engine/large_warp/engines.cpp.in ${library}_large_warp.cpp @ONLY)
  add_library(${target} STATIC
    ${ARGN} ${CMAKE_CURRENT_BINARY_DIR}/${library}_large_warp.cpp ${${library}_objects})
endfunction()
