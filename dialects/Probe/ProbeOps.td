//===- ProbeOps.td - Operations of the probe dialect ----------*- tablegen -*-===//
#ifndef KEVOLVE_DIALECTS_PROBE_OPS
#define KEVOLVE_DIALECTS_PROBE_OPS

include "dialects/Probe/ProbeDialect.td"

#endif // KEVOLVE_DIALECTS_PROBE_OPS
