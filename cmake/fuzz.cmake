# SPDX-License-Identifier: MIT
# Fuzz targets: libFuzzer with the address and undefined-behaviour sanitizers. They need clang and
# sanitizers in everything that they run, so the libraries' sources are compiled into them.

# paws_add_fuzzer(NAME SOURCES LIBRARIES a b ... LINKS c d ...)
# LIBRARIES are ours, compiled in; LINKS are linked.
function(paws_add_fuzzer name own_sources)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    return()
  endif()
  cmake_parse_arguments(arg "" "" "LIBRARIES;LINKS" ${ARGN})
  set(sources ${own_sources})
  set(definitions "")
  foreach(library ${arg_LIBRARIES})
    get_target_property(files ${library} SOURCES)
    get_target_property(folder ${library} SOURCE_DIR)
    list(TRANSFORM files PREPEND ${folder}/)
    list(APPEND sources ${files})
    get_target_property(own_definitions ${library} COMPILE_DEFINITIONS)
    if(own_definitions)
      list(APPEND definitions ${own_definitions})
    endif()
  endforeach()
  add_executable(${name} EXCLUDE_FROM_ALL ${sources})
  target_compile_definitions(${name} PRIVATE ${definitions})
  target_link_libraries(${name} PRIVATE paws_options ${arg_LINKS})
  target_compile_options(${name} PRIVATE -O1 -g -fsanitize=fuzzer,address,undefined)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer,address,undefined)
endfunction()
