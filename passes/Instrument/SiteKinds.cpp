//===- SiteKinds.cpp - Which operations are worth a site ------------------===//
#include "passes/Instrument/SiteKinds.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using kevolve::probe::SiteKind;

/// One line per operation; names as of Triton 3.7 to 3.9.
static const llvm::StringMap<SiteKind> &kindsByName() {
  static const llvm::StringMap<SiteKind> kinds = {
      {"tt.load", SiteKind::Load},
      {"tt.descriptor_load", SiteKind::Load},
      {"tt.descriptor_gather", SiteKind::Load},
      {"ttg.async_copy_global_to_local", SiteKind::Load},
      {"ttng.async_tma_copy_global_to_local", SiteKind::Load},
      {"ttng.async_tma_gather", SiteKind::Load},
      {"amdg.buffer_load", SiteKind::Load},
      {"amdg.buffer_load_to_local", SiteKind::Load},
      {"amdg.async_tdm_copy_global_to_local", SiteKind::Load},
      {"tile.load", SiteKind::Load},
      {"tile.gather", SiteKind::Load},
      {"tile.load_scalar", SiteKind::Load},
      {"mtia.dma_load", SiteKind::Load},
      {"tt.store", SiteKind::Store},
      {"tt.descriptor_store", SiteKind::Store},
      {"tt.descriptor_scatter", SiteKind::Store},
      {"tt.descriptor_reduce", SiteKind::Store},
      {"ttng.async_tma_copy_local_to_global", SiteKind::Store},
      {"ttng.async_tma_reduce", SiteKind::Store},
      {"ttng.async_tma_scatter", SiteKind::Store},
      {"amdg.buffer_store", SiteKind::Store},
      {"amdg.async_tdm_copy_local_to_global", SiteKind::Store},
      {"tile.store", SiteKind::Store},
      {"tile.scatter", SiteKind::Store},
      {"tile.store_scalar", SiteKind::Store},
      {"mtia.dma_store", SiteKind::Store},
      {"tt.dot", SiteKind::Dot},
      {"tt.dot_scaled", SiteKind::Dot},
      {"ttng.warp_group_dot", SiteKind::Dot},
      {"ttng.tc_gen5_mma", SiteKind::Dot},
      {"ttng.tc_gen5_mma_scaled", SiteKind::Dot},
      {"linalg.matmul", SiteKind::Dot},
      {"linalg.batch_matmul", SiteKind::Dot},
      {"mtia.dpe_matmul", SiteKind::Dot},
      {"tt.reduce", SiteKind::Reduce},
      {"linalg.reduce", SiteKind::Reduce},
      {"tt.scan", SiteKind::Scan},
      {"tt.histogram", SiteKind::Compute},
      {"tt.map_elementwise", SiteKind::Compute},
      {"tt.call", SiteKind::Scope},
      {"ttg.warp_specialize", SiteKind::Scope},
      {"linalg.fill", SiteKind::Compute},
      {"linalg.map", SiteKind::Compute},
      {"linalg.broadcast", SiteKind::Compute},
      {"linalg.transpose", SiteKind::Compute},
      {"mtia.fill", SiteKind::Compute},
      {"mtia.se_unary", SiteKind::Compute},
      {"tt.atomic_rmw", SiteKind::Atomic},
      {"tt.atomic_cas", SiteKind::Atomic},
      {"amdg.buffer_atomic_rmw", SiteKind::Atomic},
      {"amdg.buffer_atomic_cas", SiteKind::Atomic},
      {"tile.atomic_rmw", SiteKind::Atomic},
      {"tile.atomic_cas", SiteKind::Atomic},
      {"gpu.barrier", SiteKind::Barrier},
      {"ttg.barrier", SiteKind::Barrier},
      {"ttg.async_wait", SiteKind::Barrier},
      {"ttng.warp_group_dot_wait", SiteKind::Barrier},
      {"ttng.wait_barrier", SiteKind::Barrier},
      {"ttng.async_tma_store_wait", SiteKind::Barrier},
      {"ttng.cluster_barrier", SiteKind::Barrier},
      {"amdg.async_wait", SiteKind::Barrier},
      {"amdg.async_tdm_wait", SiteKind::Barrier},
      {"mtia.wait", SiteKind::Barrier},
      {"mtia.wait_all", SiteKind::Barrier},
  };
  return kinds;
}

std::optional<SiteKind> kevolve::siteKindOf(Operation *op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return generic.getNumReductionLoops() ? SiteKind::Reduce
                                          : SiteKind::Compute;
  auto entry = kindsByName().find(op->getName().getStringRef());
  if (entry == kindsByName().end())
    return std::nullopt;
  return entry->second;
}

bool kevolve::isLoop(Operation *op) {
  return isa<scf::ForOp, scf::WhileOp, scf::ParallelOp, scf::ForallOp>(op);
}

Block *kevolve::iterationBody(Operation *op) {
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return loop.getAfterBody();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return loop.getBody();
  return nullptr;
}

Operation *kevolve::findAwaited(Operation *op) {
  if (op->getName().getStringRef() != "mtia.wait")
    return nullptr;
  Value ticket = op->getOperand(0);
  llvm::SmallPtrSet<void *, 8> visited;
  while (auto argument = dyn_cast<BlockArgument>(ticket)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument.getArgNumber() == 0 ||
        !visited.insert(argument.getAsOpaquePointer()).second)
      return nullptr;
    // What an iteration hands to the next is what that one waits for.
    ticket = loop.getTiedLoopYieldedValue(argument)->get();
  }
  return ticket.getDefiningOp();
}

Attribute kevolve::getInherent(Operation *op, StringRef name) {
  if (op->isRegistered())
    return op->getAttr(name);
  auto properties =
      dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute());
  if (Attribute value = properties ? properties.get(name) : Attribute())
    return value;
  return op->getDiscardableAttr(name);
}

static bool isPrivate(Operation *function) {
  auto visibility = dyn_cast_or_null<StringAttr>(
      kevolve::getInherent(function, SymbolTable::getVisibilityAttrName()));
  return visibility && visibility.getValue() != "public";
}

/// Where some function of the module says that it is the kernel, no other is.
static bool isMarkedOrAlone(func::FuncOp function) {
  if (function->hasAttr("kevolve.kernel"))
    return true;
  auto module = function->getParentOfType<ModuleOp>();
  return llvm::none_of(module.getOps<func::FuncOp>(), [](func::FuncOp other) {
    return other->hasAttr("kevolve.kernel");
  });
}

bool kevolve::isKernel(Operation *op) {
  bool isTriton = op->getName().getStringRef() == "tt.func";
  auto function = dyn_cast<func::FuncOp>(op);
  if ((!isTriton && !function) || op->getRegion(0).empty() || isPrivate(op))
    return false;
  return isTriton || isMarkedOrAlone(function);
}
