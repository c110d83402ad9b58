//===- LowerProbesToAMDGCN.cpp - Probes with the clock of AMD GPUs --------===//
#include "dialects/Probe/Probe.h"
#include "passes/Instrument/LowerProbesToGpu.h"
#include "passes/Instrument/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace kevolve {
#define GEN_PASS_DEF_LOWERPROBESTOAMDGCNPASS
#include "passes/Instrument/Passes.h.inc"
} // namespace kevolve

using namespace mlir;

/// Major version of an architecture: 9 of gfx942 and gfx90a, 12 of gfx1201; 0
/// if it is not one. The last two digits are minor and stepping.
static unsigned majorVersion(StringRef arch) {
  unsigned major = 0;
  if (!arch.consume_front("gfx") || arch.size() < 3 ||
      arch.drop_back(2).getAsInteger(10, major))
    return 0;
  return major;
}

/// LLVM's AMDGPU backend: S_MEMTIME exists up to gfx10 and counts core cycles;
/// later chips give MSG_RTN_GET_REALTIME, which counts at a constant rate.
/// gfx12 has split the counter that s_waitcnt lgkmcnt waits on.
static kevolve::GpuClock clockOf(unsigned major) {
  std::string realtime =
      "s_sendmsg_rtn_b64 $0, sendmsg(MSG_RTN_GET_REALTIME)\n\t";
  if (major >= 12)
    return {realtime + "s_wait_kmcnt 0x0", "=s"};
  if (major == 11)
    return {realtime + "s_waitcnt lgkmcnt(0)", "=s"};
  return {"s_memtime $0\n\ts_waitcnt lgkmcnt(0)", "=s"};
}

namespace {
struct LowerProbesToAMDGCNPass
    : kevolve::impl::LowerProbesToAMDGCNPassBase<LowerProbesToAMDGCNPass> {
  using LowerProbesToAMDGCNPassBase::LowerProbesToAMDGCNPassBase;

  std::string readArch() {
    if (!arch.empty())
      return arch;
    auto target = getOperation()->getAttrOfType<StringAttr>("ttg.target");
    StringRef name = target ? target.getValue() : "";
    return name.consume_front("hip:") ? name.str() : "";
  }

  void runOnOperation() override {
    std::string name = readArch();
    unsigned major = majorVersion(name);
    if (!major) {
      getOperation().emitError("probe-lower-to-amdgcn: '")
          << name
          << "' is not an AMD architecture; give arch=gfx942 or a module with "
          << "ttg.target = \"hip:gfx942\"";
      return signalPassFailure();
    }
    if (failed(kevolve::lowerProbesToGpu(getOperation(), clockOf(major))))
      signalPassFailure();
  }
};
} // namespace
