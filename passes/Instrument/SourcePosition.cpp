//===- SourcePosition.cpp - From a location to the user's line ------------===//
#include "passes/Instrument/SourcePosition.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

/// Appends the source positions under `location`, innermost frame first.
static void collectFrames(Location location,
                          SmallVectorImpl<FileLineColLoc> &frames) {
  if (auto position = dyn_cast<FileLineColLoc>(location)) {
    frames.push_back(position);
  } else if (auto named = dyn_cast<NameLoc>(location)) {
    collectFrames(named.getChildLoc(), frames);
  } else if (auto call = dyn_cast<CallSiteLoc>(location)) {
    collectFrames(call.getCallee(), frames);
    collectFrames(call.getCaller(), frames);
  } else if (auto fused = dyn_cast<FusedLoc>(location)) {
    for (Location part : fused.getLocations()) {
      collectFrames(part, frames);
      if (!frames.empty())
        return; // the first part that is known stands for all of them
    }
  }
}

kevolve::SourcePosition kevolve::findSourcePosition(Location location,
                                                    StringRef ownFile) {
  SmallVector<FileLineColLoc> frames;
  collectFrames(location, frames);
  if (frames.empty())
    return {};
  auto *own = llvm::find_if(frames, [&](FileLineColLoc frame) {
    return frame.getFilename().getValue() == ownFile;
  });
  FileLineColLoc frame = own == frames.end() ? frames.back() : *own;
  return {frame.getFilename().str(), frame.getLine(), frame.getColumn()};
}

StringRef kevolve::findVariableName(Location location) {
  if (auto named = dyn_cast<NameLoc>(location))
    return named.getName().getValue();
  if (auto call = dyn_cast<CallSiteLoc>(location)) {
    StringRef inner = findVariableName(call.getCallee());
    return inner.empty() ? findVariableName(call.getCaller()) : inner;
  }
  auto fused = dyn_cast<FusedLoc>(location);
  if (!fused)
    return "";
  for (Location part : fused.getLocations())
    if (StringRef name = findVariableName(part); !name.empty())
      return name;
  return "";
}
