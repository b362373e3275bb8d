// SPDX-License-Identifier: MIT
// tools/setup.sh finds a Node that works: Debian's emscripten brings Node 18 along, which make may
// then put first on PATH.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const top = fileURLToPath(new URL("../../", import.meta.url));
let folder, older, newer;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "weft-setup-"));
  mkdirSync(join(folder, "tools"));
  cpSync(join(top, "tools/setup.sh"), join(folder, "tools/setup.sh"));
  // As after an earlier set-up: the npm packages are there, so that nothing is fetched.
  for (const name of ["node_modules", "build/setup", "older", "newer"])
    mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, "package-lock.json"), "{}");
  writeFileSync(
    join(folder, "build/setup/npm"),
    `${createHash("sha256").update("{}").digest("hex")}\n`,
  );
  [older, newer] = ["older", "newer"].map((name) => join(folder, name, "node"));
  writeFileSync(older, '#!/bin/sh\n[ "$1" = --version ] && echo v18.20.4 || echo false\n');
  chmodSync(older, 0o755);
  symlinkSync(process.execPath, newer);
});
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** Runs the set-up where these folders are first on PATH and the last set-up used this Node. */
function setUp(folders, last) {
  writeFileSync(join(folder, "build/setup/node"), `${last}\n`);
  const { NODE: _, ...env } = process.env;
  const result = spawnSync("sh", [join(folder, "tools/setup.sh"), "build"], {
    encoding: "utf8",
    env: { ...env, CJSON_DIR: "/elsewhere", PATH: `${folders.join(":")}:${process.env.PATH}` },
  });
  return { ...result, node: readFileSync(join(folder, "build/setup/node"), "utf8").trim() };
}

test("set-up takes the Node on PATH that is new enough, also behind one that is too old", () => {
  const { status, stderr, node } = setUp([dirname(older), dirname(newer)], older);
  assert.equal(status, 0, stderr);
  assert.equal(node, newer);
});

test("set-up keeps the Node of the last set-up while it is new enough", () => {
  const { status, stderr, node } = setUp([dirname(older)], newer);
  assert.equal(status, 0, stderr);
  assert.equal(node, newer);
});

test("set-up without a Node that is new enough says which one it found", () => {
  const { NODE: _, ...env } = process.env;
  writeFileSync(join(folder, "build/setup/node"), `${older}\n`);
  const bare = join(folder, "bare");
  mkdirSync(bare);
  for (const name of ["dirname", "mkdir", "cat", "printf", "sh"])
    symlinkSync(
      spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" })
        .stdout.trim()
        .replace(/^printf$/, "/usr/bin/printf"),
      join(bare, name),
    );
  const { status, stderr } = spawnSync("/bin/sh", [join(folder, "tools/setup.sh"), "build"], {
    encoding: "utf8",
    env: { ...env, PATH: `${dirname(older)}:${bare}`, WEFT_SETUP_LOCKED: "1" },
  });
  assert.equal(status, 1);
  assert.match(stderr, new RegExp(`found: v18.20.4 at ${older}`));
});
