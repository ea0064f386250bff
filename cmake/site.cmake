# Target site: the documents as a static site in build/.../site, with the laboratory as its front attraction where that can be built. What is
# there is installed with the documents.
# SPDX-License-Identifier: BSD-3-Clause
find_program(MKDOCS mkdocs)
if(NOT MKDOCS)
  message(STATUS "no target site: it takes mkdocs (tools/install-packages site)")
  return()
endif()
set(laboratory)
if(TARGET lab)
  set(laboratory ${PROJECT_BINARY_DIR}/lab/lab.html)
endif()
add_custom_target(site COMMAND ${PROJECT_SOURCE_DIR}/tools/site ${PROJECT_BINARY_DIR}/site ${laboratory}
  COMMENT "Making the site" VERBATIM)
if(TARGET lab)
  add_dependencies(site lab)
endif()
install(DIRECTORY ${PROJECT_BINARY_DIR}/site DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
