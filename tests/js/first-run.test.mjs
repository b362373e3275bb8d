// SPDX-License-Identifier: MIT
// What a first run must not make Node load: parts of Node that take longer than the run itself.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { AGENT, importsOf } from "../bench/first-agent.mjs";

const HEAVY = / internal\/(streams\/duplex|crypto\/webcrypto|worker\/io)$/;
const PROGRAM = `${importsOf("").weft}${AGENT}
await answer();
console.log(JSON.stringify(process.moduleLoadList));`;

test("an agent's first answer loads neither the streams nor the crypto of Node", () => {
  const loaded = JSON.parse(
    execFileSync(process.execPath, ["--input-type=module", "--eval", PROGRAM], {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      encoding: "utf8",
    }),
  );
  assert.ok(loaded.length > 0);
  assert.deepEqual(
    loaded.filter((name) => HEAVY.test(name)),
    [],
  );
});
