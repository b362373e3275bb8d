// SPDX-License-Identifier: MIT
// The server of tabs that run graphs (two-tabs-page.mjs and others), under a strict policy; it
// keeps what a witness tells it.
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

// What is called in a tab: until it can work, one of its calls, until it is in the middle of its
// work, no locks.
export const READY =
  "async () => { while (!globalThis.tab) await new Promise((resolve) => setTimeout(resolve, 5)); }";
export const CALL = "async (name, ...words) => tab[name](...words)";
export const WORKING =
  "async () => { while (!tab.isWorking()) await new Promise((resolve) => setTimeout(resolve, 5)); }";
export const NO_LOCKS =
  "async () => void Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })";

/** @param {string} [page] @returns {Promise<{ origin: string, close: () => void }>} */
export async function startTabs(page = "two-tabs-page.mjs") {
  const heads = new Map();
  const entry = fileURLToPath(new URL(page, import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    write: false,
    target: "es2022",
  });
  const server = createServer(async (request, response) => {
    const { url } = request;
    if (url.startsWith("/witness/")) {
      if (request.method === "PUT")
        heads.set(url, Buffer.concat(await request.toArray()).toString());
      return response.end(heads.get(url) ?? "null");
    }
    const isScript = url === "/page.js";
    response.writeHead(200, {
      "content-type": isScript ? "text/javascript" : "text/html",
      "content-security-policy": POLICY,
    });
    return response.end(
      isScript
        ? outputFiles[0].contents
        : '<!doctype html><title>tab</title><script type="module" src="/page.js"></script>',
    );
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
