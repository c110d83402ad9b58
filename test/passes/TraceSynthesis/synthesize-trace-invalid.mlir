// RUN: not kevolve-opt %s --trace-synthesize 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: trace-synthesize: needs records=FILE or metrics=FILE, or both

// RUN: not kevolve-opt %s --trace-synthesize="records=%t.none" 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: trace-synthesize: cannot read {{.*}}.none: No such file or directory

// RUN: not kevolve-opt %s --trace-synthesize="records=%s" 2>&1 | FileCheck %s --check-prefix=MAGIC
// MAGIC: error: trace-synthesize: {{.*}}.mlir: not a record file: it does not begin with KEVPROBE

// RUN: %python %S/Inputs/write_records.py %t.records mtia 0 1:10,1:5
// RUN: not kevolve-opt %s --trace-synthesize="records=%t.records" 2>&1 | FileCheck %s --check-prefix=SITES
// SITES: error: trace-synthesize: {{.*}}.records: records of 2 sites, but the module has 1

// RUN: %python -c "import sys; open(sys.argv[1], 'wb').write(open(sys.argv[2], 'rb').read()[:100])" %t.short %t.records
// RUN: not kevolve-opt %s --trace-synthesize="records=%t.short" 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: error: trace-synthesize: {{.*}}.short: truncated or too long: 36 bytes of records, but 1 workers with 2 sites have 2 records of 32 bytes

// RUN: %python %S/Inputs/write_records.py %t.records mtia 0 0:0
// RUN: not kevolve-opt %s --trace-synthesize="records=%t.records" 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: trace-synthesize: neither records nor metrics say where the time goes

// RUN: not kevolve-opt %s --trace-synthesize="metrics=%s" 2>&1 | FileCheck %s --check-prefix=JSON
// JSON: error: trace-synthesize: {{.*}}.mlir: [1:1, byte=1]: Invalid JSON value

// RUN: %python -c "import sys; open(sys.argv[1], 'w').write('{\"target\": \"mtia\", \"kernel\": \"k\", \"metrics\": [{\"name\": \"a\", \"value\": \"b\", \"unit\": \"\", \"source\": \"\"}]}')" %t.json
// RUN: not kevolve-opt %s --trace-synthesize="metrics=%t.json" 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: error: trace-synthesize: {{.*}}.json: expected number at metrics file.metrics[0].value

// RUN: %python %S/Inputs/write_records.py %t.records mtia 0 1:10
// RUN: not kevolve-opt %s --trace-synthesize="records=%t.records output=%t.none/diagnosis.json" 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: error: trace-synthesize: cannot write {{.*}}/diagnosis.json: No such file or directory
module attributes {probe.sites = [#probe.site<id = 0, kind = kernel, name = "k", loc = "":0:0, parent = -1, bytes = 0, flops = 0, trip_count = -1>]} {
}
