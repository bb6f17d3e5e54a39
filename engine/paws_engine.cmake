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
  ${PROJECT_SOURCE_DIR}/engine/engine_headers.h
  ${PROJECT_SOURCE_DIR}/engine/engine_parameters.h
  ${PROJECT_SOURCE_DIR}/engine/engine_top.sv
  ${PROJECT_SOURCE_DIR}/engine/instrument.h
  ${PROJECT_SOURCE_DIR}/engine/module.sh
  ${PROJECT_SOURCE_DIR}/engine/parameters.def
  ${PROJECT_SOURCE_DIR}/engine/rtl_engine.h
  ${PROJECT_SOURCE_DIR}/engine/rtl_queues.h
  ${PROJECT_SOURCE_DIR}/engine/verilated_adapter.cpp
  ${PROJECT_SOURCE_DIR}/engine/verilated_runtime.h)

# The rows of engine/parameters.def, each RTL:TYPE:TWO_LEVEL:SINGLE.
set(paws_parameters "")
set(parameters_file ${PROJECT_SOURCE_DIR}/engine/parameters.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${parameters_file})
file(STRINGS ${parameters_file} rows REGEX "^PAWS_ENGINE_PARAMETER")
foreach(row IN LISTS rows)
  string(REGEX REPLACE "[ \"]" "" row "${row}")
  if(NOT row MATCHES "^PAWS_ENGINE_PARAMETER\\(([A-Z_]+),[a-z]*,[a-z_]+,([A-Za-z]+),[0-9]+,([A-Z0-9]+),([A-Z0-9]+)\\)$")
    message(FATAL_ERROR "${parameters_file}: not a row: ${row}")
  endif()
  list(APPEND paws_parameters ${CMAKE_MATCH_1}:${CMAKE_MATCH_2}:${CMAKE_MATCH_3}:${CMAKE_MATCH_4})
endforeach()

# Sets <out> to NAME=VALUE of every parameter, in the order of parameters.def, and <out>_module to the module of the RTL,
# from the level, the three numbers that names begin with, and NAME=VALUE of those that are not standard.
# POLICIES=NAMES has names of model/policies.toml joined by +.
function(paws_settings out level warps ready phase_bits)
  set(given_WARPS ${warps})
  set(given_READY ${ready})
  set(given_PHASE_W ${phase_bits})
  set(module paws_${level})
  set(all ${paws_all_policies_${level}})
  foreach(setting IN LISTS ARGN)
    if(NOT setting MATCHES "^([A-Z_]+)=([0-9a-z_+]+)$")
      message(FATAL_ERROR "an engine's parameter is NAME=VALUE, not '${setting}'")
    endif()
    set(name ${CMAKE_MATCH_1})
    set(value ${CMAKE_MATCH_2})
    if(NOT "${paws_parameters}" MATCHES "(^|;)${name}:")
      message(FATAL_ERROR "no engine has a parameter ${name}: engine/parameters.def has them")
    endif()
    if(name STREQUAL POLICIES AND paws_module_${level}/${value})
      set(module ${paws_module_${level}/${value}})
      set(all 0)
      continue()
    elseif(name STREQUAL POLICIES)
      paws_policy_mask(value ${level} ${value})
    endif()
    set(given_${name} ${value})
  endforeach()
  set(settings "")
  foreach(row IN LISTS paws_parameters)
    string(REPLACE ":" ";" row ${row})
    list(GET row 0 name)
    list(GET row 2 value)
    if(level STREQUAL single_level)
      list(GET row 3 value)
    endif()
    string(REPLACE PHASES ${phase_bits} value ${value})
    string(REPLACE ALL ${all} value ${value})
    if(DEFINED given_${name})
      set(value ${given_${name}})
    endif()
    list(APPEND settings ${name}=${value})
  endforeach()
  set(${out} ${settings} PARENT_SCOPE)
  set(${out}_module ${module} PARENT_SCOPE)
endfunction()

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

# Builds one engine's object file from the settings of paws_settings(): checked (1: with contract assertions) with
# optimization option <opt>, called <label>; a netlist may follow. Appends the object to <library>_engine_objects, its
# declaration to <library>_engine_declarations and its row of the registry to <library>_engine_rows.
function(paws_add_engine library label level module settings checked opt)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${label}.o)
  paws_engine_headers(headers ${opt})
  set(precompiled "")
  if(headers)
    set(precompiled ${headers}.gch)
  endif()
  set(netlist "")
  if(ARGN)
    set(netlist NETLIST=${ARGN})
  endif()
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_COMMAND} -E env CXX=${CMAKE_CXX_COMPILER}
      "CXX_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}" VERILATOR=${PAWS_VERILATOR}
      VERILATOR_FILES=${verilator_root}
      "ENGINE_HEADERS=${headers}"
      bash ${PROJECT_SOURCE_DIR}/engine/build_engine.sh ${object}
      ${CMAKE_CURRENT_BINARY_DIR}/${label} ${label} ${module} ${opt} CHECKED=${checked} ${netlist} ${settings}
    DEPENDS ${paws_engine_dependencies} ${precompiled} ${ARGN}
    COMMENT "Verilating ${label}"
    VERBATIM)
  set(values "")
  foreach(row setting IN ZIP_LISTS paws_parameters settings)
    string(REGEX REPLACE "^[A-Z_]+:([A-Za-z]+):.*" "\\1" type ${row})
    string(REGEX REPLACE "^.*=" "" value ${setting})
    if(type STREQUAL Sorter)
      set(type paws::Sorter)
    endif()
    string(APPEND values "static_cast<${type}>(${value}), ")
  endforeach()
  set(enumerator two_level)
  if(level STREQUAL single_level)
    set(enumerator single)
  endif()
  set_property(GLOBAL APPEND PROPERTY ${library}_engine_objects ${object})
  set_property(GLOBAL APPEND_STRING PROPERTY ${library}_engine_declarations
    "paws::Scheduler* paws_engine_${label}(const paws::SchedulerConfig&, unsigned);\n")
  set_property(GLOBAL APPEND_STRING PROPERTY ${library}_engine_rows
    "    {{paws::Level::${enumerator}, \"${module}\", ${values}${checked} != 0}, paws_engine_${label}, \"${label}\"},\n")
endfunction()

# An engine of the build; matrix.cmake says how it is called.
function(paws_engine library level warps ready phase_bits)
  cmake_parse_arguments(PARSE_ARGV 5 arg "" "SPEED;CHECKED" "")
  paws_settings(settings ${level} ${warps} ${ready} ${phase_bits} ${arg_UNPARSED_ARGUMENTS})
  string(JOIN "_" label ${level} ${warps} ${ready} ${phase_bits} ${arg_UNPARSED_ARGUMENTS})
  string(MAKE_C_IDENTIFIER ${label} label)
  string(TOLOWER ${label} label)
  if(NOT arg_SPEED AND NOT arg_CHECKED)
    set(arg_CHECKED -O0)
  endif()
  if(arg_SPEED)
    paws_add_engine(${library} ${label} ${level} ${settings_module} "${settings}" 0 ${arg_SPEED})
  endif()
  if(arg_CHECKED)
    paws_add_engine(${library} ${label}_checked ${level} ${settings_module} "${settings}" 1 ${arg_CHECKED})
  endif()
endfunction()

# Writes <library>_engines.cpp, which defines paws::<library>_engines(), in the current folder.
function(paws_write_registry library)
  get_property(declarations GLOBAL PROPERTY ${library}_engine_declarations)
  get_property(rows GLOBAL PROPERTY ${library}_engine_rows)
  configure_file(${PROJECT_SOURCE_DIR}/engine/engines.cpp.in
    ${CMAKE_CURRENT_BINARY_DIR}/${library}_engines.cpp @ONLY)
endfunction()
