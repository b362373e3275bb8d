// SPDX-License-Identifier: MIT
// POST runs the agent, GET /api/chat/:id/stream joins a run, DELETE of the same stops it.
import { handleChat } from "weftgraph/ai-sdk";
import { graph } from "../../../../agent";

// Here an application asks whose chat it is: a chat's id is all that handleChat wants to know.
const handle = (request: Request) => handleChat(request, { graph, onDisconnect: "continue" });

export { handle as DELETE, handle as GET, handle as POST };
