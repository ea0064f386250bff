# The laboratory, lab.html in the build: the whole command as WebAssembly, the page's scripts, and the labs, in one file. It is
# made when it is asked for (target lab), by a test, and when simrun is installed. It takes npm, clang for WebAssembly, and
# the npm registry the first time.
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

# libxml2 2.9.9: a package that brings its sources along.
set(libxml2_package libxmljs2 0.35.0)
set(libxml2_hash 4a9568a6a9f860dc9d9cb8e419f2fac90c338e58a99849c20ac56b0ffd21426760b1059be6b566489c718d096d1c8513b68dbdbe05fe3e12e35e873e80c78005)
list(JOIN libxml2_package - libxml2_archive)
list(JOIN libxml2_package @ libxml2_name)
set(libxml2_sources ${lab_build}/package/vendor/libxml)
add_custom_command(OUTPUT ${libxml2_sources}/parser.c
  COMMAND ${CMAKE_COMMAND} -E make_directory ${lab_build}
  COMMAND ${CMAKE_COMMAND} -E chdir ${lab_build} ${NPM} pack --loglevel=error --silent ${libxml2_name}
  COMMAND ${CMAKE_COMMAND} -DFILE=${lab_build}/${libxml2_archive}.tgz -DHASH=${libxml2_hash}
    -P ${PROJECT_SOURCE_DIR}/cmake/check_hash.cmake
  COMMAND ${CMAKE_COMMAND} -E chdir ${lab_build} ${CMAKE_COMMAND} -E tar xf ${libxml2_archive}.tgz --touch package/vendor/libxml
  COMMENT "Fetching the sources of libxml2" VERBATIM)

file(GLOB_RECURSE lab_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.c ${PROJECT_SOURCE_DIR}/src/*.h
  ${PROJECT_SOURCE_DIR}/src/*.def)
add_custom_command(OUTPUT ${lab_build}/wasm/simrun.wasm
  COMMAND ${CMAKE_COMMAND} -S ${PROJECT_SOURCE_DIR} -B ${lab_build}/wasm -G Ninja
    -DCMAKE_TOOLCHAIN_FILE=${PROJECT_SOURCE_DIR}/cmake/wasi.cmake -DCMAKE_BUILD_TYPE=Release
    "-DCMAKE_C_FLAGS_RELEASE=-O2 -DNDEBUG" "-DCMAKE_EXE_LINKER_FLAGS_RELEASE=-Wl,--strip-all" -DLTO=OFF -DBUILD_TESTING=${BUILD_TESTING}
    -DLIBXML2_SOURCES=${libxml2_sources}
  COMMAND ${CMAKE_COMMAND} --build ${lab_build}/wasm --target simrun $<$<BOOL:${BUILD_TESTING}>:measures>
  COMMAND ${CMAKE_COMMAND} -E touch ${lab_build}/wasm/simrun.wasm
  DEPENDS ${libxml2_sources}/parser.c ${lab_sources} ${PROJECT_SOURCE_DIR}/cmake/webassembly.cmake
    ${PROJECT_SOURCE_DIR}/docs/glossary.md ${PROJECT_SOURCE_DIR}/docs/ref/reports.md $<$<BOOL:${BUILD_TESTING}>:${PROJECT_SOURCE_DIR}/tests/core/measures.c>
  COMMENT "Building simrun as WebAssembly" VERBATIM COMMAND_EXPAND_LISTS)

file(GLOB lab_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/page/lab/* ${PROJECT_SOURCE_DIR}/labs/*.md ${PROJECT_SOURCE_DIR}/labs/solutions/*.md
  ${PROJECT_SOURCE_DIR}/scenarios/*.xml ${PROJECT_SOURCE_DIR}/scenarios/own/*.txt ${PROJECT_SOURCE_DIR}/scenarios/traces/*.ti ${PROJECT_SOURCE_DIR}/scenarios/reference/*.csv ${PROJECT_SOURCE_DIR}/platforms/*.xml)
add_custom_command(OUTPUT ${lab_build}/lab.html
  COMMAND ${NODE} ${PROJECT_SOURCE_DIR}/page/build_lab.mjs ${page_build} ${lab_build}/wasm/simrun.wasm ${lab_build}/lab.html
  DEPENDS ${page_build}/packages.stamp ${lab_build}/wasm/simrun.wasm ${PROJECT_SOURCE_DIR}/page/build_lab.mjs
    ${PROJECT_SOURCE_DIR}/page/bundle.mjs ${page_sources} ${lab_files}
  COMMENT "Bundling the laboratory" VERBATIM)
add_custom_target(lab DEPENDS ${lab_build}/lab.html)
