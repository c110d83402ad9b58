# Finds MLIR 22 once, for the whole project.
#
# Looked up in this order: -DMLIR_DIR / -DLLVM_DIR (any MLIR 22: a distribution's
# package, your own build), else the PyPI wheels xtc-mlir-dev and xtc-llvm-dev of
# the Python that runs CMake.

find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter Development.Module)

function(_kevolve_wheel_root package out)
  execute_process(
    COMMAND "${Python3_EXECUTABLE}" -c
            "import importlib.util as u; s=u.find_spec('${package}'); print(list(s.submodule_search_locations)[0] if s else '')"
    OUTPUT_VARIABLE root OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  set(${out} "${root}" PARENT_SCOPE)
endfunction()

macro(kevolve_find_mlir)
  _kevolve_wheel_root(mlir KEVOLVE_MLIR_ROOT)
  _kevolve_wheel_root(llvm KEVOLVE_LLVM_ROOT)
  if(NOT MLIR_DIR AND KEVOLVE_MLIR_ROOT)
    set(MLIR_DIR "${KEVOLVE_MLIR_ROOT}/lib/cmake/mlir")
  endif()
  if(NOT LLVM_DIR AND KEVOLVE_LLVM_ROOT)
    set(LLVM_DIR "${KEVOLVE_LLVM_ROOT}/lib/cmake/llvm")
  endif()
  find_package(MLIR REQUIRED CONFIG)
  if(NOT LLVM_PACKAGE_VERSION VERSION_GREATER_EQUAL 22 OR NOT LLVM_PACKAGE_VERSION VERSION_LESS 23)
    message(FATAL_ERROR "kevolve needs MLIR 22, found ${LLVM_PACKAGE_VERSION} in ${MLIR_DIR}")
  endif()
  message(STATUS "Using MLIR ${LLVM_PACKAGE_VERSION} in ${MLIR_DIR}")
  list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
  include(TableGen)
  include(AddLLVM)
  include(AddMLIR)
  separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND ${LLVM_DEFINITIONS})
  add_definitions(${LLVM_DEFINITIONS_LIST})
  set(KEVOLVE_MLIR_INCLUDES ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
endmacro()
