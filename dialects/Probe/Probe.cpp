//===- Probe.cpp - The probe dialect
//-------------------------------------------===//
#include "dialects/Probe/Probe.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kevolve::probe;

/// `"file":line:column`, as in a location.
static ParseResult parseSourcePosition(AsmParser &parser, std::string &file,
                                       unsigned &line, unsigned &column) {
  return failure(parser.parseString(&file) || parser.parseColon() ||
                 parser.parseInteger(line) || parser.parseColon() ||
                 parser.parseInteger(column));
}

static void printSourcePosition(AsmPrinter &printer, StringRef file,
                                unsigned line, unsigned column) {
  printer.printString(file);
  printer << ":" << line << ":" << column;
}

static ParseResult parseShare(AsmParser &parser, FailureOr<APFloat> &share) {
  double value = 0;
  if (parser.parseFloat(value))
    return failure();
  share = APFloat(value);
  return success();
}

static void printShare(AsmPrinter &printer, const APFloat &share) {
  printer.printFloat(share);
}

#include "dialects/Probe/ProbeDialect.cpp.inc"
#include "dialects/Probe/ProbeEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Probe/ProbeAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/Probe/ProbeTypes.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/Probe/ProbeOps.cpp.inc"

void ProbeDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Probe/ProbeAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/Probe/ProbeTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Probe/ProbeOps.cpp.inc"
      >();
}

SiteAttr SiteAttr::withMeasured(MeasuredAttr measured) const {
  return get(getContext(), getId(), getKind(), getName(), getFile(), getLine(),
             getColumn(), getParent(), getBytes(), getFlops(), getTripCount(),
             measured);
}

ArrayAttr kevolve::probe::getSiteTable(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto table =
            op->getAttrOfType<ArrayAttr>(ProbeDialect::getSitesAttrName()))
      return table;
  return {};
}

SiteAttr kevolve::probe::getSite(ArrayAttr table, int32_t id) {
  return cast<SiteAttr>(table[id]);
}

static LogicalResult verifySite(Operation *op, SiteAttr site, int64_t row) {
  if (site.getId() != row)
    return op->emitOpError("site ids must count up from 0: row ")
           << row << " of 'probe.sites' has id " << site.getId();
  bool isKernel = site.getKind() == SiteKind::Kernel;
  if (isKernel != (site.getParent() == -1))
    return op->emitOpError("site ")
           << row << ": a kernel has parent = -1, and only a kernel does";
  if (site.getParent() < -1 || site.getParent() >= site.getId())
    return op->emitOpError("site ")
           << row << ": its parent " << site.getParent()
           << " must come before it in the table";
  if (site.getBytes() < 0 || site.getFlops() < 0 || site.getTripCount() < -1)
    return op->emitOpError("site ")
           << row
           << ": bytes, flops and trip_count cannot be negative "
              "(trip_count = -1 when unknown)";
  return success();
}

static LogicalResult verifySites(Operation *op, Attribute value) {
  auto table = dyn_cast<ArrayAttr>(value);
  if (!table)
    return op->emitOpError("'probe.sites' must be an array of #probe.site");
  for (auto [row, entry] : llvm::enumerate(table)) {
    auto site = dyn_cast<SiteAttr>(entry);
    if (!site)
      return op->emitOpError(
                 "'probe.sites' must be an array of #probe.site, row ")
             << row << " is " << entry;
    if (failed(verifySite(op, site, row)))
      return failure();
  }
  return success();
}

static LogicalResult verifySiteMark(Operation *op, Attribute value) {
  auto id = dyn_cast<IntegerAttr>(value);
  ArrayAttr table = getSiteTable(op);
  if (!id || !table || id.getInt() < 0 || id.getInt() >= int64_t(table.size()))
    return op->emitOpError(
        "'probe.site' must be the id of a site in the module's site table");
  return success();
}

LogicalResult ProbeDialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attribute) {
  if (attribute.getName() == getSitesAttrName())
    return verifySites(op, attribute.getValue());
  if (attribute.getName() == getSiteAttrName())
    return verifySiteMark(op, attribute.getValue());
  if (attribute.getName() != getMeasuredAttrName())
    return op->emitOpError("unknown attribute '")
           << attribute.getName().getValue() << "' of the probe dialect";
  if (!isa<MeasuredAttr>(attribute.getValue()))
    return op->emitOpError("'probe.measured' must be a #probe.measured");
  return success();
}

LogicalResult BeginOp::verify() {
  ArrayAttr table = getSiteTable(*this);
  if (!table)
    return emitOpError("is in a module without a site table ('probe.sites')");
  auto site = static_cast<int32_t>(getSite());
  if (site < 0 || site >= int64_t(table.size()))
    return emitOpError("site ")
           << site << " is not in the module's site table, which has "
           << table.size() << " sites";
  if (getToken().use_empty())
    return emitOpError("site ") << getSite() << " is begun and never ended";
  return success();
}

LogicalResult EndOp::verify() {
  auto begin = getToken().getDefiningOp<BeginOp>();
  if (!begin)
    return emitOpError("its token must come from a probe.begin");
  if (begin.getSite() != getSite())
    return emitOpError("ends site ")
           << getSite() << " with the token of site " << begin.getSite();
  return success();
}
