// SPDX-License-Identifier: MIT
// Implements agent.h: the routers.
#include "agent.h"

#include "base/ops.h"

uint32_t weft_agent_after_model(uint32_t flags, uint32_t calls) {
    if (!(flags & WEFT_REACT_AI_LAST) || calls == 0) {
        return WEFT_ROUTE_END;
    }
    return flags & WEFT_REACT_SEND_EACH ? WEFT_ROUTE_SEND : WEFT_ROUTE_TOOLS;
}

uint32_t weft_agent_guard(uint32_t flags, uint32_t calls, int32_t remaining) {
    if (!(flags & WEFT_REACT_HAS_REMAINING) || calls == 0) {
        return WEFT_ROUTE_AGENT;
    }
    // Tools need one step; unless they all return directly, the model needs another one after them.
    int32_t needed = flags & WEFT_REACT_ALL_DIRECT ? 1 : 2;
    return remaining < needed ? WEFT_ROUTE_MORE_STEPS : WEFT_ROUTE_AGENT;
}

uint32_t weft_agent_after_tools(uint32_t flags) {
    return flags & WEFT_REACT_DIRECT_HIT ? WEFT_ROUTE_END : WEFT_ROUTE_AGENT;
}
