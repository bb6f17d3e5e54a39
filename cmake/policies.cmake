# SPDX-License-Identifier: MIT
# Reads the catalogue of policies, model/policies.toml. For LEVEL single_level or two_level it sets
#   paws_policies            LEVEL/NAME of every policy, with _ for -, in the catalogue's order
#   paws_rtl_LEVEL           names of the policies with rtl_code, with _ for -
#   paws_code_LEVEL/NAME     rtl_code of each, empty for a policy without one
#   paws_module_LEVEL/NAME   rtl_module of each, empty for a policy that is no module of its own
#   paws_modules             the rtl_modules, in the catalogue's order
#   paws_spelled_LEVEL/NAME  the name as users write it
#   paws_rule_LEVEL/NAME     its definition
#   paws_reads_LEVEL/NAME    which of the ports it looks at that not every policy of its level has
#   paws_parameters_LEVEL/NAME  names of its parameters, and for each of them, called P,
#   paws_KEY_LEVEL/NAME/P       KEY default, smallest, largest, meaning
#   paws_all_policies_LEVEL  POLICIES of a build with all of them
# A line that is no part of a catalogue ends CMake with its number.
include_guard(GLOBAL)

# The lines of `file` without comments, as a list that has empty elements too. [[policy]] becomes <policy>, because
# brackets join elements of a list.
function(paws_catalogue_lines variable file)
  file(READ ${file} text)
  string(REGEX REPLACE "#[^\n]*" "" text "${text}")
  string(REPLACE ";" "<semicolon>" text "${text}")
  string(REGEX REPLACE "\\[\\[([^]\n]*)\\]\\]" "<\\1>" text "${text}")
  string(REPLACE "\n" ";" text "${text}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# Puts `code` into the variable `mask` of the codes that a level has; ends CMake if the code is there already.
function(paws_take_code mask code where scheduler)
  math(EXPR bit "1 << ${code}")
  math(EXPR taken "${${mask}} & ${bit}")
  if(taken)
    message(FATAL_ERROR "${where}: ${scheduler}: another policy of its level has rtl_code ${code}")
  endif()
  math(EXPR all "${${mask}} | ${bit}")
  set(${mask} ${all} PARENT_SCOPE)
endfunction()

# The keys of an entry that must be there: the form of each value, and the key on the next line, if there must be one.
set(paws_form_scheduler "\"((single|two-level):[a-z][a-z0-9-]*)\"")
set(paws_next_scheduler label)
set(paws_form_label "\"([^\"\\]+)\"")
set(paws_next_label rule)
set(paws_form_rule "\"([^\"\\]+)\"")
set(paws_next_rule reads)
set(paws_form_reads "\"((lengths|waits|groups|yields|)( (lengths|waits|groups|yields))*)\"")
set(paws_next_reads "")
set(paws_form_name "\"([a-z][a-z0-9_]*)\"")
set(paws_next_name default)
set(paws_form_default "([0-9]+)")
set(paws_next_default smallest)
set(paws_form_smallest "([0-9]+)")
set(paws_next_smallest largest)
set(paws_form_largest "([0-9]+)")
set(paws_next_largest meaning)
set(paws_form_meaning "\"([^\"\\]+)\"")
set(paws_next_meaning "")

# A macro, because it sets variables of the reader: the entry that begins with `scheduler`.
macro(paws_begin_policy scheduler where)
  string(REGEX REPLACE "^.*:" "" spelled ${scheduler})
  string(REPLACE "-" "_" name ${spelled})
  set(level single_level)
  if(${scheduler} MATCHES "^two-level:")
    set(level two_level)
  endif()
  set(entry ${level}/${name})
  if(entry IN_LIST policies)
    message(FATAL_ERROR "${where}: ${scheduler} stands there twice")
  elseif(NOT EXISTS ${PROJECT_SOURCE_DIR}/model/${entry}.cpp)
    message(FATAL_ERROR "${where}: ${scheduler} has no golden model: model/${entry}.cpp does not exist")
  endif()
  list(APPEND policies ${entry})
  set(subject ${entry})  # whose keys are read, the policy or one of its parameters
  set(code "")
  set(module "")
  set(parameters "")
  set(paws_spelled_${entry} ${spelled} PARENT_SCOPE)
  set(paws_code_${entry} "" PARENT_SCOPE)
  set(paws_module_${entry} "" PARENT_SCOPE)
  set(paws_parameters_${entry} "" PARENT_SCOPE)
endmacro()

# A macro, as above: the parameter of the current policy that begins with `name`.
macro(paws_begin_parameter name where)
  if(${name} IN_LIST parameters)
    message(FATAL_ERROR "${where}: the policy has two parameters '${name}'")
  endif()
  list(APPEND parameters ${name})
  set(subject ${entry}/${name})
  set(paws_parameters_${entry} "${parameters}" PARENT_SCOPE)
endmacro()

function(paws_read_policies file)
  set(policies "")
  foreach(level single_level two_level)
    set(rtl_${level} "")
    set(mask_${level} 0)
  endforeach()
  set(number 0)
  set(modules "")
  set(entry "")
  set(missing "")
  paws_catalogue_lines(lines ${file})
  foreach(line IN LISTS lines ITEMS "<policy>")  # the last one ends the last entry
    math(EXPR number "${number} + 1")
    string(STRIP "${line}" line)
    set(where "${file}:${number}")
    if(line STREQUAL "")
      continue()
    elseif(line STREQUAL "<policy>" OR (line STREQUAL "<policy.parameter>" AND entry))
      if(missing)
        message(FATAL_ERROR "${where}: the policy or parameter before this line has no ${missing}")
      endif()
      set(missing scheduler)
      if(line STREQUAL "<policy.parameter>")
        set(missing name)
        if(NOT code STREQUAL "" OR NOT module STREQUAL "")
          message(FATAL_ERROR "${where}: a policy of the RTL has no parameters: the RTL could not take them")
        endif()
      endif()
    elseif(missing AND line MATCHES "^${missing} *= *${paws_form_${missing}}$")
      string(REPLACE "<semicolon>" ";" value "${CMAKE_MATCH_1}")
      if(missing STREQUAL "scheduler")
        paws_begin_policy(${value} ${where})
      elseif(missing STREQUAL "name")
        paws_begin_parameter(${value} ${where})
      endif()
      set(paws_${missing}_${subject} "${value}")
      set(paws_${missing}_${subject} "${value}" PARENT_SCOPE)
      if(missing STREQUAL "largest" AND (paws_default_${subject} LESS paws_smallest_${subject} OR
                                         paws_default_${subject} GREATER value))
        message(FATAL_ERROR "${where}: the default of the parameter is not from smallest to largest")
      endif()
      set(missing "${paws_next_${missing}}")
    elseif(entry AND NOT missing AND code STREQUAL "" AND module STREQUAL "" AND parameters STREQUAL "" AND
           line MATCHES "^rtl_code *= *([0-9]|1[0-5])$")
      set(code ${CMAKE_MATCH_1})
      paws_take_code(mask_${level} ${code} ${where} ${paws_scheduler_${entry}})
      list(APPEND rtl_${level} ${name})
      set(paws_code_${entry} ${code} PARENT_SCOPE)
    elseif(entry AND NOT missing AND code STREQUAL "" AND module STREQUAL "" AND parameters STREQUAL "" AND
           line MATCHES "^rtl_module *= *\"(paws_[a-z0-9_]+)\"$")
      set(module ${CMAKE_MATCH_1})
      if(NOT EXISTS ${PROJECT_SOURCE_DIR}/rtl/${module}.sv)
        message(FATAL_ERROR "${where}: ${paws_scheduler_${entry}}: rtl/${module}.sv does not exist")
      endif()
      set(paws_module_${entry} ${module} PARENT_SCOPE)
      list(APPEND modules ${module})
    else()
      message(FATAL_ERROR "${where}: a policy is [[policy]], scheduler = \"single:NAME\" or \"two-level:NAME\", "
        "label = \"...\", rule = \"...\", reads = \"...\" of lengths, waits, groups and yields and, with RTL, rtl_code = 0 to 15 or rtl_module = \"paws_...\", in this order; a parameter is "
        "[[policy.parameter]], name = \"...\", default, smallest and largest = whole numbers, and meaning = \"...\"; "
        "not: ${line}")
    endif()
  endforeach()
  set(paws_policies ${policies} PARENT_SCOPE)
  set(paws_modules ${modules} PARENT_SCOPE)
  foreach(level single_level two_level)
    set(paws_rtl_${level} ${rtl_${level}} PARENT_SCOPE)
    set(paws_all_policies_${level} ${mask_${level}} PARENT_SCOPE)
  endforeach()
endfunction()

# POLICIES of a build of `level` with `words`: all, or names of policies joined by +. A policy that is a module of its
# own is alone in a build, and has a bit from 16 on (policies_with() in engine/engine_parameters.h).
function(paws_policy_mask variable level words)
  if(words STREQUAL "all")
    set(${variable} ${paws_all_policies_${level}} PARENT_SCOPE)
    return()
  endif()
  set(mask 0)
  if(paws_module_${level}/${words})
    list(FIND paws_modules ${paws_module_${level}/${words}} number)
    math(EXPR bit "1 << (16 + ${number})")
    set(${variable} ${bit} PARENT_SCOPE)
    return()
  endif()
  string(REPLACE "+" ";" names ${words})
  foreach(name IN LISTS names)
    if(NOT name IN_LIST paws_rtl_${level})
      message(FATAL_ERROR "${level}: the RTL has no policy '${name}', it has: ${paws_rtl_${level}}")
    endif()
    math(EXPR mask "${mask} | (1 << ${paws_code_${level}/${name}})")
  endforeach()
  set(${variable} ${mask} PARENT_SCOPE)
endfunction()

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/model/policies.toml)
paws_read_policies(${PROJECT_SOURCE_DIR}/model/policies.toml)
