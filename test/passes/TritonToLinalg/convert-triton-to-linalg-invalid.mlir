// RUN: kevolve-opt %s --allow-unregistered-dialect --convert-triton-to-linalg --split-input-file --verify-diagnostics

"tt.func"() <{function_type = (i32) -> (), sym_name = "unknown", sym_visibility = "public"}> ({
^bb0(%arg0: i32):
  // expected-error @+1 {{unsupported op 'tt.made_up'}}
  %0 = "tt.made_up"(%arg0) : (i32) -> i32
  "tt.return"() : () -> ()
}) : () -> ()

// -----

"tt.func"() <{function_type = (f32) -> (), sym_name = "extern", sym_visibility = "public"}> ({
^bb0(%arg0: f32):
  // expected-error @+2 {{unsupported op 'tt.extern_elementwise': no function '__nv_made_upf' is known}}
  // expected-error @+1 {{failed to legalize operation 'tt.extern_elementwise'}}
  %0 = "tt.extern_elementwise"(%arg0) <{libname = "libdevice", libpath = "", pure = true, symbol = "__nv_made_upf"}> : (f32) -> f32
  "tt.return"() : () -> ()
}) : () -> ()

// -----

"tt.func"() <{function_type = () -> (), sym_name = "axis", sym_visibility = "public"}> ({
  // expected-error @+1 {{'tt.get_program_id' has no axis 3}}
  %0 = "tt.get_program_id"() <{axis = 3 : i32}> : () -> i32
  "tt.return"() : () -> ()
}) : () -> ()

// -----

// expected-error @+1 {{'tt.func' needs a name, a function type and a body}}
"tt.func"() <{sym_name = "typeless"}> ({
  "tt.return"() : () -> ()
}) : () -> ()

// -----

"tt.func"() <{function_type = (i32) -> i32, sym_name = "forever", sym_visibility = "private"}> ({
^bb0(%arg0: i32):
  // expected-error @+1 {{call of 'forever' cannot be inlined}}
  %0 = "tt.call"(%arg0) <{callee = @forever}> : (i32) -> i32
  "tt.return"(%0) : (i32) -> ()
}) : () -> ()

"tt.func"() <{function_type = (i32) -> (), sym_name = "recursion", sym_visibility = "public"}> ({
^bb0(%arg0: i32):
  %0 = "tt.call"(%arg0) <{callee = @forever}> : (i32) -> i32
  "tt.return"() : () -> ()
}) : () -> ()
