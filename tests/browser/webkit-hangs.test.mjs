// SPDX-License-Identifier: MIT
// A page that hangs in WebKit is an error for the test that waits for it (webkit.mjs): with a
// driver that answers as WebKit's does then.
import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

const DRIVER = `#!${process.execPath}
const { createServer } = require("node:http");
const answers = { "/session": { sessionId: "s" }, "/session/s/window/new": { handle: "w" } };
createServer(async (request, response) => {
  let text = "";
  for await (const part of request) text += part;
  // A page that is busy for ever answers no script.
  if (/for \\(;;\\)/.test(text)) return;
  response.end(JSON.stringify({ value: answers[request.url] ?? null }));
}).listen(Number(process.argv[2].split("=")[1]), "127.0.0.1");
`;
const SCREEN = `#!${process.execPath}
require("node:fs").writeSync(3, "7\\n");
setInterval(() => {}, 1000);
`;
let folder, browser;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "weft-driver-"));
  for (const [variable, name, text] of [
    ["WEBKIT_DRIVER", "driver.cjs", DRIVER],
    ["XVFB", "screen.cjs", SCREEN],
    ["WEBKIT", "browser", ""],
  ]) {
    process.env[variable] = join(folder, name);
    await writeFile(process.env[variable], text);
    await chmod(process.env[variable], 0o755);
  }
  const { launchWebkit } = await import("./webkit.mjs");
  browser = await launchWebkit();
});

after(async () => {
  await browser?.close();
  await rm(folder, { recursive: true });
});

const LIMIT = { timeout: 60_000 };

test("a call that never ends is an error that names it", LIMIT, async () => {
  const page = await browser.openPage("http://127.0.0.1/", { waitMs: 200 });
  await assert.rejects(
    page.call("(word) => new Promise(() => {})", "one"),
    /^Error: A call in WebKit did not end within 200 ms: .*Promise.*\["one"\]/,
  );
});

test("a page that answers nothing is an error, and the next command is sent", LIMIT, async () => {
  const page = await browser.openPage("http://127.0.0.1/", { waitMs: 200 });
  await assert.rejects(
    page.call("async () => { for (;;); }"),
    /WebKit did not answer POST \S*\/execute\/sync within 200 ms: does it hang\?/,
  );
  await browser.openPage("http://127.0.0.1/");
});
