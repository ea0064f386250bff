# How our own code is compiled: link a target with `options`. Products are rounded before they are added, as on machines that cannot
# do otherwise: results are the same on all.
add_library(options INTERFACE)
target_compile_definitions(options INTERFACE _GNU_SOURCE SIMRUN_VERSION="${PROJECT_VERSION}")
target_compile_options(options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings -Wvla
  -Wformat=2 -ffp-contract=off $<$<BOOL:${WARNINGS_AS_ERRORS}>:-Werror>)

# The kernel, the networks and the programs call each other once per message: optimize across the files of the core, and of no
# others, which would only make the link step long (src/CMakeLists.txt). Fat objects can be linked without that, too, as the tests
# are: each would optimize all over again. Only gcc has them.
option(LTO "Optimise a release build across files, with gcc" ON)
if(LTO AND CMAKE_BUILD_TYPE STREQUAL Release AND CMAKE_C_COMPILER_ID STREQUAL GNU)
  include(CheckIPOSupported)
  check_ipo_supported(RESULT lto LANGUAGES C)
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ${lto})
  if(lto)
    target_compile_options(options INTERFACE -ffat-lto-objects)
  endif()
endif()
