# SPDX-License-Identifier: MIT
# paws_page(FILE NAMESPACE NAME): the page FILE of this folder, which a browser shows as it is, as the string
# NAMESPACE::NAME of ${CMAKE_CURRENT_BINARY_DIR}/FILE.cpp.
function(paws_page file namespace name)
  file(READ ${file} page)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/page.cpp.in ${file}.cpp @ONLY)
endfunction()
