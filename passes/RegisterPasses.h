//===- RegisterPasses.h - The one list of kevolve's passes -----*- C++ -*-===//
#ifndef KEVOLVE_PASSES_REGISTERPASSES_H
#define KEVOLVE_PASSES_REGISTERPASSES_H

namespace kevolve {
/// Registers every pass and every named pipeline of the project.
void registerPasses();
/// Registers the named pipelines (called by registerPasses).
void registerPipelines();
} // namespace kevolve

#endif // KEVOLVE_PASSES_REGISTERPASSES_H
