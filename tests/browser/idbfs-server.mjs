// SPDX-License-Identifier: MIT
// Serves the checkout to the IDBFS tests' browsers: an empty page at /, modules elsewhere, a strict
// content security policy. Modules name files in place of the package's own imports, since import
// maps do not hold in workers.
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const top = fileURLToPath(new URL("../../", import.meta.url));
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";

const { imports } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));

/** @param {Buffer} bytes of a module */
const withFiles = (bytes) =>
  bytes
    .toString()
    .replace(/"(#[\w-]+)"/g, (own, name) =>
      imports[name] === undefined ? own : JSON.stringify(imports[name].default.slice(1)),
    );

function serveFile(request, response, told) {
  if (request.method === "POST") {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      told?.(Buffer.concat(parts).toString());
      response.end();
    });
    return;
  }
  const path = normalize(new URL(request.url, "http://localhost").pathname);
  if (path === "/") {
    response.writeHead(200, { "content-type": "text/html", "content-security-policy": POLICY });
    return response.end("<!doctype html><title>store</title>");
  }
  readFile(join(top, path)).then(
    (bytes) => {
      response.writeHead(200, {
        "content-type": "text/javascript",
        "content-security-policy": POLICY,
      });
      response.end(path.endsWith(".js") ? withFiles(bytes) : bytes);
    },
    () => {
      response.writeHead(404);
      response.end();
    },
  );
}

/** { origin, close }; `told` is given what pages POST */
export async function startServer(told) {
  const server = createServer((request, response) => serveFile(request, response, told));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
