// SPDX-License-Identifier: MIT
// An agent behind Deno.serve, its threads in Deno KV. PORT and KV_PATH choose where.
import { DenoKvSaver } from "weftgraph/savers/deno-kv";
import { makeAgent } from "../agent/agent.js";
import { AgentService } from "../agent/service.js";

const kv = await Deno.openKv(Deno.env.get("KV_PATH"));
const service = new AgentService(makeAgent(Deno.env.toObject(), new DenoKvSaver({ kv })));

Deno.serve({ port: Number(Deno.env.get("PORT") ?? 8000), onListen: ({ port }) => console.log(`http://localhost:${port}/`) }, (request) => service.handle(request));
