// SPDX-License-Identifier: MIT
// An agent behind Deno.serve, its threads in Deno KV. PORT and KV_PATH choose where.
import { DenoKvSaver } from "weftgraph/savers/deno-kv";
import { makeAgent } from "../agent/agent.ts";
import { AgentService } from "../agent/service.ts";

/** Two processes that begin at once find the file locked for a moment. */
async function openKv(path: string | undefined, tries = 20): Promise<Deno.Kv> {
  try {
    return await Deno.openKv(path);
  } catch (error) {
    if (tries === 0 || !(error instanceof Error) || !/locked/.test(error.message)) throw error;
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  return openKv(path, tries - 1);
}

const kv = await openKv(Deno.env.get("KV_PATH"));
const service = new AgentService(makeAgent(Deno.env.toObject(), new DenoKvSaver({ kv })));

Deno.serve(
  {
    port: Number(Deno.env.get("PORT") ?? 8000),
    onListen: ({ port }) => console.log(`http://localhost:${port}/`),
  },
  (request) => service.handle(request),
);
