// SPDX-License-Identifier: MIT
// The border's tools: toolsets, plans of tool calls, the react agent's routers.
#include "abi.h"

WEFT_API(weft_tools_new) int abi_tools_new(uint32_t length) {
    return weft_engine_toolset_new(abi_engine(), abi_area(), abi_within(length));
}

WEFT_API(weft_tools_free) int abi_tools_free(int toolset) {
    return weft_engine_toolset_free(abi_engine(), toolset);
}

WEFT_API(weft_tools_plan) const void *abi_tools_plan(int toolset, uint32_t words) {
    return weft_engine_toolset_plan(abi_engine(), toolset, abi_area(), abi_words(words));
}

WEFT_API(weft_route_model) uint32_t abi_route_model(uint32_t flags, uint32_t calls) {
    return weft_engine_route_model(flags, calls);
}

WEFT_API(weft_route_guard) uint32_t abi_route_guard(uint32_t flags, uint32_t calls, int remaining) {
    return weft_engine_route_guard(flags, calls, remaining);
}

WEFT_API(weft_route_tools) uint32_t abi_route_tools(uint32_t flags) {
    return weft_engine_route_tools(flags);
}
