# What is installed of the library, also where nothing else is built (CORE_ONLY): simrun.h and fast.h, and the headers that they
# include; for pkg-config, and for find_package(simrun).
# SPDX-License-Identifier: BSD-3-Clause
set(includedir ${CMAKE_INSTALL_INCLUDEDIR}/simrun)
set(packagedir ${CMAKE_INSTALL_LIBDIR}/cmake/simrun)
set_target_properties(simrun_core PROPERTIES EXPORT_NAME simrun)
target_include_directories(simrun_core INTERFACE $<INSTALL_INTERFACE:${includedir}>)
install(TARGETS simrun_core EXPORT simrun)
install(EXPORT simrun NAMESPACE simrun:: FILE simrunConfig.cmake DESTINATION ${packagedir})
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/simrunConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/simrunConfigVersion.cmake DESTINATION ${packagedir})
# Of the core's names users see those of the public headers alone; and what only this compiler can link is left out. What is
# sanitized, or measures its coverage, stays as it is.
if(CMAKE_BUILD_TYPE STREQUAL Release)
  install(CODE "set(library \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libsimrun.a\")")
  install(CODE "set(linker ${CMAKE_LINKER})\nset(objcopy ${CMAKE_OBJCOPY})\nset(archiver ${CMAKE_AR})")
  install(SCRIPT cmake/install_library.cmake)
endif()
install(FILES src/core/simrun.h src/core/fast.h DESTINATION ${includedir})
foreach(header IN ITEMS base/error.h base/units.h base/scale.h interval/interval.h base/subject.h
    metrics/kinds.def metrics/list.def metrics/measure.h metrics/measures.def metrics/result.h metrics/tables.h metrics/words.h)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES src/${header} DESTINATION ${includedir}/${folder})
endforeach()
file(RELATIVE_PATH prefix_from_pkgconfig ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" prefix_from_pkgconfig "${prefix_from_pkgconfig}")
configure_file(simrun.pc.in simrun.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/simrun.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# cmake --build ... --target uninstall removes what the last installation has installed.
add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
  -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake VERBATIM)
