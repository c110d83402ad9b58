//===- MtiaOps.td - Operations of the mtia dialect ----------*- tablegen -*-===//
#ifndef KEVOLVE_DIALECTS_MTIA_OPS
#define KEVOLVE_DIALECTS_MTIA_OPS

include "dialects/Mtia/MtiaDialect.td"

#endif // KEVOLVE_DIALECTS_MTIA_OPS
