//===- ProbeBindings.cpp - Site tables and records for Python -------------===//
#include "python/bindings/ProbeBindings.h"
#include "dialects/Probe/Probe.h"
#include "profiling/decode/RecordFile.h"

#include "mlir-c/IR.h"
#include "mlir/Bindings/Python/NanobindAdaptors.h"
#include "mlir/CAPI/IR.h"
#include "mlir/IR/BuiltinOps.h"

namespace nb = nanobind;
using namespace kevolve;

static nb::str text(llvm::StringRef string) {
  return nb::str(string.data(), string.size());
}

/// A row as the keyword arguments of kevolve.records.Site.
static nb::dict siteRow(probe::SiteAttr site) {
  nb::dict row;
  row["id"] = site.getId();
  row["kind"] = text(probe::stringifySiteKind(site.getKind()));
  row["name"] = text(site.getName());
  row["file"] = text(site.getFile());
  row["line"] = site.getLine();
  row["column"] = site.getColumn();
  row["parent"] = site.getParent();
  row["static_bytes"] = site.getBytes();
  row["static_flops"] = site.getFlops();
  row["trip_count"] = site.getTripCount();
  return row;
}

static nb::list siteTable(MlirModule module) {
  nb::list rows;
  if (mlir::ArrayAttr table = probe::getSiteTable(unwrap(module)))
    for (auto site : table.getAsRange<probe::SiteAttr>())
      rows.append(siteRow(site));
  return rows;
}

/// The records as tuples (count, total, first begin, last end), worker-major.
static nb::list decodeRecords(nb::bytes data) {
  RecordFile file;
  std::string problem = decodeRecordFile(
      reinterpret_cast<const unsigned char *>(data.data()), data.size(), file);
  if (!problem.empty())
    throw nb::value_error(problem.c_str());
  nb::list records;
  for (const kevolve_record &record : file.records)
    records.append(nb::make_tuple(record.count, record.total_cycles,
                                  record.first_begin, record.last_end));
  return records;
}

void kevolve::bindProbes(nb::module_ &m) {
  m.def("site_table", siteTable, nb::arg("module"),
        "The rows of a module's `probe.sites`, as dictionaries");
  m.def("decode_records", decodeRecords, nb::arg("data"),
        "The records of a record file; ValueError says what is wrong with it");
}
