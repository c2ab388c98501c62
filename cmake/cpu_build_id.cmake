# SPDX-License-Identifier: Apache-2.0
# TIRXCC_CPU_BUILD_ID: a hash of the headers that the CPU plugin shares with the library which
# loads it. The two exchange pointers to these structures, so they must come from one build.
file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/base/*.h
                                    ${PROJECT_SOURCE_DIR}/src/source/source.h
                                    ${PROJECT_SOURCE_DIR}/src/abi/dtype.h
                                    ${PROJECT_SOURCE_DIR}/src/abi/cpu_plugin.h
                                    ${PROJECT_SOURCE_DIR}/src/intrinsics/intrinsics.h
                                    ${PROJECT_SOURCE_DIR}/src/ir/ir.h
                                    ${PROJECT_SOURCE_DIR}/src/ir/cpu_kernel.h)
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})
set(hashes "${PROJECT_VERSION}-${CMAKE_BUILD_TYPE}-${TIRXCC_SANITIZE}")
foreach(header IN LISTS headers)
  file(SHA256 ${header} hash)
  string(APPEND hashes ${hash})
endforeach()
string(SHA256 TIRXCC_CPU_BUILD_ID "${hashes}")
