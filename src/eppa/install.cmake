# Installs the tracer: the libraries, with a pkg-config file each; eppa.h; the CMake package. ./simrun builds none of the
# libraries, and then installs none; so each makes its pkg-config file when it is built.
# SPDX-License-Identifier: BSD-3-Clause
include(CMakePackageConfigHelpers)
set(packagedir ${CMAKE_INSTALL_LIBDIR}/cmake/eppa)
file(RELATIVE_PATH prefix_from_pkgconfig ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" prefix_from_pkgconfig ${prefix_from_pkgconfig})
file(RELATIVE_PATH prefix_from_cmake ${CMAKE_INSTALL_PREFIX}/${packagedir} ${CMAKE_INSTALL_PREFIX})

install(TARGETS eppa-recover ${libraries} OPTIONAL)

set(titles "Open MPI" MPICH)
foreach(name mpi_title IN ZIP_LISTS names titles)
  if(TARGET ${name})
    configure_file(eppa.pc.in ${name}.pc @ONLY)
    add_custom_command(TARGET ${name} POST_BUILD VERBATIM
      COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc ${PROJECT_BINARY_DIR}/${name}.pc)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig OPTIONAL)
  endif()
endforeach()

configure_file(eppaConfig.cmake.in eppaConfig.cmake @ONLY)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/eppaConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/eppaConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/eppaConfigVersion.cmake DESTINATION ${packagedir}
  OPTIONAL)
