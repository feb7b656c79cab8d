// Lua without setjmp: what WebAssembly cannot do, JavaScript does by throw and catch
// (tools/wasm-run.mjs). Included before every file of Lua.
#ifndef SISTRUM_WASM_LUA_H
#define SISTRUM_WASM_LUA_H

struct lua_State;
__attribute__((import_module("sistrum"), import_name("throw"))) _Noreturn void
sis_wasm_throw(void* where);
__attribute__((import_module("sistrum"), import_name("try"))) void
sis_wasm_try(void (*run)(struct lua_State*, void*), struct lua_State* L, void* data, void* where,
             volatile int* status);

#define luai_jmpbuf         int
#define LUAI_THROW(L, c)    sis_wasm_throw(c)
#define LUAI_TRY(L, c, run) sis_wasm_try(f, L, ud, c, &(c)->status)

#endif
