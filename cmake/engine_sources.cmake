# SPDX-License-Identifier: MIT
# Writes OUTPUT, a header with a hash of the files FILES (separated by |): by it a program knows whether the library
# paws_engines was built from the sources that it was built from itself.
string(REPLACE "|" ";" files "${FILES}")
list(SORT files)
set(hashes "")
foreach(file IN LISTS files)
  file(SHA256 "${file}" hash)
  string(APPEND hashes ${hash})
endforeach()
string(SHA256 hash "${hashes}")
file(WRITE "${OUTPUT}" "#pragma once\nnamespace paws {\nconstexpr const char* kEngineSources = \"${hash}\";\n}\n")
