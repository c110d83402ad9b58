"""Diagnoses whose numbers are worked out by hand, one for each bottleneck."""

import numpy as np
import pytest
from kevolve.diagnose import diagnose
from kevolve.errors import CompileError
from kevolve.profile.records import RECORD_DTYPE, ClockKind, RecordFile, encode
from kevolve.profile.sites import site_table
from kevolve.records import Bottleneck, Diagnosis, Metric, Roofline, Site, from_json, to_json

SITES = """
#kernel = #probe.site<id = 0, kind = kernel, name = "mm", loc = "mm.py":4:0, parent = -1, bytes = 0, flops = 0, trip_count = -1>
#loop = #probe.site<id = 1, kind = loop, name = "scf.for", loc = "mm.py":8:4, parent = 0, bytes = 0, flops = 0, trip_count = 4>
#load = #probe.site<id = 2, kind = load, name = "mtia.dma_load", loc = "mm.py":9:20, parent = 1, bytes = 4096, flops = 0, trip_count = -1>
#wait = #probe.site<id = 3, kind = barrier, name = "mtia.wait mtia.dma_load", loc = "mm.py":9:20, parent = 1, bytes = 0, flops = 0, trip_count = -1>
#dot = #probe.site<id = 4, kind = dot, name = "mtia.dpe_matmul", loc = "mm.py":10:15, parent = 1, bytes = 0, flops = 262144, trip_count = -1>
module attributes {probe.sites = [#kernel, #loop, #load, #wait, #dot]} {
}
"""  # noqa: E501

FRACTION = "fraction"


def metrics(**values):
    """Metrics by name; two underscores stand for the dot."""
    return tuple(
        Metric(name.replace("__", "."), value, FRACTION, "test") for name, value in values.items()
    )


def records(*workers, dropped=0):
    """A record file; a worker is a list of (count, total cycles)."""
    rows = [[(count, total, 0, total) for count, total in worker] for worker in workers]
    return encode(RecordFile("mtia", ClockKind.CYCLES, 0, np.array(rows, RECORD_DTYPE), dropped))


# The kernel takes 1000 cycles, 900 of them the loop: 100 to load, 500 to wait, 200 for the dot.
WORKER = [(1, 1000), (1, 900), (4, 100), (4, 500), (4, 200)]


def test_the_site_table_is_read():
    sites = site_table(SITES)
    assert [site.kind for site in sites] == ["kernel", "loop", "load", "barrier", "dot"]
    assert sites[2] == Site(2, "load", "mtia.dma_load", "mm.py", 9, 20, 1, 4096, 0, -1)
    assert site_table("module {}") == ()


def test_records_alone():
    diagnosis, annotated = diagnose(SITES, records(WORKER), (), "matmul", "mtia")
    assert (diagnosis.kernel, diagnosis.target) == ("matmul", "mtia")
    # Memory is 0.6 of the time, 5/6 of it waiting: latency 0.5; other time is 0.2, as are dots.
    assert diagnosis.bottleneck is Bottleneck.MEMORY_LATENCY
    assert diagnosis.evidence[0].value == pytest.approx(0.5)
    assert diagnosis.confidence == pytest.approx(0.5 / 0.7 * 0.7)
    assert diagnosis.roofline is None
    assert [hot.site.id for hot in diagnosis.hot_sites] == [3, 4, 0, 1, 2]
    assert [hot.self_cycles for hot in diagnosis.hot_sites] == [500, 200, 100, 100, 100]
    assert "measured = <count = 4, total_cycles = 500, self_cycles = 500" in annotated


def test_self_times_add_up_to_the_kernel():
    workers = [[(1, 1000 + i), (1, 900), (4, 101), (3, 500 - i), (4, 200)] for i in range(5)]
    diagnosis, _ = diagnose(SITES, records(*workers), (), "matmul", "mtia")
    assert sum(hot.self_cycles for hot in diagnosis.hot_sites) == sum(1000 + i for i in range(5))
    assert sum(hot.self_share for hot in diagnosis.hot_sites) == pytest.approx(1)


@pytest.mark.parametrize(
    ("numbers", "bottleneck", "share", "confidence"),
    [
        # 0.6 of the time is the launch; what is left, all of it DRAM at 0.7, is 0.28.
        (
            {"launch__share": 0.6, "dram__utilization": 0.7},
            Bottleneck.LAUNCH,
            0.6,
            0.6 / 0.88,
        ),
        # 16 of 64 PEs work, issuing 0.8 of the time.
        (
            {"pe__utilization": 0.25, "issue__utilization": 0.8},
            Bottleneck.OCCUPANCY,
            0.75,
            0.75 / 0.95,
        ),
        # The slowest PE takes twice the mean: half of the time. The rest: 0.4 stalls at low use.
        (
            {"pe__imbalance": 1.0, "stall__memory__share": 0.4, "dram__utilization": 0.1},
            Bottleneck.IMBALANCE,
            0.5,
            0.5 / 0.7,
        ),
        # At half of the peak, stalls are half latency, half bandwidth.
        (
            {"stall__memory__share": 0.8, "dram__utilization": 0.4},
            Bottleneck.MEMORY_LATENCY,
            0.6,
            0.6 / 0.8,
        ),
        (
            {"stall__memory__share": 0.9, "sram__utilization": 0.9, "dram__utilization": 0.1},
            Bottleneck.MEMORY_BANDWIDTH,
            0.9,
            1.0,
        ),
        (
            {"dpe__utilization": 0.85, "stall__memory__share": 0.1, "stall__dpe__share": 0.6},
            Bottleneck.COMPUTE,
            0.85,
            0.85 / 0.95,
        ),
        # Waiting for the SE counts as compute although the SE is not busy all the time.
        (
            {"se__utilization": 0.3, "stall__memory__share": 0.0, "stall__se__share": 0.5},
            Bottleneck.COMPUTE,
            0.5,
            1.0,
        ),
        # Issuing 0.9, of which 0.2 are vector instructions.
        (
            {"issue__utilization": 0.9, "vector__utilization": 0.2},
            Bottleneck.INSTRUCTION_ISSUE,
            0.7,
            0.7 / 0.9,
        ),
        # Explains little, so it is not trusted much.
        (
            {"issue__utilization": 0.15, "vector__utilization": 0.0},
            Bottleneck.INSTRUCTION_ISSUE,
            0.15,
            0.5,
        ),
    ],
)
def test_metrics_alone(numbers, bottleneck, share, confidence):
    diagnosis, _ = diagnose("module {}", None, metrics(**numbers), "k", "mtia")
    assert diagnosis.bottleneck is bottleneck
    assert diagnosis.evidence[0] == Metric(
        f"time.share.{bottleneck}", pytest.approx(share), FRACTION, diagnosis.evidence[0].source
    )
    assert diagnosis.confidence == pytest.approx(confidence)
    assert diagnosis.hot_sites == ()


def test_synchronisation_is_what_waits_are_left_when_no_unit_is_awaited():
    ir = SITES.replace("mtia.wait mtia.dma_load", "gpu.barrier")
    diagnosis, _ = diagnose(ir, records(WORKER), (), "k", "cuda")
    assert diagnosis.bottleneck is Bottleneck.SYNCHRONISATION
    assert diagnosis.evidence[0].value == pytest.approx(0.5)


def test_a_static_estimate_gives_fractions_and_a_roofline():
    estimate = (
        Metric("kernel.time", 2000.0, "ns", "static model"),
        Metric("launch.time", 500.0, "ns", "static model"),
        Metric("compute.flops", 4e6, "flop", "static model"),
        Metric("compute.peak", 1e13, "flop/s", "data sheet"),
        Metric("dram.bytes", 1e6, "B", "static model"),
        Metric("dram.peak", 1e12, "B/s", "data sheet"),
    )
    diagnosis, _ = diagnose("module {}", None, estimate, "k", "cuda")
    # 0.5 of the bandwidth and 0.2 of the flops, in the 0.8 that is not the launch.
    assert diagnosis.roofline == Roofline(
        pytest.approx(4), pytest.approx(2e12), pytest.approx(4e12), 1e13, 1e12
    )
    derived = [one for one in diagnosis.evidence if one.name.startswith("time.share")]
    assert {one.name: one.value for one in derived} == {
        "time.share.launch": pytest.approx(0.2),
        "time.share.compute": pytest.approx(0.16),
    }


def test_the_diagnosis_is_the_record():
    diagnosis, _ = diagnose(SITES, records(WORKER), metrics(launch__share=0.1), "k", "mtia")
    assert from_json(Diagnosis, to_json(diagnosis)) == diagnosis
    assert diagnosis.version == 1


@pytest.mark.parametrize(
    ("ir", "data", "message"),
    [
        ("module {}", records(WORKER), "no site table"),
        (SITES, records(WORKER[:2]), "records of 2 sites, but the module has 5"),
        (SITES, records(WORKER)[:-1], "truncated"),
        ("module {}", None, "neither records nor metrics say where the time goes"),
        ("modul {}", None, "<ir>:1"),
    ],
)
def test_bad_input_is_one_line(ir, data, message):
    with pytest.raises(CompileError) as error:
        diagnose(ir, data, (), "k", "mtia")
    assert message in str(error.value)
    assert "\n" not in str(error.value)
