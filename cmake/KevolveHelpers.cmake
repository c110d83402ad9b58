# Helpers for the C++ half. Everything of ours that touches MLIR is an object
# library: it is compiled once and linked into two products that must not share
# a process-wide MLIR with each other: the tool (against libMLIR.so) and the
# Python module (against the MLIRPythonCAPI library of the `mlir` package).

# Where built products go: next to the Python sources in a plain CMake build, so
# that PYTHONPATH=python works; scikit-build-core installs them itself.
if(SKBUILD)
  set(KEVOLVE_OUTPUT_DIR "${CMAKE_BINARY_DIR}/out")
else()
  set(KEVOLVE_OUTPUT_DIR "${CMAKE_SOURCE_DIR}/python/kevolve")
endif()
set(KEVOLVE_BIN_DIR "${KEVOLVE_OUTPUT_DIR}/bin")
set(KEVOLVE_NATIVE_DIR "${KEVOLVE_OUTPUT_DIR}/_native")

set(KEVOLVE_WARNINGS -Wall -Wextra -Wno-unused-parameter)

# Object library of MLIR code: kevolve_add_mlir_objects(Name sources... DEPENDS ...)
function(kevolve_add_mlir_objects name)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  add_library(${name} OBJECT ${ARG_UNPARSED_ARGUMENTS})
  target_compile_options(${name} PRIVATE -fno-rtti -fvisibility-inlines-hidden ${KEVOLVE_WARNINGS})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  set_property(GLOBAL APPEND PROPERTY KEVOLVE_MLIR_OBJECTS ${name})
endfunction()

# A page of docs/reference that tablegen writes: it goes into the package, where the test that
# compares it with the one in docs/reference finds it.
function(kevolve_add_reference page depends)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${page}")
  install(FILES "${source}" DESTINATION kevolve/_data/reference)
  if(NOT SKBUILD)
    add_custom_target(Kevolve${page} ALL
      COMMAND ${CMAKE_COMMAND} -E copy_if_different
              "${source}" "${KEVOLVE_OUTPUT_DIR}/_data/reference/${page}"
      DEPENDS ${depends})
  endif()
endfunction()

# Generates <Name>{Dialect,Ops,Types,Attrs,Enums}.{h,cpp}.inc from <Name>Ops.td (which
# includes the dialect, its types, attributes and enums) and the docs page.
function(kevolve_add_dialect name mnemonic)
  set(LLVM_TARGET_DEFINITIONS "${name}Ops.td")
  mlir_tablegen(${name}Dialect.h.inc -gen-dialect-decls -dialect=${mnemonic})
  mlir_tablegen(${name}Dialect.cpp.inc -gen-dialect-defs -dialect=${mnemonic})
  mlir_tablegen(${name}Ops.h.inc -gen-op-decls)
  mlir_tablegen(${name}Ops.cpp.inc -gen-op-defs)
  mlir_tablegen(${name}Types.h.inc -gen-typedef-decls -typedefs-dialect=${mnemonic})
  mlir_tablegen(${name}Types.cpp.inc -gen-typedef-defs -typedefs-dialect=${mnemonic})
  mlir_tablegen(${name}Attrs.h.inc -gen-attrdef-decls -attrdefs-dialect=${mnemonic})
  mlir_tablegen(${name}Attrs.cpp.inc -gen-attrdef-defs -attrdefs-dialect=${mnemonic})
  mlir_tablegen(${name}Enums.h.inc -gen-enum-decls)
  mlir_tablegen(${name}Enums.cpp.inc -gen-enum-defs)
  mlir_tablegen(${name}.md -gen-dialect-doc -dialect=${mnemonic})
  add_public_tablegen_target(Kevolve${name}IncGen)
  kevolve_add_reference(${name}.md Kevolve${name}IncGen)
  set_property(GLOBAL APPEND PROPERTY KEVOLVE_INC_GEN Kevolve${name}IncGen)
endfunction()

# Generates Passes.h.inc and the docs page of a folder of passes from its Passes.td.
function(kevolve_add_passes name)
  set(LLVM_TARGET_DEFINITIONS Passes.td)
  mlir_tablegen(Passes.h.inc -gen-pass-decls -name ${name})
  mlir_tablegen(${name}Passes.md -gen-pass-doc)
  add_public_tablegen_target(Kevolve${name}PassesIncGen)
  kevolve_add_reference(${name}Passes.md Kevolve${name}PassesIncGen)
  set_property(GLOBAL APPEND PROPERTY KEVOLVE_INC_GEN Kevolve${name}PassesIncGen)
endfunction()
