// SPDX-License-Identifier: MIT
// Deno KV stores that are called from outside: `validation-deno.mjs <file>`, POST /<prefix>. Prints
// its port.
import { DenoKvStore } from "../../js/savers/deno-kv/store.js";
import { serveStore } from "./remote-store.mjs";

const kv = await globalThis.Deno.openKv(globalThis.Deno.args[0]);
globalThis.Deno.serve(
  { port: 0, hostname: "127.0.0.1", onListen: ({ port }) => console.log(port) },
  async (request) =>
    new Response(
      await serveStore(
        new DenoKvStore({ kv, prefix: new URL(request.url).pathname }),
        await request.text(),
      ),
    ),
);
