# How our own code is compiled: link a target with `options`. Products are rounded before they are added, as on machines that cannot
# do otherwise: results are the same on all.
# SPDX-License-Identifier: BSD-3-Clause
add_library(options INTERFACE)
target_compile_definitions(options INTERFACE _GNU_SOURCE SIMRUN_VERSION="${PROJECT_VERSION}")
target_compile_options(options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings -Wvla
  -Wformat=2 -ffp-contract=off $<$<BOOL:${WARNINGS_AS_ERRORS}>:-Werror>)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL wasm32) # there an index of 32 bits is as wide as a pointer
  target_compile_options(options INTERFACE -Wno-sign-conversion)
endif()

# The same bytes whatever folders sources and build are in: debugging information has both where distributions keep sources. (Of a
# relative name gcc writes the folder of the build into what is optimized across files.) In a debug build, or one that counts lines,
# tools look for the files themselves.
set(elsewhere)
if(NOT CMAKE_BUILD_TYPE STREQUAL Debug AND NOT CMAKE_C_FLAGS MATCHES "--coverage")
  set(elsewhere -ffile-prefix-map=${PROJECT_SOURCE_DIR}=/usr/src/simrun -ffile-prefix-map=${PROJECT_BINARY_DIR}=/usr/src/simrun/build)
  add_compile_options(${elsewhere})
endif()

# The kernel, the networks and the programs call each other once per message: optimize across the files of the core, and of no
# others, which would only make the link step long (src/CMakeLists.txt). Fat objects can be linked without that, too, as the tests
# are: each would optimize all over again. Only gcc has them.
option(LTO "Optimize a release build across files, with gcc" ON)
if(LTO AND CMAKE_BUILD_TYPE STREQUAL Release AND CMAKE_C_COMPILER_ID STREQUAL GNU)
  include(CheckIPOSupported)
  check_ipo_supported(RESULT lto LANGUAGES C)
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ${lto})
  if(lto)
    target_compile_options(options INTERFACE -ffat-lto-objects)
    # The linker compiles again. An assembler would add the folder of the build, and the names of sections would be random.
    add_compile_options(-gno-as-loc-support)
    add_link_options(${elsewhere})
    string(REPLACE "-c <SOURCE>" "-frandom-seed=<OBJECT> -c <SOURCE>" CMAKE_C_COMPILE_OBJECT "${CMAKE_C_COMPILE_OBJECT}")
  endif()
endif()
