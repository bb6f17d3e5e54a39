# SPDX-License-Identifier: MIT
# Reads the catalogue of policies, model/policies.toml. For LEVEL single_level or two_level it sets
#   paws_policies            LEVEL/NAME of every policy, with _ for -, in the catalogue's order
#   paws_rtl_LEVEL           names of the policies with rtl_code, with _ for -
#   paws_code_LEVEL/NAME     rtl_code of each, empty for a policy without one
#   paws_module_LEVEL/NAME   rtl_module of each, empty for a policy that is no module of its own
#   paws_spelled_LEVEL/NAME  the name as users write it
#   paws_rule_LEVEL/NAME     its definition
#   paws_reads_LEVEL/NAME    which of the ports it looks at that not every policy of its level has
#   paws_parameters_LEVEL/NAME  names of its parameters, and for each of them, called P,
#   paws_KEY_LEVEL/NAME/P       KEY default, smallest, largest, meaning
#   paws_all_policies_LEVEL  POLICIES of a build with all of them
# policies.py reads it. What is no part of a catalogue ends CMake with its line.
include_guard(GLOBAL)

find_package(Python3 COMPONENTS Interpreter REQUIRED)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/model/policies.toml ${CMAKE_CURRENT_LIST_DIR}/policies.py)
set(facts ${CMAKE_CURRENT_BINARY_DIR}/policies_facts.cmake)
execute_process(COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/policies.py ${PROJECT_SOURCE_DIR}
  OUTPUT_FILE ${facts} ERROR_VARIABLE cause ERROR_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${cause}")
endif()
include(${facts})

# POLICIES of a build of `level` with `words`: all, or names of policies joined by +. Policies that are modules of
# their own have none.
function(paws_policy_mask variable level words)
  if(words STREQUAL "all")
    set(${variable} ${paws_all_policies_${level}} PARENT_SCOPE)
    return()
  endif()
  set(mask 0)
  string(REPLACE "+" ";" names ${words})
  foreach(name IN LISTS names)
    if(NOT name IN_LIST paws_rtl_${level})
      message(FATAL_ERROR "${level}: the RTL has no policy '${name}', it has: ${paws_rtl_${level}}")
    endif()
    math(EXPR mask "${mask} | (1 << ${paws_code_${level}/${name}})")
  endforeach()
  set(${variable} ${mask} PARENT_SCOPE)
endfunction()
