install(TARGETS eppa-recover ${libraries} OPTIONAL) # ./simrun builds neither
install(FILES eppa.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
