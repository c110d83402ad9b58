import pytest
from kevolve.triton_bridge.aliases import AliasError, expand


def test_alias_nested_in_an_opaque_body():
    text = (
        "#blocked = #ttg.blocked<{sizePerThread = [1]}>\n"
        "#slice = #ttg.slice<{dim = 1, parent = #blocked}>\n"
        '"a.op"() : () -> tensor<4xi32, #ttg.slice<{dim = 0, parent = #slice}>>\n'
    )
    slice_of = "#ttg.slice<{dim = 1, parent = #ttg.blocked<{sizePerThread = [1]}>}>"
    expected = f'"a.op"() : () -> tensor<4xi32, #ttg.slice<{{dim = 0, parent = {slice_of}}}>>'
    assert expand(text).strip() == expected


def test_strings_comments_and_result_numbers_are_left_alone():
    text = '#a = 1 : i32\n%0:2 = "x"() {s = "#a \\" #a", v = #a} : () // #a\n%1#0 @a#a\n'
    assert '"#a \\" #a", v = 1 : i32' in expand(text)
    assert "// #a" in expand(text)
    assert "%1#0" in expand(text)


def test_dialect_attribute_with_the_name_of_an_alias():
    text = "#ttg = 1 : i32\n#ttg<blocked> #ttg.slice<> #ttg\n"
    assert expand(text).strip() == "#ttg<blocked> #ttg.slice<> 1 : i32"


def test_arrows_and_comparisons_do_not_close_brackets():
    text = (
        "#map = affine_map<(d0) -> (d0)>\n"
        "#set = affine_set<(d0) : (d0 >= 0)>\n"
        "use(#map, #set)->#map"
    )
    assert expand(text).strip() == (
        "use(affine_map<(d0) -> (d0)>, affine_set<(d0) : (d0 >= 0)>)->affine_map<(d0) -> (d0)>"
    )


def test_type_alias():
    assert expand("!p = !tt.ptr<f32>\nf(!p) -> !p\n").strip() == "f(!tt.ptr<f32>) -> !tt.ptr<f32>"


def test_locations_stay_aliases_unless_asked_for():
    text = (
        "#a = 1 : i32\n"
        '#loc = loc("f.py":1:2)\n'
        "x loc(callsite(#loc at #loc1)) {where = #loc, a = #a}\n"
        '#loc1 = loc("g"(#loc))\n'
    )
    kept = expand(text)
    assert "loc(callsite(#loc at #loc1))" in kept
    assert '#loc1 = loc("g"(#loc))' in kept
    gone = expand(text, locations=True)
    assert 'x loc(callsite("f.py":1:2 at "g"("f.py":1:2)))' in gone
    assert 'where = loc("f.py":1:2)' in gone


def test_metadata_of_a_fused_location_is_an_attribute():
    text = '#l = loc("f":1:1)\nx loc(fused<#l>[#l, "g":2:2])\n'
    assert expand(text, locations=True).strip() == 'x loc(fused<loc("f":1:1)>["f":1:1, "g":2:2])'


def test_definition_over_several_lines_and_after_its_use():
    text = "x {a = #d}\n#d = {\n  k = 1 : i32\n}\n"
    assert "x {a = {\n  k = 1 : i32\n}}" in expand(text)


def test_alias_defined_by_itself():
    with pytest.raises(AliasError, match="#a is defined by itself"):
        expand("#a = #t<{x = #b}>\n#b = #t<{x = #a}>\n#c\n#a\n")
