# SPDX-License-Identifier: MIT
# paws_page(FILE NAMESPACE NAME): the page FILE of this folder, which a browser shows as it is, as the string
# NAMESPACE::NAME of ${CMAKE_CURRENT_BINARY_DIR}/FILE.cpp. A link to the common style gives way to the style itself.
function(paws_page file namespace name)
  set(style_file ${PROJECT_SOURCE_DIR}/sim/profile/page_style.css)
  file(READ ${file} page)
  file(READ ${style_file} style)
  string(REPLACE [[<link rel="stylesheet" href="../profile/page_style.css">]] "<style>\n${style}</style>" page "${page}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file} ${style_file})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/page.cpp.in ${file}.cpp @ONLY)
endfunction()
