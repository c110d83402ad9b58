//===- MtiaDialect.td - The mtia dialect --------------------*- tablegen -*-===//
#ifndef KEVOLVE_DIALECTS_MTIA_DIALECT
#define KEVOLVE_DIALECTS_MTIA_DIALECT

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Mtia_Dialect : Dialect {
  let name = "mtia";
  let cppNamespace = "::kevolve::mtia";
  let summary = "What a processing element of MTIA can do";
  let description = [{
    One operation per command of a PE's command processor (`dma_load`,
    `dma_store`, `fill`, `dpe_matmul`, `se_unary`), plus what a hart needs to
    live with commands that run by themselves (`wait`, `wait_all`), to know
    where it is (`pe_id`, `num_pes`) and to name a place in local memory
    (`local_buffer`). Memrefs are statically shaped and lie in local memory
    (LS), the default memory space; global memory is an `i64` byte address.

    A command returns a `!mtia.ticket`. The command processor orders commands
    that overlap in local memory by itself; a ticket is waited for only before
    the hart itself touches the data.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

def Mtia_TicketType : TypeDef<Mtia_Dialect, "Ticket"> {
  let mnemonic = "ticket";
  let summary = "A command that a hart has issued and may wait for";
}
def Mtia_Ticket : Type<CPred<"::llvm::isa<::kevolve::mtia::TicketType>($_self)">,
                       "a command's ticket", "::kevolve::mtia::TicketType">,
                  BuildableType<"$_builder.getType<::kevolve::mtia::TicketType>()">;

/// The functions the SE evaluates; the values are MTIA_SE_* of mtia_isa.h.
def Mtia_SeFunction : I32EnumAttr<"SeFunction", "a function of the SIMD engine", [
    I32EnumAttrCase<"Exp", 0, "exp">,
    I32EnumAttrCase<"Exp2", 1, "exp2">,
    I32EnumAttrCase<"Log", 2, "log">,
    I32EnumAttrCase<"Log2", 3, "log2">,
    I32EnumAttrCase<"Sin", 4, "sin">,
    I32EnumAttrCase<"Cos", 5, "cos">,
    I32EnumAttrCase<"Tanh", 6, "tanh">,
    I32EnumAttrCase<"Sigmoid", 7, "sigmoid">,
    I32EnumAttrCase<"Erf", 8, "erf">,
    I32EnumAttrCase<"Sqrt", 9, "sqrt">,
    I32EnumAttrCase<"Rsqrt", 10, "rsqrt">,
    I32EnumAttrCase<"Reciprocal", 11, "reciprocal">
  ]> {
  let cppNamespace = "::kevolve::mtia";
  let genSpecializedAttr = 0;
}
def Mtia_SeFunctionAttr : EnumAttr<Mtia_Dialect, Mtia_SeFunction, "se_function"> {
  let assemblyFormat = "`<` $value `>`";
}

/// DRAM and SRAM behind the NoC, as opposed to the local memory of memrefs.
def Mtia_GlobalMemory : Resource<"::kevolve::mtia::GlobalMemory">;

class Mtia_Op<string mnemonic, list<Trait> traits = []>
    : Op<Mtia_Dialect, mnemonic, traits>;

#endif // KEVOLVE_DIALECTS_MTIA_DIALECT
