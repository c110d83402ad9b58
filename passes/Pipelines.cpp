//===- Pipelines.cpp - Named pipelines, each a flat list of passes --------===//
#include "passes/RegisterPasses.h"

void kevolve::registerPipelines() {}
