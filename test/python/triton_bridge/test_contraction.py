from kevolve.triton_bridge.aliases import expand
from kevolve.triton_bridge.contraction import contract

LONG = "#ttg.blocked<{sizePerThread = [1, 4], order = [1, 0]}>"
SLICE = f"#ttg.slice<{{dim = 1, parent = {LONG}}}>"


def test_attributes_that_occur_twice_get_an_alias_and_come_back():
    text = f'"a"() : () -> tensor<4xi32, {LONG}>\n"b"() : () -> tensor<4xi32, {LONG}>\n'
    short = contract(text)
    assert short.startswith(f"#blocked = {LONG}\n")
    assert short.count("tensor<4xi32, #blocked>") == 2
    assert expand(short).lstrip() == text


def test_bodies_of_foreign_attributes_and_types_stay_whole():
    text = f"tensor<4xi32, {SLICE}> !ttg.memdesc<4xi32, {LONG}>\n" * 2
    short = contract(text)
    assert short.count(f"!ttg.memdesc<4xi32, {LONG}>") == 2
    assert "tensor<4xi32, #slice>" in short
    assert "#blocked" not in short.replace("#ttg.blocked", "")


def test_a_name_that_is_taken_is_not_used_again():
    text = f"#blocked #blocked1 {LONG} {LONG}\n"
    assert contract(text).startswith("#blocked2 = ")


def test_single_and_short_attributes_stay():
    text = f"{LONG} #ttg.shared<1> #ttg.shared<1>\n"
    assert contract(text) == text
