# SPDX-License-Identifier: MIT
# Functions that add engines to the build; included by every folder that has some.

find_program(PAWS_VERILATOR verilator REQUIRED)
execute_process(COMMAND ${PAWS_VERILATOR} --getenv VERILATOR_ROOT
  OUTPUT_VARIABLE verilator_root OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
file(GLOB rtl_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/rtl/*)
set(paws_engine_dependencies ${rtl_sources}
  ${PROJECT_SOURCE_DIR}/model/affinity.h
  ${PROJECT_SOURCE_DIR}/model/scheduler.h
  ${PROJECT_SOURCE_DIR}/engine/build_engine.sh
  ${PROJECT_SOURCE_DIR}/engine/policy_module.sh
  ${PROJECT_SOURCE_DIR}/engine/engine_headers.h
  ${PROJECT_SOURCE_DIR}/engine/engine_parameters.h
  ${PROJECT_SOURCE_DIR}/engine/engine_top.sv
  ${PROJECT_SOURCE_DIR}/engine/instrument.h
  ${PROJECT_SOURCE_DIR}/engine/rtl_engine.h
  ${PROJECT_SOURCE_DIR}/engine/rtl_queues.h
  ${PROJECT_SOURCE_DIR}/engine/verilated_adapter.cpp
  ${PROJECT_SOURCE_DIR}/engine/verilated_runtime.h)

# By value of the RTL's parameter SORTER: the enumerator, and what the name of an engine says.
set(paws_sorters shift_register selection_tree ranks)
set(paws_sorter_suffixes _shift _tree "")

# Sets <out> to the engines' headers, precompiled with optimization option <opt>; empty for a compiler
# that takes such headers in another way.
function(paws_engine_headers out opt)
  set(${out} "" PARENT_SCOPE)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    return()
  endif()
  set(header ${PROJECT_BINARY_DIR}/engine/headers${opt}/engine_headers.h)
  set(${out} ${header} PARENT_SCOPE)
  get_property(made GLOBAL PROPERTY paws_engine_headers${opt})
  if(made)
    return()
  endif()
  set_property(GLOBAL PROPERTY paws_engine_headers${opt} TRUE)
  configure_file(${PROJECT_SOURCE_DIR}/engine/engine_headers.h ${header} COPYONLY)
  # The options of build_engine.sh; with others the compiler passes the precompiled form over.
  add_custom_command(OUTPUT ${header}.gch
    COMMAND ${CMAKE_CXX_COMPILER} -x c++-header -std=c++20 ${opt} -fPIC -w -I .
      -isystem ${verilator_root}/include -isystem ${verilator_root}/include/vltstd
      engine/engine_headers.h -o ${header}.gch
    DEPENDS ${paws_engine_dependencies}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    COMMENT "Precompiling the engines' headers, ${opt}"
    VERBATIM)
endfunction()

# Builds one engine's object file. Appends it to <library>_engine_objects, its declaration to
# <library>_engine_declarations and its row of the registry to <library>_engine_rows.
function(paws_add_engine library level warps ready phase_bits precision length_bits policies tie
         oldest sorter picker limit held gates pair group timeout compares late checked opt netlist)
  set(name ${level}_${warps})
  set(suffix "")
  if(level STREQUAL two_level)
    string(APPEND name _${ready})
    list(GET paws_sorter_suffixes ${sorter} suffix)
  endif()
  string(APPEND name _${phase_bits})
  if(NOT precision EQUAL phase_bits)
    string(APPEND name _precision${precision})
  endif()
  if(NOT length_bits EQUAL 16)
    string(APPEND name _length${length_bits})
  endif()
  if(NOT policies EQUAL ${paws_all_policies_${level}})
    string(APPEND name _policies${policies})
  endif()
  if(tie)
    string(APPEND name _arrival)
  endif()
  if(oldest)
    string(APPEND name _oldest)
  endif()
  string(APPEND name "${suffix}")
  if(NOT picker EQUAL 3)
    string(APPEND name _picker${picker})
  endif()
  if(limit)
    string(APPEND name _limit${limit})
  endif()
  if(held)
    string(APPEND name _held)
  endif()
  if(gates)
    string(APPEND name _gates${gates})
  endif()
  if(NOT pair EQUAL 3)
    string(APPEND name _pair${pair})
  endif()
  if(NOT group EQUAL 8)
    string(APPEND name _group${group})
  endif()
  if(timeout)
    string(APPEND name _timeout${timeout})
  endif()
  if(late)
    string(APPEND name _late)
  endif()
  if(NOT compares EQUAL 1)
    string(APPEND name _compares${compares})
  endif()
  if(checked)
    string(APPEND name _checked)
  endif()
  if(netlist)
    string(APPEND name _netlist)
  endif()
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.o)
  paws_engine_headers(headers ${opt})
  set(precompiled "")
  if(headers)
    set(precompiled ${headers}.gch)
  endif()
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_COMMAND} -E env CXX=${CMAKE_CXX_COMPILER}
      "CXX_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}" VERILATOR=${PAWS_VERILATOR}
      VERILATOR_FILES=${verilator_root}
      "ENGINE_HEADERS=${headers}"
      bash ${PROJECT_SOURCE_DIR}/engine/build_engine.sh ${object}
      ${CMAKE_CURRENT_BINARY_DIR}/${name} ${name} ${level} ${warps} ${ready} ${phase_bits}
      ${precision} ${length_bits} ${policies} ${tie} ${oldest} ${sorter} ${picker} ${limit} ${held} ${gates}
      ${pair} ${group} ${timeout} ${compares} ${late} ${checked} ${opt} ${netlist}
    DEPENDS ${paws_engine_dependencies} ${precompiled} ${netlist}
    COMMENT "Verilating ${name}"
    VERBATIM)
  set_property(GLOBAL APPEND PROPERTY ${library}_engine_objects ${object})
  set_property(GLOBAL APPEND_STRING PROPERTY ${library}_engine_declarations
    "paws::Scheduler* paws_engine_${name}(const paws::SchedulerConfig&, unsigned);\n")
  set(enumerator two_level)
  if(level STREQUAL single_level)
    set(enumerator single)
  endif()
  list(GET paws_sorters ${sorter} sorter_enumerator)
  set(cpp_0 false)
  set(cpp_1 true)
  set_property(GLOBAL APPEND_STRING PROPERTY ${library}_engine_rows
    "    {{paws::Level::${enumerator}, ${warps}, ${ready}, ${phase_bits}, ${precision}, ${length_bits}, ${policies}, ${cpp_${tie}}, ${cpp_${oldest}}, paws::Sorter::${sorter_enumerator}, ${picker}, ${limit}, ${cpp_${held}}, ${gates}, ${pair}, ${group}, ${timeout}, ${compares}, ${cpp_${late}}, ${cpp_${checked}}}, paws_engine_${name}},\n")
endfunction()

function(paws_engine library level warps ready phase_bits)
  cmake_parse_arguments(PARSE_ARGV 5 arg
    "TIE_ARRIVAL;WAKE_OLDEST;SHIFT_REGISTER;SELECTION_TREE;HELD;LATE"
    "PICKER;PRECISION;LENGTH;POLICIES;LIMIT;GATES;PAIR;GROUP;TIMEOUT;COMPARES;SPEED;CHECKED" "")
  set(picker 3)
  if(DEFINED arg_PICKER)
    set(picker ${arg_PICKER})
  endif()
  set(precision ${phase_bits})
  if(arg_PRECISION)
    set(precision ${arg_PRECISION})
  endif()
  set(limit 0)
  if(arg_LIMIT)
    set(limit ${arg_LIMIT})
  endif()
  set(length_bits 16)
  if(arg_LENGTH)
    set(length_bits ${arg_LENGTH})
  endif()
  set(policies ${paws_all_policies_${level}})
  if(arg_POLICIES)
    paws_policy_mask(policies ${level} ${arg_POLICIES})
  endif()
  set(tie 0)
  if(arg_TIE_ARRIVAL)
    set(tie 1)
  endif()
  set(oldest 0)
  if(arg_WAKE_OLDEST)
    set(oldest 1)
  endif()
  set(held 0)
  if(arg_HELD)
    set(held 1)
  endif()
  set(late 0)
  if(arg_LATE)
    set(late 1)
  endif()
  set(gates 0)
  if(arg_GATES)
    set(gates ${arg_GATES})
  endif()
  set(pair 3)
  if(arg_PAIR)
    set(pair ${arg_PAIR})
  endif()
  set(group 8)
  if(arg_GROUP)
    set(group ${arg_GROUP})
  endif()
  set(timeout 0)
  if(arg_TIMEOUT)
    set(timeout ${arg_TIMEOUT})
  endif()
  set(compares 1)
  if(arg_COMPARES)
    set(compares ${arg_COMPARES})
  endif()
  set(sorter 2)
  if(arg_SHIFT_REGISTER OR level STREQUAL single_level)
    set(sorter 0)
  elseif(arg_SELECTION_TREE)
    set(sorter 1)
  endif()
  if(NOT arg_SPEED AND NOT arg_CHECKED)
    set(arg_CHECKED -O0)
  endif()
  if(arg_SPEED)
    paws_add_engine(${library} ${level} ${warps} ${ready} ${phase_bits} ${precision}
      ${length_bits} ${policies} ${tie} ${oldest} ${sorter} ${picker} ${limit} ${held} ${gates} ${pair} ${group} ${timeout} ${compares} ${late} 0
      ${arg_SPEED} "")
  endif()
  if(arg_CHECKED)
    paws_add_engine(${library} ${level} ${warps} ${ready} ${phase_bits} ${precision}
      ${length_bits} ${policies} ${tie} ${oldest} ${sorter} ${picker} ${limit} ${held} ${gates} ${pair} ${group} ${timeout} ${compares} ${late} 1
      ${arg_CHECKED} "")
  endif()
endfunction()

# Writes <library>_engines.cpp, which defines paws::<library>_engines(), in the current folder.
function(paws_write_registry library)
  get_property(declarations GLOBAL PROPERTY ${library}_engine_declarations)
  get_property(rows GLOBAL PROPERTY ${library}_engine_rows)
  configure_file(${PROJECT_SOURCE_DIR}/engine/engines.cpp.in
    ${CMAKE_CURRENT_BINARY_DIR}/${library}_engines.cpp @ONLY)
endfunction()
