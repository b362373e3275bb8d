// SPDX-License-Identifier: MIT
// The server of the demo: what is asked for is one of its files or not found. What static hosts
// read of headers, for the demo and for the documentation's site, says the same as the servers.
import { test } from "node:test";
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { headersFile as siteFile, headersFor } from "../../site/policy.mjs";
import { fileHeaders, headersFile } from "../../web-demo/policy.mjs";
import { serveDemo } from "../../web-demo/serve.mjs";

/** The status of an answer to a path, sent as it is. */
const statusOf = (url, path) =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    request({ hostname, port, path }, (response) => resolve(response.resume().statusCode))
      .on("error", reject)
      .end();
  });

test("a path that is no address is not found, and the server goes on", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "weft-serve-"));
  await writeFile(join(folder, "index.html"), "<!doctype html>");
  const { url, close } = await serveDemo({ folder, port: 0 });
  t.after(async () => {
    await close();
    await rm(folder, { recursive: true });
  });
  for (const path of ["//", "http://[", "/../index.html"])
    assert.equal(await statusOf(url, path), 404, path);
  for (const path of ["/", "/?graph=orders", "/index.html"])
    assert.equal(await statusOf(url, path), 200, path);
});

/** What a host sends with an address that reads such a file. */
function sentBy(file, address) {
  const sent = {};
  for (const section of file.split(/^(?=\/)/m)) {
    const [path, ...lines] = section.trimEnd().split("\n");
    assert.match(path, /^\/.*\*$/);
    if (!address.startsWith(path.slice(0, -1))) continue;
    for (const line of lines) {
      const [, name, value] = /^ {2}([a-z-]+): (.+)$/.exec(line);
      assert.ok(!(name in sent), `${name} comes twice with ${address}`);
      sent[name] = value;
    }
  }
  return sent;
}

/** Files whose names do not say their content are asked for each time anyway. */
const withoutRule = (headers) =>
  Object.entries(headers).filter((entry) => entry.join() !== "cache-control,no-cache");

for (const base of [undefined, "/weft/"])
  test(`the file of headers says what the servers send, for a site at ${base ?? "the root"}`, () => {
    const site = siteFile(base);
    for (const path of [
      "/",
      "/guides/studio.html",
      "/assets/app.x.js",
      "/run/packages/weft.js",
      "/run/worker.js",
      "/studio/",
      "/studio/offline.js",
      "/studio/assets/worker-A.js",
      "/studio/assets/page-A.js",
    ]) {
      const sent = sentBy(site, `${(base ?? "/").slice(0, -1)}${path}`);
      for (const [name, value] of withoutRule(headersFor(path)))
        assert.equal(sent[name], value, `${name} of ${path}`);
    }
    if (base !== undefined) assert.deepEqual(sentBy(site, "/other/"), {});
    for (const path of ["/", "/use-stream.html", "/assets/worker-A.js", "/assets/page-A.js"])
      for (const [name, value] of withoutRule(fileHeaders(path)))
        assert.equal(sentBy(headersFile(), path)[name], value, `${name} of ${path}`);
  });
