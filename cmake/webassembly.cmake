# The whole command as WebAssembly, for the laboratory: without processes, SimGrid, OTF2, SQLite and zlib, and with
# libxml2 from its sources (LIBXML2_SOURCES), of which only what simrun calls is compiled.
set(LIBXML2_SOURCES "" CACHE PATH "The sources of libxml2 2.9: parser.c, ..., include/")
foreach(switch IN ITEMS OTF2 SQLITE SIMGRID ZLIB PROCESSES)
  set(SIMRUN_${switch} OFF CACHE BOOL "" FORCE)
endforeach()
add_library(PkgConfig::ZLIB INTERFACE IMPORTED GLOBAL)

set(folder ${PROJECT_BINARY_DIR}/libxml2)
file(REMOVE_RECURSE ${folder})
file(COPY ${LIBXML2_SOURCES}/include/libxml DESTINATION ${folder}/include FILES_MATCHING PATTERN *.h)
foreach(header IN ITEMS libxml.h buf.h enc.h save.h timsort.h trio.h triop.h triodef.h trionan.h elfgcchack.h trionan.c)
  file(COPY ${LIBXML2_SOURCES}/${header} DESTINATION ${folder})
endforeach()
# Of its parts the schema language RelaxNG, and what that needs.
file(READ ${folder}/include/libxml/xmlversion.h version)
foreach(part IN ITEMS C14N CATALOG DEBUG DOCB FTP HTML HTTP ICONV ISO8859X LEGACY MODULES PUSH READER SAX1 SCHEMATRON THREAD THREAD_ALLOC
    WRITER XINCLUDE XPATH XPTR)
  string(REPLACE "#if 1\n#define LIBXML_${part}_ENABLED" "#if 0\n#define LIBXML_${part}_ENABLED" version "${version}")
endforeach()
file(WRITE ${folder}/include/libxml/xmlversion.h "${version}")
set(config)
foreach(name IN ITEMS CTYPE_H ERRNO_H FCNTL_H FLOAT_H LIMITS_H MATH_H STDARG_H STDLIB_H STRING_H SYS_STAT_H SYS_TIME_H SYS_TYPES_H
    TIME_H UNISTD_H SNPRINTF STAT VSNPRINTF)
  string(APPEND config "#define HAVE_${name} 1\n")
endforeach()
file(WRITE ${folder}/config.h "${config}#define VA_COPY va_copy\n#define XML_SOCKLEN_T socklen_t\n")
set(sources)
foreach(name IN ITEMS SAX2 buf chvalid dict encoding entities error globals hash list parser parserInternals pattern relaxng threads tree
    uri valid xmlIO xmlmemory xmlregexp xmlsave xmlschemas xmlschemastypes xmlstring xmlunicode xpath)
  list(APPEND sources ${LIBXML2_SOURCES}/${name}.c)
endforeach()
add_library(xml2 STATIC ${sources})
target_compile_options(xml2 PRIVATE -w)
target_include_directories(xml2 BEFORE PRIVATE ${folder} ${folder}/include)
target_include_directories(xml2 SYSTEM INTERFACE ${folder}/include)
add_library(PkgConfig::LIBXML2 ALIAS xml2)

# What wasi-libc does not say.
add_compile_definitions(P_tmpdir="/tmp" _WASI_EMULATED_GETPID _WASI_EMULATED_SIGNAL)
link_libraries(wasi-emulated-getpid wasi-emulated-signal)
