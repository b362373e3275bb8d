// SPDX-License-Identifier: MIT
// Bundles the demo and serves it on this machine. `node web-demo/serve.mjs [--port n] [--connect
// address]...` --connect lets the page reach a model at an address that is neither https nor on
// this machine.
import { createServer } from "node:http";
import { readFile, readdir } from "node:fs/promises";
import { extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildDemo } from "./build.mjs";
import { pageHeaders } from "./policy.mjs";

const FIRST_PORT = 4180;
const PORTS_TRIED = 20;
/** @type {Record<string, string>} */
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".map": "application/json",
  ".txt": "text/plain; charset=utf-8",
};

/**
 * Serves a folder that buildDemo made. Files are read once: only what is in the folder now can be
 * asked for.
 * @param {{ folder: string, port?: number, connect?: string[] }} options
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function serveDemo({ folder, port, connect = [] }) {
  const files = new Map();
  for (const name of await readdir(folder))
    files.set(`/${name}`, {
      type: TYPES[extname(name)] ?? "application/octet-stream",
      bytes: await readFile(join(folder, name)),
    });
  files.set("/", files.get("/index.html"));
  const headers = { ...pageHeaders({ connect }), "cache-control": "no-cache" };
  const server = createServer((request, response) => {
    const file = files.get(new URL(request.url ?? "/", "http://localhost").pathname);
    if (request.method !== "GET" && request.method !== "HEAD")
      return response.writeHead(405, { allow: "GET, HEAD" }).end();
    if (!file) return response.writeHead(404, { "content-type": "text/plain" }).end("Not found\n");
    response.writeHead(200, {
      ...headers,
      "content-type": file.type,
      "content-length": file.bytes.length,
    });
    response.end(request.method === "HEAD" ? undefined : file.bytes);
  });
  const taken = await listen(server, port);
  return {
    url: `http://127.0.0.1:${taken}/`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/**
 * Listens on the port asked for, or on the first free one of a few.
 * @param {import("node:http").Server} server
 * @param {number | undefined} port
 * @returns {Promise<number>}
 */
async function listen(server, port) {
  const first = port ?? FIRST_PORT;
  const last = port === undefined ? FIRST_PORT + PORTS_TRIED : port;
  for (let next = first; ; next++) {
    try {
      await new Promise((done, failed) =>
        server.once("error", failed).listen(next, "127.0.0.1", () => done(undefined)),
      );
      return /** @type {import("node:net").AddressInfo} */ (server.address()).port;
    } catch (error) {
      server.removeAllListeners("error");
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EADDRINUSE" || next >= last)
        throw error;
    }
  }
}

function readOptions() {
  const { values } = parseArgs({
    options: { port: { type: "string" }, connect: { type: "string", multiple: true, default: [] } },
  });
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65535))
    throw new Error(`--port takes a number from 0 to 65535, not ${values.port}`);
  const connect = values.connect.map((address) => {
    if (!URL.canParse(address))
      throw new Error(
        `--connect takes an address such as http://192.168.1.5:11434, not ${address}`,
      );
    return new URL(address).origin;
  });
  return { port, connect };
}

async function main() {
  const { port, connect } = readOptions();
  const folder = await buildDemo({ connect });
  const { url } = await serveDemo({ folder, port, connect });
  console.log(`The Weft demo is at ${url}\nPress Ctrl+C to stop.`);
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    console.error(
      error.code === "EADDRINUSE"
        ? `Port ${error.port} is taken: choose another one with --port.`
        : error.message,
    );
    process.exitCode = 1;
  });
}
