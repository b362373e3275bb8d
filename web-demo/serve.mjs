// SPDX-License-Identifier: MIT
// Bundles the demo and serves it on this machine. `node web-demo/serve.mjs [--port n] [--connect
// address]...` --connect lets the page reach a model at an address that is neither https nor on
// this machine.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { readFile, readdir } from "node:fs/promises";
import { extname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { buildDemo } from "./build.mjs";
import { fileHeaders } from "./policy.mjs";

const FIRST_PORT = 4180;
const PORTS_TRIED = 20;
/** @type {Record<string, string>} */
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".map": "application/json",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
};
/** Better than the fastest, and still quick on the largest file. */
const BROTLI_QUALITY = 9;

/**
 * @typedef {{ bytes: Buffer, headers: Record<string, string>, packed: Map<string,
 *   Promise<Buffer>> }} File `packed`: its bytes by encoding, made when they are asked for
 */
/** @type {Record<string, (bytes: Buffer) => Promise<Buffer>>} the best one first */
const ENCODINGS = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
    }),
  gzip: promisify(gzip),
};

/**
 * Serves a folder that buildDemo made. Files are read once: only what is in the folder now can be
 * asked for.
 * @param {{ folder: string, port?: number, connect?: string[] }} options
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function serveDemo({ folder, port, connect = [] }) {
  const files = await readFiles(folder, connect);
  const server = createServer((request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD")
      return response.writeHead(405, { allow: "GET, HEAD" }).end();
    const file = files.get((request.url ?? "/").split("?", 1)[0]);
    if (!file) return response.writeHead(404, { "content-type": "text/plain" }).end("Not found\n");
    answer(request, response, file).catch(() => response.destroy());
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

/** @param {string} folder @param {string[]} connect */
async function readFiles(folder, connect) {
  /** @type {Map<string, File>} */
  const files = new Map();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((found) => found.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const name = `/${relative(folder, path).split(sep).join("/")}`;
    const bytes = await readFile(path);
    files.set(name, {
      bytes,
      packed: new Map(),
      headers: {
        ...fileHeaders(name, { connect }),
        etag: `W/"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
        "content-type": TYPES[extname(name)] ?? "application/octet-stream",
        vary: "accept-encoding",
      },
    });
  }
  const first = files.get("/index.html");
  if (first !== undefined) files.set("/", first);
  return files;
}

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 * @param {File} file
 */
async function answer(request, response, file) {
  const known = request.headers["if-none-match"] ?? "";
  if (known.split(/,\s*/).includes(file.headers.etag)) {
    // The browser keeps the other headers.
    const { etag, "cache-control": kept, vary } = file.headers;
    return void response.writeHead(304, { etag, "cache-control": kept, vary }).end();
  }
  const taken = String(request.headers["accept-encoding"] ?? "").split(/\s*,\s*/);
  const encoding = Object.keys(ENCODINGS).find((name) => taken.includes(name));
  const bytes = encoding === undefined ? file.bytes : await pack(file, encoding);
  response.writeHead(200, {
    ...file.headers,
    "content-length": bytes.length,
    ...(encoding && { "content-encoding": encoding }),
  });
  response.end(request.method === "HEAD" ? undefined : bytes);
}

/** @param {File} file @param {string} encoding */
function pack({ bytes, packed }, encoding) {
  const known = packed.get(encoding) ?? ENCODINGS[encoding](bytes);
  packed.set(encoding, known);
  return known;
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
