# SPDX-License-Identifier: Apache-2.0
# tirxcc::tirxcc, all that a foreign project sees: the headers of include/, C++20, and a link to
# the driver that lets nothing of ours through (warnings, the headers of src/, fmt). Building it
# builds the CPU plugin too, which is loaded at run time and linked by nobody.
add_library(tirxcc_public INTERFACE)
add_library(tirxcc::tirxcc ALIAS tirxcc_public)
target_include_directories(tirxcc_public
                           INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                     $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(tirxcc_public INTERFACE cxx_std_20)
target_link_libraries(tirxcc_public INTERFACE tl::expected $<LINK_ONLY:tirxcc_driver>)
if(TIRXCC_CPU)
  add_dependencies(tirxcc_public tirxcc_cpu)
endif()
