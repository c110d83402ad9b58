import pytest
from kevolve.compile.targets import all_targets, find_target
from kevolve.errors import UnknownTargetError
from triton.compiler import make_backend


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("cuda", "cuda:sm_90"),
        ("cuda:sm_80", "cuda:sm_80"),
        ("cuda:100", "cuda:sm_100"),
        ("gfx950", "hip:gfx950"),
        ("hip", "hip:gfx942"),
        ("mtia", "mtia"),
        ("mtia:mtia-2i", "mtia"),
        ("mtia-300", "mtia:mtia-300"),
        ("cpu", "cpu"),
        ("cpu:native", "cpu"),
    ],
)
def test_names_of_a_target(name, canonical):
    target = find_target(name)
    assert target.name == canonical
    assert find_target(canonical) == target


@pytest.mark.parametrize("name", ["tpu", "cuda:sm_42", "hip:sm_90", ""])
def test_unknown_target_lists_the_known_ones(name):
    with pytest.raises(UnknownTargetError, match=r"cuda \(sm_90.*hip \(gfx942.*mtia"):
        find_target(name)


@pytest.mark.parametrize("target", all_targets(), ids=lambda target: target.name)
def test_triton_has_a_backend_with_these_levels(target):
    backend = make_backend(target.triton)
    stages = {}
    from triton.backends.compiler import Language

    backend.add_stages(stages, backend.parse_options({}), Language.TRITON)
    # Triton has no stage between TTGIR and LLVM IR: the level is what its stage leaves behind.
    shown = [level for level in target.levels if level in stages or level != "llvm.mlir"]
    assert shown == list(stages)
    assert backend.binary_ext == target.binary_level
