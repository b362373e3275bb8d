// SPDX-License-Identifier: MIT
// The server of the demo: what is asked for is one of its files or not found.
import { test } from "node:test";
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
