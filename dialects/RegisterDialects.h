//===- RegisterDialects.h - The one list of kevolve's dialects --*- C++ -*-===//
#ifndef KEVOLVE_DIALECTS_REGISTERDIALECTS_H
#define KEVOLVE_DIALECTS_REGISTERDIALECTS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace kevolve {
/// Adds every dialect of the project, and their external interface models.
void registerDialects(mlir::DialectRegistry &registry);
} // namespace kevolve

#endif // KEVOLVE_DIALECTS_REGISTERDIALECTS_H
