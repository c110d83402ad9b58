//===- ProbeBindings.h - Site tables and records for Python -----*- C++ -*-===//
#ifndef KEVOLVE_PYTHON_BINDINGS_PROBEBINDINGS_H
#define KEVOLVE_PYTHON_BINDINGS_PROBEBINDINGS_H

#include <nanobind/nanobind.h>

namespace kevolve {
/// Adds `site_table(module)` and `decode_records(data)` to `m`.
void bindProbes(nanobind::module_ &m);
} // namespace kevolve

#endif // KEVOLVE_PYTHON_BINDINGS_PROBEBINDINGS_H
