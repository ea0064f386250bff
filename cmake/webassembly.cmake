# The whole command as WebAssembly, for the laboratory: without processes, SimGrid, OTF2, SQLite and zlib, and with
# libxml2 from its sources (LIBXML2_SOURCES), of which only what simrun calls is compiled.
# SPDX-License-Identifier: BSD-3-Clause
set(LIBXML2_SOURCES "" CACHE PATH "The sources of libxml2, 2.9.14 or later: parser.c, ..., include/")
foreach(switch IN ITEMS OTF2 SQLITE SIMGRID ZLIB PROCESSES)
  set(SIMRUN_${switch} OFF CACHE BOOL "" FORCE)
endforeach()
add_library(PkgConfig::ZLIB INTERFACE IMPORTED GLOBAL)

set(folder ${PROJECT_BINARY_DIR}/libxml2)
file(REMOVE_RECURSE ${folder})
file(COPY ${LIBXML2_SOURCES}/include/ DESTINATION ${folder}/include FILES_MATCHING PATTERN *.h)
foreach(file IN ITEMS libxml.h buf.h enc.h save.h timsort.h trio.h triop.h triodef.h trionan.h elfgcchack.h trionan.c
    codegen)
  if(EXISTS ${LIBXML2_SOURCES}/${file}) # some are of 2.9 alone
    file(COPY ${LIBXML2_SOURCES}/${file} DESTINATION ${folder})
  endif()
endforeach()
# Of its parts the schema language RelaxNG, and what that needs.
file(STRINGS ${LIBXML2_SOURCES}/configure.ac VERSION
  REGEX "^m4_define\\(\\[(MAJOR|MINOR|MICRO)_VERSION\\], *[0-9]+\\)$")
list(TRANSFORM VERSION REPLACE ".*, *([0-9]+).*" "\\1")
list(JOIN VERSION . VERSION)
if(EXISTS ${LIBXML2_SOURCES}/VERSION)
  file(STRINGS ${LIBXML2_SOURCES}/VERSION VERSION)
endif()
string(REGEX REPLACE "^([0-9]+)\\.([0-9]+)\\.([0-9]+)$" "\\1 * 10000 + \\2 * 100 + \\3" LIBXML_VERSION_NUMBER
  "${VERSION}")
math(EXPR LIBXML_VERSION_NUMBER "${LIBXML_VERSION_NUMBER}")
message(STATUS "libxml2 ${VERSION}: ${LIBXML2_SOURCES}")
file(READ ${LIBXML2_SOURCES}/include/libxml/xmlversion.h.in version)
string(REGEX MATCHALL "@WITH_[A-Z0-9_]+@" parts "${version}")
foreach(part IN LISTS parts)
  string(REPLACE @ "" part ${part})
  set(${part} 0)
  if(part MATCHES "^WITH_(OUTPUT|PATTERN|REGEXPS|RELAXNG|SCHEMAS|TREE|VALID)$")
    set(${part} 1)
  endif()
endforeach()
configure_file(${LIBXML2_SOURCES}/include/libxml/xmlversion.h.in ${folder}/include/libxml/xmlversion.h @ONLY)
set(config)
foreach(name IN ITEMS CTYPE_H ERRNO_H FCNTL_H FLOAT_H LIMITS_H MATH_H STDARG_H STDINT_H STDLIB_H STRING_H SYS_STAT_H
    SYS_TIME_H SYS_TYPES_H TIME_H UNISTD_H SNPRINTF STAT VSNPRINTF)
  string(APPEND config "#define HAVE_${name} 1\n")
endforeach()
string(APPEND config "#define VA_COPY va_copy\n#define XML_SOCKLEN_T socklen_t\n#define XML_SYSCONFDIR \"/etc\"\n")
file(WRITE ${folder}/config.h "${config}")
set(sources)
foreach(name IN ITEMS SAX2 buf chvalid dict encoding entities error globals hash list parser parserInternals pattern relaxng threads
    tree uri valid xmlIO xmlmemory xmlregexp xmlsave xmlschemas xmlschemastypes xmlstring xmlunicode xpath)
  if(EXISTS ${LIBXML2_SOURCES}/${name}.c)
    list(APPEND sources ${LIBXML2_SOURCES}/${name}.c)
  endif()
endforeach()
add_library(xml2 STATIC ${sources})
target_compile_options(xml2 PRIVATE -w "-Ddup(descriptor)=(-1)") # which WASI does not have
target_include_directories(xml2 BEFORE PRIVATE ${folder} ${folder}/include)
target_include_directories(xml2 SYSTEM INTERFACE ${folder}/include)
add_library(PkgConfig::LIBXML2 ALIAS xml2)

# What wasi-libc does not say.
add_compile_definitions(P_tmpdir="/tmp" _WASI_EMULATED_GETPID _WASI_EMULATED_SIGNAL)
link_libraries(wasi-emulated-getpid wasi-emulated-signal)
