# Core, loader, Lua, notes, live library and the page's glue as WebAssembly:  make -f web/wasm.mk LUA=FOLDER CLANG=clang-14
# Called by tools/web.sh from the root of the tree. What runs for every sample is fast, all else is small.
# build/web/sistrum.wasm has SIMD, sistrum-plain.wasm has not.
BUILD = build/web
CLANG = clang-14
STRIP = llvm-strip-14
WASM_FLAGS = --target=wasm32-wasi -ffp-contract=off -DNDEBUG -DSIS_NO_THREADS \
  -D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_SIGNAL
OUR_FLAGS = -std=c17 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Wno-unused-parameter \
  -Iinclude -Isrc -Iscript -Ilive -Imusic -Iout -Iapp/cli -Ibench -Iweb/wasm -I$(LUA) -I$(BUILD)/stub
LUA_FLAGS = -I$(BUILD)/stub -Iinclude -include tools/lua-math.h -include tools/wasm-lua.h -w
LINK_FLAGS = -mexec-model=reactor -Wl,--export=__stack_pointer -Wl,--export-table -Wl,--gc-sections -Wl,--strip-debug \
  -Wl,-z,stack-size=1048576 -Wl,--max-memory=1073741824 \
  -lwasi-emulated-process-clocks -lwasi-emulated-signal -lm

OUT = aside csv curves data_file data_hdf5 data_mat decimate facts fault json npy record report run sha256 sound sound_file \
  sound_json store store_file tally text wave_file
CLI = gestures job levels notes options outputs presets render room
OURS = $(filter-out src/wide/width.c src/wide/width_4.c src/wide/width_8.c,$(wildcard src/*/*.c)) $(wildcard script/*.c) $(wildcard live/*.c) $(wildcard web/wasm/*.c) \
  $(filter-out music/crew.c,$(wildcard music/*.c)) $(OUT:%=out/%.c) $(CLI:%=app/cli/%.c)
NO_LUA = lua luac linit liolib loslib loadlib ldblib lcorolib lutf8lib
LUAS = $(filter-out $(NO_LUA:%=$(LUA)/%.c),$(wildcard $(LUA)/l*.c))

all: $(BUILD)/sistrum.wasm $(BUILD)/sistrum-plain.wasm

simd_FLAGS = -msimd128
plain_FLAGS =
# The level of a file, by its folder.
FAST = src/base src/law src/contact src/body src/impact src/network src/wide src/step
level = $(if $(filter $(FAST),$(patsubst %/,%,$(dir $(1)))),-O3,-Os)

names = $(patsubst %.c,%.o,$(OURS)) $(patsubst $(LUA)/%.c,lua/%.o,$(LUAS))
simd_OBJECTS = $(names:%=$(BUILD)/simd/%)
plain_OBJECTS = $(names:%=$(BUILD)/plain/%)

$(BUILD)/stub/setjmp.h:
	mkdir -p $(BUILD)/stub
	echo '#define DEB_HOST_MULTIARCH "none"' >$(BUILD)/stub/lua5.4-deb-multiarch.h
	echo 'typedef int jmp_buf;' >$@

define kind
$(BUILD)/$(1)/lua/%.o: $(LUA)/%.c $(BUILD)/stub/setjmp.h
	@mkdir -p $$(dir $$@)
	$(CLANG) $(WASM_FLAGS) -Os $($(1)_FLAGS) $(LUA_FLAGS) -MMD -MP -c $$< -o $$@
$(BUILD)/$(1)/%.o: %.c $(BUILD)/stub/setjmp.h
	@mkdir -p $$(dir $$@)
	$(CLANG) $(WASM_FLAGS) $$(call level,$$<) $($(1)_FLAGS) $(OUR_FLAGS) -MMD -MP -c $$< -o $$@
$(BUILD)/$(1).wasm: $$($(1)_OBJECTS)
	$(CLANG) $(WASM_FLAGS) -O3 $($(1)_FLAGS) $$^ $(LINK_FLAGS) -o $$@
-include $$($(1)_OBJECTS:.o=.d)
endef
$(eval $(call kind,simd))
$(eval $(call kind,plain))

$(BUILD)/sistrum.wasm: $(BUILD)/simd.wasm
	$(STRIP) $< -o $@
$(BUILD)/sistrum-plain.wasm: $(BUILD)/plain.wasm
	$(STRIP) $< -o $@
