# SPDX-License-Identifier: MIT
# `make help` lists the targets. Sources and tests are found by wildcard.
#   BUILD=dir      builds elsewhere        CC=clang-14       another native compiler
#   ROOMS="a b"    only these rooms of src TEST=name         only tests/c/test_name.c
#   CJSON_DIR=dir  cJSON.c and cJSON.h from there instead of Debian's source package
#   V=1            shows the commands

BUILD ?= build
CJSON_DIR ?= build/cjson
ROOMS ?= *
TEST ?= *
NODE ?= $(or $(shell cat build/setup/node 2>/dev/null),node)
CLANG ?= clang-14
EMCC ?= NODE_PATH=/usr/share/nodejs emcc
WASM_OPT ?= wasm-opt
FUZZ_SECONDS ?= 60
Q := $(if $(V),,@)
# Sanitized programs allocate much: what they freed lies in 16 MB, and where it was allocated is one line of a finding (ASAN_OPTIONS= for all).
export ASAN_OPTIONS ?= quarantine_size_mb=16:malloc_context_size=1
export PATH := $(if $(findstring /,$(NODE)),$(dir $(NODE)):)$(PATH)

# The suites of `make test`, in this order; each is a target test-<name>, and one without tests fails. Joined by a plus they run
# side by side: what works in one process beside what takes two, or beside its like. The committed counts of instructions are
# of x86-64.
SUITES := lint+layers$(if $(filter x86_64,$(shell uname -m)),+instructions) c spec js types peer proof fuzz+pack runtime browser

WARN := -std=c11 -Wall -Wextra -Wconversion -Wshadow -Werror
BASE := -Isrc -isystem $(CJSON_DIR) -ffp-contract=off -fvisibility=hidden -MMD -MP
CJSON_FLAGS := -std=c11 -w -DCJSON_NESTING_LIMIT=128 -DCJSON_HIDE_SYMBOLS

ENGINE := $(sort $(foreach room,$(ROOMS),$(wildcard src/$(room)/*.c src/$(room)/*/*.c)) $(if $(filter *,$(ROOMS)),$(wildcard src/engine.c)))

.DEFAULT_GOAL := native
.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: FORCE

# ---- native: a C compiler and cJSON's source, nothing else

SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
NATIVE := $(BUILD)/native
NATIVE_FLAGS := -O1 -g $(SANITIZE) $(BASE) -DWEFT_TEST
NATIVE_OBJECTS := $(ENGINE:%.c=$(NATIVE)/%.o) $(NATIVE)/cJSON.o
C_TESTS := $(patsubst tests/c/%.c,$(NATIVE)/tests/%,$(sort $(wildcard tests/c/test_$(TEST).c)))
# Each runs by itself; the longest first.
C_RUNS := $(patsubst $(NATIVE)/tests/%,run-%,$(filter %/test_run,$(C_TESTS)) $(filter-out %/test_run,$(C_TESTS)))
# Two at once, where a make above this one has not said how many.
TWO = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j2)

.PHONY: native objects test-c $(C_RUNS)
native: test-c ## build and test the engine natively under ASan and UBSan (the default)

objects: $(NATIVE_OBJECTS) ## the native, sanitized objects only

test-c: $(C_TESTS) ## the C rooms' tests
	$(if $(ENGINE),,$(error there is no C source in src/ (ROOMS=$(ROOMS))))
	$(if $(C_TESTS),,$(error there is no tests/c/test_$(TEST).c))
	@+$(MAKE) --no-print-directory --keep-going --output-sync=target $(TWO) $(C_RUNS)

$(C_RUNS): run-%:
	@echo "== $*"; $(NATIVE)/tests/$*

# Rebuilds when the compiler or its flags change.
$(NATIVE)/flags: FORCE
	@mkdir -p $(@D); echo '$(CC) $(WARN) $(NATIVE_FLAGS) $(CJSON_FLAGS)' > $@.new; cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(NATIVE)/%.o: %.c $(NATIVE)/flags | $(CJSON_DIR)/cJSON.c
	@mkdir -p $(@D)
	@echo '  CC $<'
	$(Q)$(CC) $(WARN) $(NATIVE_FLAGS) -c $< -o $@

$(NATIVE)/cJSON.o: $(CJSON_DIR)/cJSON.c $(NATIVE)/flags
	@mkdir -p $(@D)
	@echo '  CC $<'
	$(Q)$(CC) $(CJSON_FLAGS) $(NATIVE_FLAGS) -c $< -o $@

# An archive, so that a program links only what it uses.
NATIVE_ENGINE := $(NATIVE)/libengine.a
$(NATIVE_ENGINE): $(NATIVE_OBJECTS)
	$(Q)rm -f $@ && ar rcs $@ $^

$(NATIVE)/tests/%: $(NATIVE)/tests/c/%.o $(NATIVE_ENGINE)
	@mkdir -p $(@D)
	@echo '  LD $@'
	$(Q)$(CC) $(SANITIZE) $^ -lm -o $@

# The IDBFS store's C, without its exports, runs natively too.
NATIVE_STORE := $(patsubst %.c,$(NATIVE)/%.o,$(filter-out wasm/idbfs/abi.c,$(sort $(wildcard wasm/idbfs/*.c))))
$(NATIVE)/tests/test_idb%: $(NATIVE)/tests/c/test_idb%.o $(NATIVE_STORE) $(NATIVE_ENGINE)
	@mkdir -p $(@D)
	@echo '  LD $@'
	$(Q)$(CC) $(SANITIZE) $^ -lm -o $@

# Large numbers are most of what test_number does.
$(NATIVE)/src/value/big.o: private NATIVE_FLAGS += -O2

$(CJSON_DIR)/cJSON.c:
	$(if $(filter build/cjson,$(CJSON_DIR)),./tools/cjson.sh,$(error CJSON_DIR=$(CJSON_DIR) holds no cJSON.c))

-include $(NATIVE_OBJECTS:.o=.d) $(NATIVE_STORE:.o=.d) $(patsubst $(NATIVE)/tests/%,$(NATIVE)/tests/c/%.d,$(C_TESTS))
.SECONDARY:

# ---- engine.wasm: clang and wasi-libc, no imports

WASM := $(BUILD)/wasm
WASM_FEATURES := -mbulk-memory -msign-ext -mnontrapping-fptoint -D_Thread_local=
WASM_TARGET := --target=wasm32-wasi $(WASM_FEATURES) -Wno-unused-command-line-argument
# With -Os the engine is a tenth larger.
WASM_FLAGS := $(WASM_TARGET) -Oz -flto -DNDEBUG $(BASE)
# WebAssembly has one thread here, and clang 14 no thread-local storage without atomics. The stack lies first, so that an overflow traps instead of writing over data. No -O here: clang would
# then run whatever wasm-opt it finds.
WASM_LINK := $(WASM_TARGET) -mexec-model=reactor -Wl,--gc-sections,--stack-first,-z,stack-size=262144
# Across files only what makes the module smaller is inlined: at the usual threshold it is 3 % larger
# and no faster. Within files, where runs would become a tenth slower, the threshold stays. Without
# loop strength reduction, which adds locals for addresses that WebAssembly computes in a load, it is
# 2 % smaller.
WASM_LINK_RELEASE := $(WASM_LINK) -Wl,-mllvm,-inline-threshold=-100,-mllvm,-disable-lsr
# The low memory that is promised unused is the far end of the stack. The second pass finds some more,
# and a second reading of the module, without stripping, more again.
WASM_OPT_FLAGS := -Oz -Oz --low-memory-unused --enable-bulk-memory --enable-sign-ext --enable-nontrapping-float-to-int \
	--strip-debug --strip-producers --strip-target-features
DEBUG := $(BUILD)/wasm-debug
DEBUG_FLAGS := $(WASM_TARGET) -O1 -g $(BASE)
BORDER := $(sort $(wildcard wasm/*.c))
WASM_OBJECTS := $(ENGINE:%.c=$(WASM)/%.o) $(BORDER:%.c=$(WASM)/%.o) $(WASM)/cJSON.o
DEBUG_OBJECTS := $(WASM_OBJECTS:$(WASM)/%=$(DEBUG)/%)

.PHONY: wasm wasm-debug
wasm: $(WASM)/engine.wasm ## engine.wasm (release), refused if it imports anything
wasm-debug: $(DEBUG)/engine.wasm ## engine.wasm with names, DWARF and assertions

# $(1) = folder, $(2) = flags: objects of the rooms, of the border and of cJSON.
define wasm_objects
$(1)/flags: FORCE
	@mkdir -p $$(@D); echo '$$(CLANG) $$(WARN) $(2) $$(WASM_LINK_RELEASE) $$(CJSON_FLAGS) $$(WASM_OPT_FLAGS)' > $$@.new; cmp -s $$@.new $$@ && rm $$@.new || mv $$@.new $$@
$(1)/%.o: %.c $(1)/flags | $$(CJSON_DIR)/cJSON.c build/setup/ready
	@mkdir -p $$(@D)
	@echo '  WASM $$<'
	$$(Q)$$(CLANG) $$(WARN) $(2) -c $$< -o $$@
$(1)/cJSON.o: $$(CJSON_DIR)/cJSON.c $(1)/flags
	@mkdir -p $$(@D)
	@echo '  WASM $$<'
	$$(Q)$$(CLANG) $$(CJSON_FLAGS) -Dstrtod=weft_document_strtod $(2) -c $$< -o $$@
endef
$(eval $(call wasm_objects,$(WASM),$(WASM_FLAGS)))
$(eval $(call wasm_objects,$(DEBUG),$(DEBUG_FLAGS)))

$(WASM)/engine.wasm: $(WASM_OBJECTS)
	$(if $(BORDER),,$(error wasm/ has no C source: the border of the engine is missing))
	@echo '  LINK $@'
	$(Q)$(CLANG) $(WASM_LINK_RELEASE) $^ -o $@.linked
	$(Q)$(WASM_OPT) $(WASM_OPT_FLAGS) $@.linked -o $@
	$(Q)$(WASM_OPT) $(filter-out --strip%,$(WASM_OPT_FLAGS)) $@ -o $@
	$(Q)$(NODE) tools/check-wasm.mjs $@

$(DEBUG)/engine.wasm: $(DEBUG_OBJECTS)
	$(if $(BORDER),,$(error wasm/ has no C source: the border of the engine is missing))
	@echo '  LINK $@'
	$(Q)$(CLANG) $(WASM_LINK) $^ -o $@
	$(Q)$(NODE) tools/check-wasm.mjs $@

-include $(WASM_OBJECTS:.o=.d) $(DEBUG_OBJECTS:.o=.d)

# ---- idbfs.wasm: Emscripten, with its file system

EM := $(BUILD)/emcc
EM_FLAGS := -Oz -flto $(BASE)
IDBFS_SOURCES := $(sort $(wildcard wasm/idbfs/*.c))
IDBFS_ROOMS := base value log
IDBFS_OBJECTS := $(patsubst %.c,$(EM)/%.o,$(IDBFS_SOURCES) $(sort $(wildcard $(IDBFS_ROOMS:%=src/%/*.c)))) $(EM)/wasm/heap.o $(EM)/cJSON.o
IDBFS_LIBRARY := $(sort $(wildcard wasm/idbfs/*.js))
# The code of "web" asks for nothing that a worker lacks.
IDBFS_LINK := -Oz -flto -sMODULARIZE -sEXPORT_ES6 -sUSE_ES6_IMPORT_META=0 -sENVIRONMENT=web --no-entry \
	-sALLOW_MEMORY_GROWTH -sTOTAL_STACK=262144 -Wl,--stack-first -sINITIAL_MEMORY=1048576 \
	-sMINIMAL_RUNTIME -sWASM_ASYNC_COMPILATION=0 -sDYNAMIC_EXECUTION=0 -lidbfs.js -sTEXTDECODER=2 \
	-sMALLOC=none -sSUPPORT_ERRNO=0 $(IDBFS_LIBRARY:%=--js-library %)

# The same C natively, for its own test.
IDBFS_NATIVE := $(IDBFS_SOURCES:%.c=$(NATIVE)/%.o)
$(NATIVE)/tests/test_idbfs: $(IDBFS_NATIVE)
-include $(IDBFS_NATIVE:.o=.d)

.PHONY: idbfs
idbfs: $(EM)/idbfs.mjs ## idbfs.wasm and its glue

$(EM)/flags: FORCE
	@mkdir -p $(@D); echo '$(EMCC) $(WARN) $(EM_FLAGS) $(CJSON_FLAGS) $(IDBFS_LINK) $(WASM_OPT_FLAGS)' > $@.new; cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(EM)/%.o: %.c $(EM)/flags | $(CJSON_DIR)/cJSON.c build/setup/ready
	@mkdir -p $(@D)
	@echo '  EMCC $<'
	$(Q)$(EMCC) $(WARN) $(EM_FLAGS) -c $< -o $@

$(EM)/cJSON.o: $(CJSON_DIR)/cJSON.c $(EM)/flags
	@mkdir -p $(@D)
	@echo '  EMCC $<'
	$(Q)$(EMCC) $(CJSON_FLAGS) $(EM_FLAGS) -c $< -o $@

$(EM)/idbfs.mjs: $(IDBFS_OBJECTS) $(IDBFS_LIBRARY)
	$(if $(IDBFS_SOURCES),,$(error wasm/idbfs/ has no C source))
	@echo '  LINK $@'
	$(Q)$(EMCC) $(IDBFS_LINK) $(IDBFS_OBJECTS) -o $@
	$(Q)$(WASM_OPT) $(WASM_OPT_FLAGS) $(@:.mjs=.wasm) -o $(@:.mjs=.wasm)

-include $(IDBFS_OBJECTS:.o=.d)

# ---- what the package needs beside its sources

JS_BUILT := js/base/codes.js js/engine/generated/engine.wasm js/engine/generated/engine-text.js js/engine/generated/engine-base64.js \
	js/engine/generated/idbfs-text.js js/engine/generated/idbfs-glue.js

.PHONY: js
js: $(JS_BUILT) | node_modules ## all that the package needs: after it the checkout itself can be imported
	@mkdir -p build
	$(Q)$(NODE) tools/check-fresh.mjs --write
	$(Q)$(NODE) tools/cjs.mjs
	$(Q)$(NODE) tools/node.mjs --sources
	$(Q)$(NODE) tools/studio.mjs

js/base/codes.js: src/base/error_messages.def src/base/ops.def tools/generate-codes.mjs
	$(Q)$(NODE) tools/generate-codes.mjs js/base/codes.js

js/engine/generated/engine.wasm: $(WASM)/engine.wasm
	@mkdir -p $(@D)
	$(Q)cp $< $@.new && mv $@.new $@

js/engine/generated/engine-text.js: $(WASM)/engine.wasm tools/bytes.mjs js/engine/load/wasm-text.js
	@mkdir -p $(@D)
	$(Q)$(NODE) tools/bytes.mjs $< $@

js/engine/generated/engine-base64.js: $(WASM)/engine.wasm tools/bytes.mjs
	@mkdir -p $(@D)
	$(Q)$(NODE) tools/bytes.mjs --base64 $< $@

js/engine/generated/idbfs-text.js: $(EM)/idbfs.mjs tools/bytes.mjs js/engine/load/wasm-text.js
	@mkdir -p $(@D)
	$(Q)$(NODE) tools/bytes.mjs $(EM)/idbfs.wasm $@

js/engine/generated/idbfs-glue.js: $(EM)/idbfs.mjs | node_modules
	@mkdir -p $(@D)
	$(Q)node_modules/.bin/esbuild --log-level=warning --minify --format=esm --banner:js='/* SPDX-License-Identifier: MIT */ // @ts-nocheck' $< --outfile=$@

node_modules:
	./tools/setup.sh build

# Once in a checkout: looks for the compilers of WebAssembly, or says how to have them.
build/setup/ready: | $(CJSON_DIR)/cJSON.c
	./tools/setup.sh build
	@touch $@

# ---- the simulation of the engine alone

-include $(NATIVE)/tests/proof/simulate.d

.PHONY: proof-programs
proof-programs: $(NATIVE)/proof/simulate

$(NATIVE)/proof/%: $(NATIVE)/tests/proof/%.o $(NATIVE_ENGINE)
	@mkdir -p $(@D)
	@echo '  LD $@'
	$(Q)$(CC) $(SANITIZE) $^ -lm -o $@

# ---- the spec pages: one program per tests/spec/*.c, natively, for WASI and by Emscripten

SPEC := $(basename $(notdir $(sort $(wildcard tests/spec/*.c))))
SPEC_EM_OBJECTS := $(ENGINE:%.c=$(EM)/%.o) $(EM)/cJSON.o

-include $(SPEC:%=$(NATIVE)/tests/spec/%.d) $(SPEC:%=$(WASM)/tests/spec/%.d) $(SPEC:%=$(EM)/tests/spec/%.d)
-include $(SPEC_EM_OBJECTS:.o=.d) $(IDBFS_OBJECTS:.o=.d)

.PHONY: spec-programs
spec-programs: $(SPEC:%=$(NATIVE)/spec/%) $(SPEC:%=$(WASM)/spec/%.wasm) $(SPEC:%=$(EM)/spec/%.js)

$(NATIVE)/spec/%: $(NATIVE)/tests/spec/%.o $(NATIVE_ENGINE)
	@mkdir -p $(@D)
	@echo '  LD $@'
	$(Q)$(CC) $(SANITIZE) $^ -lm -o $@

# Node 20 may die when a WASI program's memory grows during a collection: this one has its memory from the start.
$(WASM)/spec/hostile.wasm: SPEC_MEMORY := ,--initial-memory=402653184
$(WASM)/spec/%.wasm: $(WASM)/tests/spec/%.o $(ENGINE:%.c=$(WASM)/%.o) $(WASM)/cJSON.o
	@mkdir -p $(@D)
	@echo '  LINK $@'
	$(Q)$(CLANG) $(WASM_TARGET) -Wl,--gc-sections,--stack-first,-z,stack-size=262144$(SPEC_MEMORY) $^ -o $@

$(EM)/spec/%.js: $(EM)/tests/spec/%.o $(SPEC_EM_OBJECTS)
	@mkdir -p $(@D); echo '{ "type": "commonjs" }' > $(EM)/package.json
	@echo '  LINK $@'
	$(Q)$(EMCC) -O1 -sENVIRONMENT=node -sSINGLE_FILE -sNODERAWFS -sEXIT_RUNTIME -sALLOW_MEMORY_GROWTH -sTOTAL_STACK=262144 -Wl,--stack-first $^ -o $@

# ---- tests

# The time limit is for a whole file too: it ends what hangs, however slow the machine. What nobody caught fails its file.
NODE_TEST = $(NODE) --require ./tests/unfollowed.cjs --test --test-reporter=spec --test-timeout=1200000 --test-concurrency=$(AT_ONCE)
# One more than there are cores: files wait for disks, and the last of a suite is often its longest.
AT_ONCE := 3
# Who drives browsers, servers and other processes mostly waits for them.
test-browser test-js: private AT_ONCE := 4
# What takes long, so that `make test` takes at most 12 minutes on two cores: `make check-long` runs it, and each
# of its parts (tests/proof/parts.mjs).
LONG := $(addprefix browser/,demo-address demo-attacks-played demo-code-colours demo-front-ends demo-gone demo-inbox demo-inbox-order \
		demo-limits demo-model-choice \
		demo-offline-switch demo-steps demo-storage demo-studio demo-webllm front-end-assistant-ui \
		front-end-langchain-react front-end-nextjs front-end-svelte idbfs-firefox idbfs-webkit shell-axe \
		shell-browsers shell-load shell-offline studio-axe studio-engines studio-keyboard studio-time webkit-hangs) \
	$(addprefix js/,damaged-listing damaged-thread packed-threads retention-faults schema-random storage-functional \
		storage-inside storage-nested) \
	$(addprefix peer/,random random-rooms) pack/fresh-clone
# $(call tests,folder): its test files, or an error that names what is missing.
tests = $(or $(filter-out $(if $(WEFT_LONG),,$(LONG:%=tests/%.test.mjs)),$(sort $(wildcard tests/$(1)/*.test.mjs))),$(error no tests/$(1)/*.test.mjs: the suite has no tests))
# $(call first,names,files): these before the others: the longest, so that they are not the last.
first = $(foreach name,$(1:=.test.mjs),$(filter %/$(name),$(2))) $(filter-out $(addprefix %/,$(1:=.test.mjs)),$(2))
# $(call together,folder): the same, many of them in few processes.
together = $(or $(shell $(NODE) tools/together.mjs $(1) $(BUILD)/together/$(1) $(call tests,$(1))),$(error no groups of tests/$(1)))

FUZZ := $(BUILD)/fuzz
FUZZ_PROGRAMS := $(patsubst tests/fuzz/%.c,$(FUZZ)/%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))

.PHONY: setup planted-programs test test-layers test-instructions test-spec test-js test-types test-peer test-proof test-fuzz test-runtime test-browser test-pack check-long
setup: ## what the machine lacks: toolchain, cJSON's source, npm packages
	@./tools/setup.sh test

test: setup ## every test, with the set-up and the builds it needs; ends with seconds per suite
	@+$(MAKE) --no-print-directory $(TWO) js $(C_TESTS) spec-programs proof-programs fuzz-programs $(PLAIN_OBJECTS)
	@$(NODE) tools/suites.mjs $(SUITES)

# As the package's engine is compiled, but natively: what nm then finds is what the C asks for.
PLAIN := $(BUILD)/plain
PLAIN_OBJECTS := $(ENGINE:%.c=$(PLAIN)/%.o)
$(PLAIN)/%.o: %.c | $(CJSON_DIR)/cJSON.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(WARN) -O1 -fno-pic -fno-math-errno -DNDEBUG $(BASE) -c $< -o $@
-include $(PLAIN_OBJECTS:.o=.d)

test-layers: $(PLAIN_OBJECTS) | node_modules ## the order of the layers, cycles of includes and calls, banned symbols
	@WEFT_PLAIN_OBJECTS=$(PLAIN) $(NODE_TEST) tests/layers.mjs tests/js-layers.mjs tests/test-imports.mjs

test-instructions: instructions

.PHONY: lint test-lint format
lint: test-lint
test-lint: | node_modules $(CJSON_DIR)/cJSON.c ## formatters and linters over all sources
	@$(NODE_TEST) tests/lint.mjs

format: | node_modules ## formats all sources: Biome for JavaScript and TypeScript, clang-format 14 for C
	@node_modules/.bin/biome check --write
	@git ls-files '*.c' '*.h' | xargs clang-format-14 -i

test-spec: js spec-programs | node_modules ## the spec pages on the native, the WASI and the Emscripten build
	@$(NODE_TEST) $(call tests,spec)

test-js: js | node_modules ## the package in Node
	@$(NODE_TEST) $(call together,js)

.PHONY: try-c
try-c: $(NATIVE)/spec/pages | node_modules ## the spec pages on the native build alone: what an edit of src/run changes, in seconds
	@$(NODE_TEST) --test-name-pattern='\(native\)' tests/spec/pages.test.mjs

.PHONY: try-js
try-js: | node_modules ## one file of tests/js over the sources as they are, without a build: TEST=invoke
	@$(NODE_TEST) $(if $(filter *,$(TEST)),$(error say which file of tests/js: TEST=invoke),tests/js/$(TEST).test.mjs)

test-types: js | node_modules ## the types of the package and of code that uses it
	@$(NODE_TEST) $(call tests,types)

test-peer: js | node_modules ## the same graphs through LangGraph.js and Weft
	@$(NODE_TEST) $(call together,peer)

# Where a bug is planted.
planted-programs: $(C_TESTS) $(FUZZ_PROGRAMS) proof-programs spec-programs

test-proof: js $(if $(WEFT_LONG),planted-programs,$(C_TESTS) proof-programs) | node_modules ## the test programme of docs/reliability.md: faults, crashes, planted bugs
	@$(NODE_TEST) $(call first,validation engine-simulation simulation,$(call tests,proof))

test-fuzz: $(FUZZ_PROGRAMS) | node_modules ## hostile bytes under ASan and UBSan, a few seconds for each target
	@$(NODE_TEST) $(call tests,fuzz)

test-runtime: js | node_modules ## the shared smoke set in Node, Deno, Bun, workerd and Chromium
	@$(NODE_TEST) $(call tests,runtime)

# The demo is built once for all of them.
test-browser: export WEFT_DEMO := $(abspath $(BUILD))/demo
test-browser: js | node_modules ## the demo and the browser savers in Chromium
	@$(NODE) web-demo/build.mjs $(WEFT_DEMO)
	@$(NODE_TEST) $(call first,demo-inbox demo-approval writers idbfs-kill back-forward demo-model-choice idbfs,$(call tests,browser))

test-pack: js | node_modules ## the packed tarball in an empty folder
	@$(NODE_TEST) $(call tests,pack)

check-long: setup ## the long programmes; PART=T9 runs one of them (tests/proof/parts.mjs), T9 goes on where it was
	@./tools/setup.sh long
ifdef PART
	@+$(MAKE) --no-print-directory js
	@$(NODE) tests/proof/long.mjs $(PART)
else
	@+$(MAKE) --no-print-directory fuzz
	@+WEFT_LONG=1 $(MAKE) --no-print-directory test
	@for part in workbench inbox; do $(NODE) tests/proof/long.mjs $$part || exit 1; done # to their exact figures
endif

FUZZ_FLAGS := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all $(BASE) -DWEFT_TEST

.PHONY: fuzz fuzz-programs
fuzz-programs: $(FUZZ_PROGRAMS)

fuzz: $(FUZZ_PROGRAMS) ## each tests/fuzz/fuzz_*.c for FUZZ_SECONDS
	$(if $(FUZZ_PROGRAMS),,$(error no tests/fuzz/fuzz_*.c))
	@for program in $(FUZZ_PROGRAMS); do \
		name=$${program##*/fuzz_}; mkdir -p $(FUZZ)/corpus/$$name; seeds=tests/fuzz/corpus/$$name; \
		$$program -max_total_time=$(FUZZ_SECONDS) -rss_limit_mb=512 -artifact_prefix=$(FUZZ)/ $(FUZZ)/corpus/$$name $$( [ ! -d $$seeds ] || echo $$seeds ) || exit 1; \
	done

$(FUZZ)/%.o: %.c | $(CJSON_DIR)/cJSON.c
	@mkdir -p $(@D)
	@echo '  FUZZ $<'
	$(Q)$(CLANG) $(WARN) $(FUZZ_FLAGS) -c $< -o $@

$(FUZZ)/cJSON.o: $(CJSON_DIR)/cJSON.c
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(CJSON_FLAGS) $(FUZZ_FLAGS) -c $< -o $@

$(FUZZ)/fuzz_%: $(FUZZ)/tests/fuzz/fuzz_%.o $(ENGINE:%.c=$(FUZZ)/%.o) $(FUZZ)/cJSON.o
	$(Q)$(CLANG) -fsanitize=fuzzer,address,undefined $^ -lm -o $@

# The border's C, natively.
$(FUZZ)/fuzz_border: $(patsubst %,$(FUZZ)/wasm/%.o,abi schema tools)

-include $(wildcard $(FUZZ)/*/*/*.d $(FUZZ)/*/*.d)

# ---- measuring, showing

# What of the engine the C tests, the spec pages, the hostile inputs and the simulation reach. MC/DC needs clang 18: CLANG_MCDC=
# or what tools/clang.sh finds or fetches. A decision that clang does not record is a warning, and so an error.
COVERAGE := $(BUILD)/coverage
COVERED := $(patsubst $(NATIVE)/%,$(COVERAGE)/native/%,$(C_TESTS)) $(patsubst %,$(COVERAGE)/native/%,spec/pages spec/hostile proof/simulate)
.PHONY: coverage peer-changes
coverage: | node_modules ## lines, branches and conditions (MC/DC) of the engine's C that its tests reach
	@+clang=$$(./tools/clang.sh build/clang) && $(MAKE) --no-print-directory BUILD=$(COVERAGE) CC="$$clang/clang" CJSON_DIR=$(CJSON_DIR) \
		SANITIZE='-fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc -O0' $(COVERED) && $(NODE) tools/coverage.mjs $(COVERAGE) "$$clang"

# One compiler, so that the counts are the same everywhere.
COUNT := $(BUILD)/count
COUNT_OBJECTS := $(ENGINE:%.c=$(COUNT)/%.o) $(COUNT)/tests/bench/instructions.o
$(COUNT)/%.o: %.c | $(CJSON_DIR)/cJSON.c
	@mkdir -p $(@D)
	@echo '  COUNT $<'
	$(Q)$(CLANG) $(WARN) -O2 -DNDEBUG $(BASE) -c $< -o $@
$(COUNT)/cJSON.o: $(CJSON_DIR)/cJSON.c
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(CJSON_FLAGS) -O2 -DNDEBUG $(BASE) -c $< -o $@
$(COUNT)/instructions: $(COUNT_OBJECTS) $(COUNT)/cJSON.o
	$(Q)$(CLANG) $^ -lm -o $@
-include $(COUNT_OBJECTS:.o=.d)

.PHONY: instructions bench size setup-build demo
instructions: $(COUNT)/instructions ## instructions of a step, natively, against the committed counts (WRITE=1 writes them)
	@$(NODE) tests/bench/instructions.mjs $< $(if $(WRITE),--write)

bench: setup ## the same programs through Weft and LangGraph.js: medians and ratios
	@+$(MAKE) --no-print-directory js
	@$(NODE) $(or $(wildcard tests/bench/run.mjs),$(error no tests/bench/run.mjs))
	@$(NODE) tools/charts.mjs

.PHONY: charts pictures pictures-of-front-ends pictures-of-studio screenshots
charts: ## the charts and the table of docs/benchmarks.md, from tests/bench/results.json (also made by `make bench`)
	@$(NODE) tools/charts.mjs

pictures: js | node_modules ## the pictures of docs/architecture.md, from a recorded run and the page's tables
	@$(NODE) tools/pictures.mjs

pictures-of-studio: js | node_modules ## the pictures and the recording of the studio in README and docs
	@$(NODE) tools/demo-pictures.mjs

screenshots: js | node_modules ## the studio's states, light and dark, wide and narrow, into build/screenshots: to be looked at
	@rm -rf $(BUILD)/screenshots
	@WEFT_PICTURES=$(abspath $(BUILD))/screenshots $(NODE_TEST) tests/browser/shell-axe.test.mjs

pictures-of-front-ends: js | node_modules ## the pictures of docs/guides/front-ends, from the tests of the pages; with WEFT_LONG=1 CopilotKit's too
	@WEFT_PICTURES=1 $(NODE_TEST) $(filter-out %-example.test.mjs %-nextjs.test.mjs,$(wildcard tests/browser/front-end-*.test.mjs))

peer-changes: js | node_modules ## what differs between two versions of LangGraph.js: FROM=1.4.17 TO=1.7.3
	@$(NODE) tools/peer-changes.mjs $(FROM) $(TO)

size: js | node_modules ## bytes of the engine and of bundles, raw, gzip, brotli
	@$(NODE) tools/size.mjs

# By itself, since the Node that it finds is known only when it has ended.
setup-build:
	@./tools/setup.sh build

demo: setup-build ## sets up, builds, serves the demo and prints its address
	@+$(MAKE) --no-print-directory js
	@$(NODE) $(or $(wildcard web-demo/serve.mjs),$(error no web-demo/serve.mjs))

.PHONY: docs
docs: js site/node_modules ## the documentation as a site, in site/build/dist; DOCS_BASE=/path/ for a path of a host
	@$(NODE) site/build.mjs

site/node_modules: site/package-lock.json
	@npm ci --prefix site --omit=dev --no-audit --no-fund
	@touch $@

# ---- housekeeping

.PHONY: help clean
help: ## this list
	@echo 'Targets of Weft:'
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | awk -F '\t' '{printf "  %-14s %s\n", $$1, $$2}'
	@echo 'Variables: BUILD=dir CC=clang-14 ROOMS="base value" TEST=name CJSON_DIR=dir NODE=path V=1 (see the head of the Makefile)'

clean: ## removes all that was built (keeps cJSON's source and npm packages)
	rm -rf $(NATIVE) $(PLAIN) $(COUNT) $(WASM) $(DEBUG) $(EM) $(FUZZ)
	rm -rf js/cjs js/node
	rm -rf js/engine/generated js/base/codes.js
