// SPDX-License-Identifier: MIT
// A browser that is missing: tests are skipped on a machine of somebody's own, and fail in CI,
// where the set-up has installed it.
import { test } from "node:test";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Loads a driver in a process of its own. @returns what it says is there, or fails with */
async function load(module, name, env) {
  const { href } = new URL(module, import.meta.url);
  const program = `console.log((await import(${JSON.stringify(href)})).${name});`;
  const { CI: _ci, WEFT_LONG: _long, ...rest } = process.env;
  return run(process.execPath, ["--input-type=module", "-e", program], {
    env: { ...rest, ...env },
  }).then(
    ({ stdout }) => stdout.trim(),
    ({ stderr }) => /Error: (.*)/.exec(stderr)[1],
  );
}

test("a missing Firefox is skipped, but in CI a failure", async () => {
  const without = { FIREFOX: "/nowhere/firefox" };
  assert.equal(await load("firefox.mjs", "hasFirefox", without), "false");
  assert.match(
    await load("firefox.mjs", "hasFirefox", { ...without, CI: "true" }),
    /^There is no Firefox \(\/nowhere\/firefox\)/,
  );
});

test("a missing WebKitGTK is a failure in CI's long run, whose set-up installs it", async () => {
  const without = { WEBKIT_DRIVER: "/nowhere/driver" };
  for (const env of [{}, { CI: "true" }, { WEFT_LONG: "1" }])
    assert.equal(await load("webkit.mjs", "hasWebkit", { ...without, ...env }), "false");
  assert.match(
    await load("webkit.mjs", "hasWebkit", { ...without, CI: "true", WEFT_LONG: "1" }),
    /^There is no WebKitGTK \(\/nowhere\/driver, /,
  );
});
