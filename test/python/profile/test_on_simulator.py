"""A kernel with probes, compiled for a PE and run: what it records is what the machine counted."""

import re

import numpy as np
import pytest
from kevolve.backends.mtia import codegen, device
from kevolve.backends.mtia.lowering import make_llir
from kevolve.diagnose import diagnose
from kevolve.profile.instrument import ProbeChoice
from kevolve.profile.records import RECORD_DTYPE, record_file
from kevolve.profile.sites import sites_of
from kevolve.records import Bottleneck
from kevolve.triton_bridge import crossing

_mtia_sim = pytest.importorskip("kevolve._native._mtia_sim")

TILES, ELEMENTS, PES = 24, 1024, 4

# Each PE takes every num_pes-th tile: loads it, waits, doubles it on the core, stores it.
KERNEL = """
module {
  func.func @double(%base: i64, %grid_x: i32, %grid_y: i32, %grid_z: i32, %probe_area: i64)
      attributes {kevolve.kernel} {
    %c0 = arith.constant 0 : index
    %lanes = arith.constant 16 : index
    %size = arith.constant 1024 : index
    %tiles = arith.index_cast %grid_x : i32 to index
    %pe = mtia.pe_id : index
    %pes = mtia.num_pes : index
    %bytes = arith.constant 4096 : i64
    %buf = mtia.local_buffer {offset = 4096 : i64} : memref<1024xf32>
    scf.for %tile = %pe to %tiles step %pes {
      %tile64 = arith.index_cast %tile : index to i64
      %offset = arith.muli %tile64, %bytes : i64
      %at = arith.addi %base, %offset : i64
      %load = mtia.dma_load %at strides [4] lower [0] upper [1024] into %buf
          : memref<1024xf32> -> !mtia.ticket
      mtia.wait %load
      scf.for %i = %c0 to %size step %lanes {
        %v = vector.load %buf[%i] : memref<1024xf32>, vector<16xf32>
        %w = arith.addf %v, %v : vector<16xf32>
        vector.store %w, %buf[%i] : memref<1024xf32>, vector<16xf32>
      }
      %store = mtia.dma_store %buf to %at strides [4] lower [0] upper [1024]
          : memref<1024xf32> -> !mtia.ticket
      mtia.wait %store
    }
    return
  }
}
"""


def _probed() -> tuple[str, int]:
    """The lowered module with its records in local memory behind the buffer, and its sites."""
    module = crossing.parse(KERNEL, crossing.new_context())
    crossing.run_passes(module, f"{ProbeChoice().pipeline},probe-lower-to-riscv")
    text = crossing.print_module(module, generic_form=False)
    planned = re.sub(r"memref\.alloc\(\) :", "mtia.local_buffer {offset = 16384 : i64} :", text)
    return planned, len(sites_of(module))


@pytest.fixture(scope="module")
def launch():
    """(probed IR, its sites, records per PE and site, the machine's report)."""
    text, num_sites = _probed()
    elf = codegen.make_elf(codegen.make_assembly(make_llir(text)), "double")
    data = np.arange(TILES * ELEMENTS, dtype=np.float32)
    area = np.zeros((PES, num_sites), RECORD_DTYPE)
    regions = [(one.ctypes.data, one.nbytes, True) for one in (data, area)]
    report = device.current().simulator.launch(
        elf, "double", (TILES, 1, 1), [data.ctypes.data], regions, area.ctypes.data, PES
    )
    assert np.array_equal(data, 2 * np.arange(TILES * ELEMENTS, dtype=np.float32))
    return text, num_sites, area, report


def test_counts_are_those_of_the_loops(launch):
    _, num_sites, area, _ = launch
    # kernel, program loop, dma_load, its wait, the vector loop, dma_store, its wait
    assert num_sites == 7
    assert area["count"].tolist() == [[1, 1, 6, 6, 6, 6, 6]] * PES


def test_times_nest_and_add_up(launch):
    _, _, area, report = launch
    total = area["total_cycles"].astype(int)
    kernel, loop, inner = total[:, 0], total[:, 1], total[:, 2:].sum(axis=1)
    assert (inner > 0).all()
    assert (inner <= loop).all()
    assert (loop <= kernel).all()
    assert (area["last_end"] - area["first_begin"])[:, 0].tolist() == kernel.tolist()
    assert kernel.max() <= report.cycles


def test_the_diagnosis_comes_from_both(launch):
    text, num_sites, area, _ = launch
    records = record_file(area.tobytes(), num_sites, "mtia", 1_350_000_000)
    diagnosis, annotated = diagnose(text, records, (), "double", "mtia")
    assert sum(hot.self_cycles for hot in diagnosis.hot_sites) == area["total_cycles"][:, 0].sum()
    assert sum(hot.self_share for hot in diagnosis.hot_sites) == pytest.approx(1)
    waits = [hot for hot in diagnosis.hot_sites if hot.site.name == "mtia.wait mtia.dma_load"]
    assert waits[0].count == TILES
    assert "probe.measured = #probe.measured<count = 24" in annotated
    # One buffer, nothing in flight while the core works: it waits for memory.
    assert diagnosis.bottleneck is Bottleneck.MEMORY_LATENCY
