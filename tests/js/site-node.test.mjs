// SPDX-License-Identifier: MIT
// What the documentation's site has in place of Node's modules, so that programs for Node run in
// its pages: files are kept by the contract of stores, as Node's own are, and a port answers.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import * as nodeFs from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer as createNodeServer } from "node:http";
import * as nodePath from "node:path";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { storeContract } from "weftgraph/store-contract";
import { toNodeHandler } from "weftgraph/server/node";
import { standIns } from "../../site/run/bundle.mjs";
import { top } from "../../site/programs.mjs";
import { createServer } from "../../site/run/node/http.js";
import * as crypto from "../../site/run/node/crypto.js";
import * as fs from "../../site/run/node/fs.js";
import * as path from "../../site/run/node/path.js";

let folder = "";
let FileStore;
before(async () => {
  // Inside the checkout, whose packages the bundle finds there.
  nodeFs.mkdirSync(join(top, "build"), { recursive: true });
  folder = await mkdtemp(join(top, "build/site-node-"));
  const entry = join(folder, "entry.js");
  const outfile = join(folder, "bundle.mjs");
  const store = JSON.stringify(join(top, "js/savers/file/store.js"));
  await writeFile(entry, `export { FileStore } from ${store};\n`);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: "esm",
    target: "es2022",
    platform: "browser",
    plugins: [standIns],
    logLevel: "error",
  });
  ({ FileStore } = await import(pathToFileURL(outfile).href));
});
after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

const paths = new WeakMap();
let made = 0;
const open = (path) => {
  const store = new FileStore({ path });
  paths.set(store, path);
  return store;
};
storeContract({
  test,
  assert,
  makeStore: () => open(`threads-${++made}`),
  reopen: (store) => open(paths.get(store)),
  features: { witness: true },
});

test("the store's files were never on the disk", () =>
  assert.ok(made > 0 && !nodeFs.existsSync("threads-1")));

/** What happens to files in a folder of its own: results, and codes of errors. */
function useFiles({ fs, path: { join } }, root) {
  const seen = [];
  const see = (name, ...values) => {
    try {
      const result = fs[`${name}Sync`](...values);
      seen.push(typeof result === "string" ? result.replace(root, "") : result);
    } catch ({ code }) {
      seen.push(`${name}: ${code}`);
    }
  };
  const at = (name) => join(root, name);
  see("mkdir", at("a/b/c"), { recursive: true });
  see("mkdir", at("a/b/c"), { recursive: true });
  see("mkdir", at("a"));
  see("mkdir", at("none/a"));
  see("writeFile", at("a/one"), "text", { flag: "wx" });
  see("writeFile", at("a/one"), "text", { flag: "wx" });
  see("writeFile", at("a/one/two"), "text");
  see("writeFile", at("a"), "text");
  see("mkdir", at("a/one"), { recursive: true });
  see("readFile", at("a/one"), "utf8");
  see("readFile", at("a"), "utf8");
  see("readFile", at("none"));
  see("link", at("a/one"), at("a/two"));
  see("link", at("a/one"), at("a/two"));
  see("link", at("a"), at("other"));
  see("rename", at("a/one"), at("a/two"));
  see("rename", at("a/two"), at("a/b"));
  see("rename", at("a/b"), at("a/b/c/d"));
  see("mkdir", at("full/inside"), { recursive: true });
  see("rename", at("a"), at("full"));
  see("rename", at("a/b/c"), at("full/inside"));
  see("rename", at("none"), at("full/none"));
  see("rename", at("a"), at("moved"));
  see("writeFile", at("mark"), "\uFEFFtext");
  see("readFile", at("mark"), "utf8");
  see("exists", "");
  see("writeFile", "", "text");
  see("rm", "", { recursive: true });
  see("unlink", at("moved/b"));
  see("unlink", at("moved/one"));
  see("unlink", at("moved/one"));
  see("rm", at("full"));
  see("rm", at("none"));
  see("rm", at("none"), { force: true });
  see("exists", at("moved/two/three"));
  see("readlink", at("moved/two"));
  const { nlink, size } = fs.statSync(at("moved/two"));
  seen.push(nlink, size, fs.readdirSync(root, { recursive: true }).sort());
  see("rm", at("full"), { recursive: true });
  seen.push(fs.readdirSync(root).sort());
  const when = new Date("2026-01-01");
  fs.utimesSync(at("moved/two"), when, when);
  seen.push(fs.statSync(at("moved/two")).mtimeMs, fs.statSync(root).isDirectory());
  return seen;
}

test("files in memory do what Node's do, and fail with its codes", () => {
  const own = useFiles({ fs, path }, fs.mkdtempSync("/tmp/files-"));
  const node = useFiles({ fs: nodeFs, path: nodePath }, nodeFs.mkdtempSync(join(folder, "files-")));
  // It says EPERM or EISDIR by the system, and Node's rm has codes of its own.
  const said = (seen) => seen.map((one) => String(one).replace(/ERR_FS_\w+/, "EISDIR"));
  assert.deepEqual(said(own), said(node));
});

test("paths are Node's", () => {
  for (const parts of [
    ["a", "b"],
    ["/a/", "../b"],
    ["a", ".."],
    ["../a"],
    ["a", "../../b"],
    ["/.."],
  ]) {
    assert.equal(path.join(...parts), nodePath.join(...parts));
    assert.equal(path.dirname(parts.join("/")), nodePath.dirname(parts.join("/")));
    assert.equal(path.basename(parts[0]), nodePath.basename(parts[0]));
  }
  assert.equal(path.resolve("/a", "b", "../c"), "/a/c");
});

test("digests are Node's", () => {
  for (let length = 0; length < 200; length++) {
    const bytes = randomBytes(length);
    const expected = createHash("sha256").update(bytes).digest("hex");
    assert.equal(crypto.createHash("sha256").update(bytes).digest("hex"), expected);
  }
  const parts = crypto.createHash("sha256").update("é").update("a").digest();
  assert.equal(parts.readUInt32LE(0), createHash("sha256").update("éa").digest().readUInt32LE(0));
});

/** Asks a server of either module what it can do; ends it. */
async function ask(createServer) {
  let gone = 0;
  let tell;
  const wasGone = new Promise((resolve) => (tell = resolve));
  const handle = toNodeHandler({
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/fails") throw new Error("no");
      if (pathname === "/stays") {
        request.signal.addEventListener("abort", () => tell(++gone));
        return new Response(
          new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(1)) }),
        );
      }
      if (pathname === "/none") return new Response(null, { status: 204 });
      const headers = { "x-given": request.headers.get("x-given") ?? "none" };
      return new Response(`${request.method} ${await request.text()}`, { status: 201, headers });
    },
  });
  const server = createServer(handle).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${server.address().port}`;
  const seen = [];
  for (const [path, init] of [
    ["/", {}],
    ["/a?b", { method: "POST", body: "x".repeat(100_000), headers: { "x-given": "yes" } }],
    ["/fails", {}],
    ["/none", {}],
  ]) {
    const response = await fetch(url + path, init);
    seen.push([response.status, response.headers.get("x-given"), await response.text()]);
  }
  const stays = await fetch(`${url}/stays`);
  const reader = stays.body.getReader();
  seen.push((await reader.read()).value.length);
  await reader.cancel();
  await wasGone;
  seen.push(gone);
  const leaving = new AbortController();
  const left = await fetch(`${url}/stays`, leaving);
  leaving.abort();
  seen.push(await left.text().catch(({ name }) => name));
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
  await assert.rejects(fetch(url), TypeError);
  const { port } = new URL(url);
  const next = createServer((_request, response) => response.end("next")).listen(
    Number(port),
    "127.0.0.1",
  );
  await once(next, "listening");
  server.close(() => {});
  seen.push(await (await fetch(url)).text());
  next.close();
  return seen;
}

test("a port in the page answers as Node's does, and hears of a reader that leaves", async () => {
  const node = await ask(createNodeServer);
  const { fetch } = globalThis;
  try {
    assert.deepEqual(await ask(createServer), node);
  } finally {
    globalThis.fetch = fetch;
  }
});
