# The laboratory, lab.html in the build: the whole command as WebAssembly, the page's scripts, and the labs, in one file. It is
# made when it is asked for (target lab), by a test, and when simrun is installed. It takes npm, clang for WebAssembly, and
# the npm registry and Debian's packages the first time.
# SPDX-License-Identifier: BSD-3-Clause
if(EXISTS ${prebuilt}/page.html) # cmake/page.cmake
  return()
endif()
find_program(CLANG NAMES clang)
find_program(WASM_LD NAMES wasm-ld)
find_path(WASI_HEADERS wasi/api.h PATHS /usr/include/wasm32-wasi)
if(NOT NPM OR NOT NODE OR NOT CLANG OR NOT WASM_LD OR NOT WASI_HEADERS)
  message(STATUS "no simrun lab: the laboratory takes npm, clang, lld and wasi-libc (tools/install-packages page lab)")
  return()
endif()

# libxml2: the system's own version of Debian's sources, with Debian's corrections, or other sources.
set(LIBXML2_SOURCES "" CACHE PATH "Sources of libxml2 for the laboratory, 2.9.14 or later; empty: Debian's are fetched")
set(libxml2_sources ${LIBXML2_SOURCES})
if(NOT libxml2_sources)
  find_program(APT_GET apt-get)
  find_program(DPKG_SOURCE dpkg-source)
  if(NOT APT_GET OR NOT DPKG_SOURCE)
    message(STATUS "no simrun lab: to fetch libxml2 takes apt-get and dpkg-source (tools/install-packages lab); "
      "or give its sources: -DLIBXML2_SOURCES=FOLDER")
    return()
  endif()
  set(libxml2_sources ${lab_build}/libxml2/sources)
  add_custom_command(OUTPUT ${libxml2_sources}/parser.c
    COMMAND ${PROJECT_SOURCE_DIR}/tools/libxml2-sources ${lab_build}/libxml2
    COMMAND ${CMAKE_COMMAND} -E touch ${libxml2_sources}/parser.c
    DEPENDS ${PROJECT_SOURCE_DIR}/tools/libxml2-sources COMMENT "Fetching the sources of libxml2" VERBATIM)
endif()

# What Debian says of the copyright of the libraries that WebAssembly is linked with, which the laboratory shows.
file(GLOB notice_folders /usr/share/doc/libclang-rt-*-dev-wasm32)
find_file(WASI_LIBC_NOTICE copyright PATHS /usr/share/doc/wasi-libc NO_DEFAULT_PATH)
find_file(COMPILER_RT_NOTICE copyright PATHS ${notice_folders} NO_DEFAULT_PATH)
if(NOT WASI_LIBC_NOTICE OR NOT COMPILER_RT_NOTICE)
  message(STATUS "no simrun lab: it shows notices of wasi-libc and compiler-rt, in Debian's format: "
    "-DWASI_LIBC_NOTICE=FILE -DCOMPILER_RT_NOTICE=FILE")
  return()
endif()

file(GLOB_RECURSE lab_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.c ${PROJECT_SOURCE_DIR}/src/*.h
  ${PROJECT_SOURCE_DIR}/src/*.def)
add_custom_command(OUTPUT ${lab_build}/wasm/simrun.wasm
  COMMAND ${CMAKE_COMMAND} -S ${PROJECT_SOURCE_DIR} -B ${lab_build}/wasm -G Ninja
    -DCMAKE_TOOLCHAIN_FILE=${PROJECT_SOURCE_DIR}/cmake/wasi.cmake -DCMAKE_BUILD_TYPE=Release
    "-DCMAKE_C_FLAGS_RELEASE=-O2 -DNDEBUG" "-DCMAKE_EXE_LINKER_FLAGS_RELEASE=-Wl,--strip-all" -DLTO=OFF -DBUILD_TESTING=${BUILD_TESTING}
    -DWARNINGS_AS_ERRORS=${WARNINGS_AS_ERRORS} -DLIBXML2_SOURCES=${libxml2_sources}
  COMMAND ${CMAKE_COMMAND} --build ${lab_build}/wasm --target simrun $<$<BOOL:${BUILD_TESTING}>:measures>
  COMMAND ${CMAKE_COMMAND} -E touch ${lab_build}/wasm/simrun.wasm
  DEPENDS ${libxml2_sources}/parser.c ${lab_sources} ${PROJECT_SOURCE_DIR}/cmake/webassembly.cmake
    ${PROJECT_SOURCE_DIR}/docs/glossary.md ${PROJECT_SOURCE_DIR}/docs/ref/reports.md $<$<BOOL:${BUILD_TESTING}>:${PROJECT_SOURCE_DIR}/tests/core/measures.c>
  COMMENT "Building simrun as WebAssembly" VERBATIM COMMAND_EXPAND_LISTS)

file(GLOB lab_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/page/lab/* ${PROJECT_SOURCE_DIR}/labs/*.md ${PROJECT_SOURCE_DIR}/labs/de/*.md ${PROJECT_SOURCE_DIR}/labs/solutions/*.md ${PROJECT_SOURCE_DIR}/labs/solutions/de/*.md
  ${PROJECT_SOURCE_DIR}/scenarios/*.xml ${PROJECT_SOURCE_DIR}/scenarios/own/* ${PROJECT_SOURCE_DIR}/scenarios/traces/*.ti ${PROJECT_SOURCE_DIR}/scenarios/reference/*.csv ${PROJECT_SOURCE_DIR}/platforms/*.xml)
add_custom_command(OUTPUT ${lab_build}/lab.html
  COMMAND ${NODE} ${PROJECT_SOURCE_DIR}/page/build_lab.mjs ${page_build} ${lab_build}/wasm ${libxml2_sources}
    ${lab_build}/lab.html wasi-libc=${WASI_LIBC_NOTICE} compiler-rt=${COMPILER_RT_NOTICE}
  DEPENDS ${page_build}/packages.stamp ${lab_build}/wasm/simrun.wasm ${PROJECT_SOURCE_DIR}/page/build_lab.mjs
    ${PROJECT_SOURCE_DIR}/page/bundle.mjs ${PROJECT_SOURCE_DIR}/page/texts.mjs ${PROJECT_SOURCE_DIR}/page/notices.mjs ${PROJECT_SOURCE_DIR}/LICENSE
    ${page_sources} ${lab_files} ${PROJECT_SOURCE_DIR}/docs/de/glossary.md
  COMMENT "Bundling the laboratory" VERBATIM)
add_custom_target(lab DEPENDS ${lab_build}/lab.html)
