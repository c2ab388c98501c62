# SPDX-License-Identifier: Apache-2.0
# tirxcc_module(NAME [DEPENDS module...] [LINK library...]): the static library of one folder of
# src/. Sources are every *.cc in it but *_test.cc, which go into the one unit-test program. The
# options reach whatever links a module; foreign projects link tirxcc::tirxcc, which holds them back.

add_library(tirxcc_options INTERFACE)
target_include_directories(tirxcc_options INTERFACE ${PROJECT_SOURCE_DIR}/src
                                                    ${PROJECT_SOURCE_DIR}/include)
target_compile_options(tirxcc_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wswitch-enum)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees an overlap in `"x" + std::string` that is not there (GCC bug 105651).
  target_compile_options(tirxcc_options INTERFACE -Wno-restrict)
endif()
# Not CMake's -O3: a compilation runs once through hundreds of KiB of code, and the smaller half of
# them is the faster one.
target_compile_options(tirxcc_options INTERFACE $<$<CONFIG:Release>:-O2>)
if(TIRXCC_WERROR)
  target_compile_options(tirxcc_options INTERFACE -Werror)
endif()
if(TIRXCC_SANITIZE)
  if(TIRXCC_SANITIZE STREQUAL thread)
    set(sanitizers thread)
    target_compile_definitions(tirxcc_options INTERFACE TIRXCC_SANITIZE_THREAD)
  else()
    set(sanitizers address,undefined)
    target_compile_definitions(tirxcc_options INTERFACE TIRXCC_SANITIZE_ADDRESS)
  endif()
  target_compile_options(tirxcc_options INTERFACE -fsanitize=${sanitizers}
                                                  -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(tirxcc_options INTERFACE -fsanitize=${sanitizers})
endif()

set_property(GLOBAL PROPERTY TIRXCC_TEST_SOURCES "")
set_property(GLOBAL PROPERTY TIRXCC_TEST_LIBS "")

function(tirxcc_module name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cc)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(TRANSFORM ARG_DEPENDS PREPEND tirxcc_)
  if(sources)
    add_library(tirxcc_${name} STATIC ${sources})
    target_link_libraries(tirxcc_${name} PUBLIC $<BUILD_INTERFACE:tirxcc_options> ${ARG_DEPENDS} ${ARG_LINK})
  else()
    add_library(tirxcc_${name} INTERFACE)
    target_link_libraries(tirxcc_${name} INTERFACE $<BUILD_INTERFACE:tirxcc_options> ${ARG_DEPENDS} ${ARG_LINK})
  endif()
  set_property(GLOBAL APPEND PROPERTY TIRXCC_TEST_SOURCES ${tests})
  set_property(GLOBAL APPEND PROPERTY TIRXCC_TEST_LIBS tirxcc_${name})
endfunction()

function(tirxcc_add_unit_tests)
  get_property(sources GLOBAL PROPERTY TIRXCC_TEST_SOURCES)
  get_property(libs GLOBAL PROPERTY TIRXCC_TEST_LIBS)
  if(NOT sources)
    return()
  endif()
  find_package(GTest REQUIRED)
  add_executable(tirxcc_unit_tests ${sources})
  target_link_libraries(tirxcc_unit_tests PRIVATE ${libs} GTest::gtest_main)
  if(TARGET tirxcc_cpu)
    add_dependencies(tirxcc_unit_tests tirxcc_cpu)
  endif()
  add_test(NAME unit COMMAND tirxcc_unit_tests)
endfunction()
