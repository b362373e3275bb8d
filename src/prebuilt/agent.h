// SPDX-License-Identifier: MIT
// The routers of the react agent: pure functions from facts about the state to the next route. Take
// flags and counts only; do not depend on messages, models or tools.
#ifndef WEFT_PREBUILT_AGENT_H
#define WEFT_PREBUILT_AGENT_H

#include <stdint.h>

// Routes after the model, from WEFT_REACT_* flags and the number of calls of the last message:
// WEFT_ROUTE_TOOLS, SEND (one task per call) or END.
uint32_t weft_agent_after_model(uint32_t flags, uint32_t calls);

// Decides whether the model's answer must be replaced because it needs more steps than are left:
// WEFT_ROUTE_MORE_STEPS, else WEFT_ROUTE_AGENT. Without HAS_REMAINING never.
uint32_t weft_agent_guard(uint32_t flags, uint32_t calls, int32_t remaining);

// Routes after the tools: WEFT_ROUTE_END when one of them returns directly (DIRECT_HIT), else
// WEFT_ROUTE_AGENT.
uint32_t weft_agent_after_tools(uint32_t flags);

#endif
