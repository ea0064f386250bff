# Where things are installed, as folders below the prefix: programs, pkg-config and CMake files find each other by relative paths, so
# that what is installed can be moved, and `cmake --install --prefix` may go elsewhere. GNUInstallDirs allows absolute folders, too:
# those below the prefix are taken as relative ones, others are refused.
# SPDX-License-Identifier: BSD-3-Clause
foreach(name IN ITEMS BINDIR LIBDIR INCLUDEDIR DATAROOTDIR DATADIR DOCDIR MANDIR)
  set(folder "${CMAKE_INSTALL_${name}}")
  if(IS_ABSOLUTE "${folder}")
    cmake_path(IS_PREFIX CMAKE_INSTALL_PREFIX "${folder}" NORMALIZE is_below)
    if(NOT is_below)
      message(FATAL_ERROR "CMAKE_INSTALL_${name} is ${folder}, which is not below CMAKE_INSTALL_PREFIX, ${CMAKE_INSTALL_PREFIX}: "
        "simrun finds its files by relative paths. Give a relative folder, such as lib, "
        "without a type such as :PATH, or another prefix")
    endif()
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}" OUTPUT_VARIABLE CMAKE_INSTALL_${name})
  endif()
endforeach()
