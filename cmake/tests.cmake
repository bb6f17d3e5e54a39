# SPDX-License-Identifier: MIT
# paws_quick_tests(<folder>): the test programs of this folder are made to compile quickly: one precompiled header for
# all, several sources of a program together, and no optimization in release and debug builds. What they test is in
# libraries, which are not touched. A source whose helpers have the names of another's is compiled alone: its folder sets
# its property SKIP_UNITY_BUILD_INCLUSION.
include_guard(GLOBAL)
include(${PROJECT_SOURCE_DIR}/cmake/precompile.cmake)
find_package(GTest REQUIRED)
find_package(fmt REQUIRED)

file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/cmake/test_header.cpp CONTENT "")
add_library(paws_test_header OBJECT ${PROJECT_BINARY_DIR}/cmake/test_header.cpp)
target_link_libraries(paws_test_header PRIVATE GTest::gtest fmt::fmt paws_options)
target_compile_options(paws_test_header PRIVATE $<$<OR:$<CONFIG:Release>,$<CONFIG:Debug>>:-O0>)
paws_precompile(paws_test_header <gtest/gtest.h> <fmt/format.h> <algorithm> <filesystem> <fstream> <functional>
                <map> <random> <sstream> <string> <vector>)

set(paws_engine_folder ${PROJECT_BINARY_DIR}/engine_cache CACHE INTERNAL "")

# paws_discover_building(<target> [more of gtest_discover_tests]): tests that build RTL engines when they run. The build
# folder keeps the engines for the next time; such tests run one at a time, so that no engine is built twice.
function(paws_discover_building target)
  gtest_discover_tests(${target} ${ARGN}
    PROPERTIES ENVIRONMENT XDG_CACHE_HOME=${paws_engine_folder} RESOURCE_LOCK engines TIMEOUT 600)
endfunction()

function(paws_quick_tests folder)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(libraries ${target} LINK_LIBRARIES)
    if(type STREQUAL EXECUTABLE AND libraries MATCHES "GTest::gtest")
      target_compile_options(${target} PRIVATE $<$<OR:$<CONFIG:Release>,$<CONFIG:Debug>>:-O0>)
      # Helpers of sixteen tests would have each other's names.
      set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 8)
      target_link_libraries(${target} PRIVATE fmt::fmt) # The header is that of a program with fmt.
      paws_precompile(${target} REUSE_FROM paws_test_header)
    endif()
  endforeach()
endfunction()
