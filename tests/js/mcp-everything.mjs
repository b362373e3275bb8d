// SPDX-License-Identifier: MIT
// Starts MCP's official example server, which has each kind of tool, on a port of this machine.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);
const WAIT_MS = 20_000;

/** @returns {Promise<{ url: string, stop: () => void }>} */
export async function startEverything() {
  const port = await freePort();
  const path = dirname(require.resolve("@modelcontextprotocol/server-everything/package.json"));
  const child = spawn(process.execPath, [join(path, "dist/index.js"), "streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
    stdio: "ignore",
  });
  const url = `http://127.0.0.1:${port}/mcp`;
  const end = Date.now() + WAIT_MS;
  for (;;) {
    try {
      await fetch(url, { method: "OPTIONS" });
      return { url, stop: () => void child.kill() };
    } catch (error) {
      if (Date.now() > end || child.exitCode !== null) {
        child.kill();
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
