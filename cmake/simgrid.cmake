# SimGrid is loaded by the program itself, and only where a platform needs it: see src/sim/platform/simgrid.h. So only its headers
# are needed to build, and the name of its library: where the system looks for libraries, the name alone.
# SPDX-License-Identifier: BSD-3-Clause
if(NOT SIMRUN_SIMGRID)
  return()
endif()
find_library(SIMGRID_FILE simgrid HINTS ${SIMGRID_LIBRARY_DIRS} NO_CACHE REQUIRED)
file(REAL_PATH ${SIMGRID_FILE} SIMGRID_FILE)
cmake_path(GET SIMGRID_FILE PARENT_PATH folder)
if(folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
  cmake_path(GET SIMGRID_FILE FILENAME SIMGRID_FILE)
endif()
add_library(simgrid_headers INTERFACE)
target_include_directories(simgrid_headers SYSTEM INTERFACE ${SIMGRID_INCLUDE_DIRS})
target_compile_definitions(simgrid_headers INTERFACE SIMGRID_LIBRARY="${SIMGRID_FILE}")
