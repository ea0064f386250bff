# What a store knows a run's program by: its version, and the SHA-256 of the sources that decide results, whatever folder, compiler or
# computer they are compiled on. `cd src && sha256sum FILE... | sha256sum` of these files, sorted, gives the same.
#
# Included, it adds a rule that makes ${identity} and a program is linked with; as a script it makes that file:
#
#   cmake -DSOURCES=src -DOUTPUT=identity.c -DVERSION=1.0.0 "-DCOMPILER=gcc 14.2.0, x86_64" -P identity.cmake
# SPDX-License-Identifier: BSD-3-Clause

# These folders of src do not decide what a run is stored with: they show results, keep them, trace, measure this computer, or read the
# command line. All others do, a new one, too.
set(without_results calibrate document eppa model mpi report simrun store stubs study timeline)

# sources_of_results(variable folder [option...]): relative to the folder.
function(sources_of_results variable folder)
  file(GLOB_RECURSE files RELATIVE ${folder} ${ARGN} ${folder}/*.c ${folder}/*.h ${folder}/*.def)
  list(JOIN without_results | names)
  list(FILTER files EXCLUDE REGEX "^(${names})/")
  list(SORT files COMPARE STRING CASE SENSITIVE)
  set(${variable} ${files} PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  cmake_minimum_required(VERSION 3.25)
  sources_of_results(files ${SOURCES})
  set(sums "")
  foreach(file IN LISTS files)
    file(SHA256 ${SOURCES}/${file} sum)
    string(APPEND sums "${sum}  ${file}\n")
  endforeach()
  string(SHA256 sum "${sums}")
  file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT "/* Made by cmake/identity.cmake. */
#include \"experiment/identity.h\"

const char identity_program[] = \"@VERSION@ sources @sum@\";
const char identity_compiler[] = \"@COMPILER@\";
")
  return()
endif()

string(TOLOWER ${CMAKE_C_COMPILER_ID} compiler)
if(compiler STREQUAL gnu)
  set(compiler gcc)
endif()
set(compiler "${compiler} ${CMAKE_C_COMPILER_VERSION}, ${CMAKE_SYSTEM_PROCESSOR}")
set(identity ${CMAKE_CURRENT_BINARY_DIR}/identity.c)
sources_of_results(deciding ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS)
add_custom_command(
  OUTPUT ${identity}
  COMMAND ${CMAKE_COMMAND} -DSOURCES=${CMAKE_CURRENT_SOURCE_DIR} -DOUTPUT=${identity} -DVERSION=${PROJECT_VERSION} -DCOMPILER=${compiler}
    -P ${CMAKE_CURRENT_LIST_FILE}
  DEPENDS ${deciding} ${CMAKE_CURRENT_LIST_FILE}
  COMMENT "Hashing the sources that decide results" VERBATIM)
