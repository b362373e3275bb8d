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
NPM ?= $(or $(wildcard $(dir $(NODE))npm),npm)
CLANG ?= clang-14
EMCC ?= NODE_PATH=/usr/share/nodejs emcc
FUZZ_SECONDS ?= 60
Q := $(if $(V),,@)

# The suites of `make test`, in this order. Each is a target test-<name>.
SUITES := layers c js spec peer runtime browser pack types

WARN := -std=c11 -Wall -Wextra -Wconversion -Wshadow -Werror
BASE := -Isrc -isystem $(CJSON_DIR) -ffp-contract=off -fvisibility=hidden -MMD -MP
CJSON_FLAGS := -std=c11 -w -DCJSON_NESTING_LIMIT=128 -DCJSON_HIDE_SYMBOLS

ENGINE := $(sort $(foreach room,$(ROOMS),$(wildcard src/$(room)/*.c)) $(if $(filter *,$(ROOMS)),$(wildcard src/engine.c)))

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

.PHONY: native objects test-c
native: test-c ## build and test the engine natively under ASan and UBSan (the default)

objects: $(NATIVE_OBJECTS) ## the native, sanitized objects only

test-c: $(C_TESTS) ## the C rooms' tests
	$(if $(ENGINE),,$(error there is no C source in src/ (ROOMS=$(ROOMS))))
	$(if $(C_TESTS),,$(error there is no tests/c/test_$(TEST).c))
	@failed=0; for program in $(C_TESTS); do echo "== $${program##*/}"; $$program || failed=1; done; exit $$failed

# Rebuilds when the compiler or its flags change.
$(NATIVE)/flags: FORCE
	@mkdir -p $(@D); echo '$(CC) $(WARN) $(NATIVE_FLAGS) $(CJSON_FLAGS)' | cmp -s - $@ || echo '$(CC) $(WARN) $(NATIVE_FLAGS) $(CJSON_FLAGS)' > $@

$(NATIVE)/%.o: %.c $(NATIVE)/flags | $(CJSON_DIR)/cJSON.c
	@mkdir -p $(@D)
	@echo '  CC $<'
	$(Q)$(CC) $(WARN) $(NATIVE_FLAGS) -c $< -o $@

$(NATIVE)/cJSON.o: $(CJSON_DIR)/cJSON.c $(NATIVE)/flags
	@mkdir -p $(@D)
	@echo '  CC $<'
	$(Q)$(CC) $(CJSON_FLAGS) $(NATIVE_FLAGS) -c $< -o $@

$(NATIVE)/tests/%: $(NATIVE)/tests/c/%.o $(NATIVE_OBJECTS)
	@mkdir -p $(@D)
	@echo '  LD $@'
	$(Q)$(CC) $(SANITIZE) $^ -lm -o $@

build/cjson/cJSON.c:
	./tools/cjson.sh

-include $(NATIVE_OBJECTS:.o=.d) $(patsubst $(NATIVE)/tests/%,$(NATIVE)/tests/c/%.d,$(C_TESTS))
.SECONDARY:

# ---- housekeeping

.PHONY: help clean
help: ## this list
	@echo 'Targets of Weft:'
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | awk -F '\t' '{printf "  %-14s %s\n", $$1, $$2}'

clean: ## removes all that was built (keeps cJSON's source and npm packages)
	rm -rf $(NATIVE) $(BUILD)/wasm $(BUILD)/emcc $(BUILD)/gen
	rm -f js/engine/*.wasm js/engine/bytes.* js/engine/codes.js js/engine/idbfs-bytes.* js/engine/idbfs-glue.js
