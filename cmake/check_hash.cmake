# Stops where a file is not the one that was meant: cmake -DFILE=... -DHASH=... -P check_hash.cmake
file(SHA512 ${FILE} found)
if(NOT found STREQUAL HASH)
  file(REMOVE ${FILE})
  message(FATAL_ERROR "${FILE} is not the file that was expected: its SHA-512 is ${found}")
endif()
