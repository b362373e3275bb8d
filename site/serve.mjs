// SPDX-License-Identifier: MIT
// Serves the built site on this machine with the headers that a host should send:
// `node site/serve.mjs [port]`, with DOCS_BASE as it was built.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { gathered } from "./pages.mjs";
import { headersFor } from "./policy.mjs";

const compress = promisify(gzip);
const FIRST_PORT = 4190;
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".json": "application/json",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
};

/**
 * @param {{ folder: string, base?: string, port?: number }} options
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function serveSite({ folder, base = "/", port = 0 }) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const path = pathname.startsWith(base) ? `/${pathname.slice(base.length)}` : undefined;
    const found = path === undefined ? undefined : await find(folder, path);
    // What a page of a folder loads has addresses below that folder.
    if (found?.isFolder && !pathname.endsWith("/"))
      return response.writeHead(301, { location: join(base, path, "/") }).end();
    const type = TYPES[extname(found?.file ?? ".html")] ?? "application/octet-stream";
    const bytes = found?.bytes ?? (await readFile(join(folder, "404.html")));
    const headers = { ...headersFor(path ?? "/"), "content-type": type };
    const isText = !/png|woff2/.test(type);
    response.writeHead(
      found ? 200 : 404,
      isText ? { ...headers, "content-encoding": "gzip" } : headers,
    );
    response.end(isText ? await compress(bytes) : bytes);
  });
  await new Promise((done, failed) => server.once("error", failed).listen(port, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}${base}`,
    close: () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  };
}

/** The file of an address: itself, its page, or the page of its folder. */
async function find(folder, path) {
  const safe = normalize(decodeURIComponent(path));
  const first = join(safe, "index.html");
  for (const name of [safe, `${safe}.html`, first]) {
    const file = join(folder, name);
    try {
      return { file, bytes: await readFile(file), isFolder: name === first };
    } catch {}
  }
  return undefined;
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { url } = await serveSite({
    folder: join(gathered(), "dist"),
    base: process.env.DOCS_BASE,
    port: Number(process.argv[2] ?? FIRST_PORT),
  });
  console.log(`The documentation is at ${url}\nPress Ctrl+C to stop.`);
}
