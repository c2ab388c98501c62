# SPDX-License-Identifier: Apache-2.0
# cmake --install: the command, the static libraries, the headers of include/, the CPU plugin, and
# what find_package(tirxcc) needs.
include(CMakePackageConfigHelpers)
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tirxcc)

get_property(modules GLOBAL PROPERTY TIRXCC_TEST_LIBS)
set_target_properties(tirxcc_public PROPERTIES EXPORT_NAME tirxcc)
install(TARGETS tirxcc_public ${modules} EXPORT tirxcc_targets)
install(EXPORT tirxcc_targets FILE tirxcc-targets.cmake NAMESPACE tirxcc::
        DESTINATION ${config_folder})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tirxcc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET tirxcc)
  install(TARGETS tirxcc)
endif()
if(TARGET tirxcc_cpu)
  install(TARGETS tirxcc_cpu LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/tirxcc-config.cmake.in
                              ${PROJECT_BINARY_DIR}/tirxcc-config.cmake
                              INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tirxcc-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tirxcc-config.cmake
              ${PROJECT_BINARY_DIR}/tirxcc-config-version.cmake
        DESTINATION ${config_folder})
