// Two workers: the kernel takes 1000 and 600 cycles, of which the loads take 600 and 300,
// and the dots 200 and 100.
// RUN: %python %S/Inputs/write_records.py %t.records mtia 0 1:1000,4:600,4:200 1:600,4:300,4:100
// RUN: kevolve-opt %s --trace-synthesize="records=%t.records output=%t.json print-summary=true" 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: FileCheck %s --check-prefix=SUMMARY --input-file=%t.err
//
// With the launch's metrics, and without any records:
// RUN: kevolve-opt %s --trace-synthesize="records=%t.records metrics=%S/Inputs/bandwidth.json output=%t.both.json max-sites=1" | FileCheck %s
// RUN: FileCheck %s --check-prefix=BOTH --input-file=%t.both.json
// RUN: kevolve-opt %s --trace-synthesize="metrics=%S/Inputs/bandwidth.json output=%t.metrics.json" | FileCheck %s --check-prefix=UNMEASURED
// RUN: FileCheck %s --check-prefix=METRICS --input-file=%t.metrics.json
//
// One record in 19 was lost:
// RUN: %python %S/Inputs/write_records.py %t.records mtia 1 1:1000,4:600,4:200 1:600,4:300,4:100
// RUN: kevolve-opt %s --trace-synthesize="records=%t.records output=%t.dropped.json"
// RUN: FileCheck %s --check-prefix=DROPPED --input-file=%t.dropped.json

// CHECK: #probe.site<id = 0,{{.*}} measured = <count = 2, total_cycles = 1600, self_cycles = 400, self_share = 2.500000e-01>>
// CHECK-SAME: #probe.site<id = 1,{{.*}} measured = <count = 8, total_cycles = 900, self_cycles = 900, self_share = 5.625000e-01>>
// CHECK-SAME: #probe.site<id = 2,{{.*}} measured = <count = 8, total_cycles = 300, self_cycles = 300, self_share = 1.875000e-01>>
// CHECK: probe.begin 0 {probe.measured = #probe.measured<count = 2, total_cycles = 1600,
// CHECK: probe.begin 1 {probe.measured = #probe.measured<count = 8, total_cycles = 900,
// A cycle read of a probe that is lowered already.
// CHECK: llvm.inline_asm has_side_effects {probe.measured = #probe.measured<count = 8, total_cycles = 300,
// UNMEASURED-NOT: measured

// The longest worker takes 25 % more than the mean: 20 % of the time of the mean one is idle. Of
// the rest, 0.5625 is loads (0.45 of the time), 0.25 other (0.2). 0.45 / 0.65 * 0.7 = 0.4846.
// JSON: "version": 1,
// JSON-NEXT: "target": "mtia",
// JSON-NEXT: "kernel": "mm",
// JSON-NEXT: "bottleneck": "memory-bandwidth",
// JSON-NEXT: "confidence": 0.4846
// JSON: "name": "time.share.memory-bandwidth",
// JSON-NEXT: "value": 0.4{{5|4999}}
// JSON: "source": "derived: probes.memory.share, probes.memory_wait.share"
// JSON: "name": "time.share.imbalance",
// JSON-NEXT: "value": 0.2{{,|0000}}
// JSON: "name": "probes.memory.share",
// JSON-NEXT: "value": 0.5625,
// JSON-NEXT: "unit": "fraction",
// JSON-NEXT: "source": "probes"
// JSON: "roofline": null,
// JSON-NEXT: "hot_sites": [
// JSON: "id": 1,
// JSON-NEXT: "kind": "load",
// JSON-NEXT: "name": "mtia.dma_load",
// JSON-NEXT: "file": "mm.py",
// JSON-NEXT: "line": 9,
// JSON-NEXT: "column": 20,
// JSON-NEXT: "parent": 0,
// JSON-NEXT: "static_bytes": 4096,
// JSON-NEXT: "static_flops": 0,
// JSON-NEXT: "trip_count": -1
// JSON-NEXT: },
// JSON-NEXT: "count": 8,
// JSON-NEXT: "total_cycles": 900,
// JSON-NEXT: "self_cycles": 900,
// JSON-NEXT: "self_share": 0.5625
// JSON: "id": 0,
// JSON: "id": 2,
// JSON: "knowledge": []

// SUMMARY: mm on mtia: memory-bandwidth (confidence 0.48)
// SUMMARY: 56.2 % 8 x load mtia.dma_load mm.py:9:20

// DRAM at 0.8 of its peak for 0.9 of the time: 0.72, against 0.18 of the DPE.
// METRICS: "kernel": "softmax",
// METRICS-NEXT: "bottleneck": "memory-bandwidth",
// METRICS-NEXT: "confidence": 0.{{8|79999}}
// METRICS: "name": "time.share.memory-bandwidth",
// METRICS-NEXT: "value": 0.72{{,|0000}}
// METRICS: "name": "time.share.compute",
// METRICS-NEXT: "value": 0.18{{,|0000}}
// METRICS: "name": "dram.utilization",
// METRICS: "name": "stall.memory.share",
// METRICS: "name": "kernel.time",
// METRICS: "arithmetic_intensity_flop_per_byte": 10,
// METRICS-NEXT: "achieved_flop_per_s": {{1000000000000|999999999999}}
// METRICS-NEXT: "roof_flop_per_s": 2000000000000,
// METRICS-NEXT: "peak_flop_per_s": 100000000000000,
// METRICS-NEXT: "peak_bytes_per_s": 200000000000
// METRICS: "hot_sites": [],

// BOTH: "confidence": 0.{{8|79999}}
// BOTH: "hot_sites": [
// BOTH: "id": 1,
// BOTH-NOT: "id":

// 0.4846 * 18 / 19
// DROPPED: "confidence": 0.4591
// DROPPED: "name": "probes.dropped",
// DROPPED-NEXT: "value": 1,
#kernel = #probe.site<id = 0, kind = kernel, name = "mm", loc = "mm.py":4:0, parent = -1, bytes = 0, flops = 0, trip_count = -1>
#load = #probe.site<id = 1, kind = load, name = "mtia.dma_load", loc = "mm.py":9:20, parent = 0, bytes = 4096, flops = 0, trip_count = -1>
#dot = #probe.site<id = 2, kind = dot, name = "mtia.dpe_matmul", loc = "mm.py":10:15, parent = 0, bytes = 0, flops = 262144, trip_count = -1>
module attributes {probe.sites = [#kernel, #load, #dot]} {
  func.func @mm() {
    %kernel = probe.begin 0 : !probe.token
    %load = probe.begin 1 : !probe.token
    probe.end %load, 1
    %dot = llvm.inline_asm has_side_effects {probe.site = 2 : i32} "rdcycle $0", "=r,~{memory}" : () -> i64
    probe.end %kernel, 0
    return
  }
}
