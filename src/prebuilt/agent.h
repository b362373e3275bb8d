// SPDX-License-Identifier: MIT
// The routers of the react agent: pure functions from what the host sees of the state to where the
// run goes on. Knows flags and counts only; must not know messages, models or tools.
#ifndef WEFT_PREBUILT_AGENT_H
#define WEFT_PREBUILT_AGENT_H

#include <stdint.h>

// After the model, from WEFT_REACT_* flags and the number of calls of the last message:
// WEFT_ROUTE_TOOLS, SEND (one task per call) or END.
uint32_t weft_agent_after_model(uint32_t flags, uint32_t calls);

// Whether the model's answer must be replaced because it asks for more steps than are left:
// WEFT_ROUTE_MORE_STEPS, else WEFT_ROUTE_AGENT. Without HAS_REMAINING never.
uint32_t weft_agent_guard(uint32_t flags, uint32_t calls, int32_t remaining);

// After the tools: WEFT_ROUTE_END when one of them answers the user itself (DIRECT_HIT), else
// WEFT_ROUTE_AGENT.
uint32_t weft_agent_after_tools(uint32_t flags);

#endif
