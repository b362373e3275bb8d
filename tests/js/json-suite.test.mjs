// SPDX-License-Identifier: MIT
// The JSON parsing test suite in the engine that ships (tests/c/test_json.c runs it natively): its
// files are handed over as bytes. Every y_ is read, every n_ refused; three y_ are refused by
// policy, and each i_ is read or refused as natively.
import { test } from "node:test";
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { getEngine } from "../../js/engine/instance.js";

const folder = join(process.env.WEFT_TEST_DATA ?? "../shared/data", "json-test-suite");
const skip =
  !existsSync(folder) &&
  `SKIPPED: the suite is not in ${folder} (WEFT_TEST_DATA names the folder above)`;
const POLICY = [
  "y_object_duplicated_key.json",
  "y_object_duplicated_key_and_value.json",
  "y_object_escaped_null_in_key.json",
];

/** The names that the native test pins under this head. */
function pinned() {
  const source = readFileSync(new URL("../c/test_json.c", import.meta.url), "utf8");
  return new Set([...source.matchAll(/"(i_[^"]+\.json)"/g)].map(([, name]) => name));
}

test("the JSON parsing test suite", { skip }, () => {
  const engine = getEngine();
  const any = engine.open("weft_schema_new", '{"schema":true}');
  const read = pinned();
  const counts = { y: 0, n: 0, i: 0 };
  const wrong = [];
  for (const name of readdirSync(folder).filter((file) => /^[yni]_.*\.json$/.test(file))) {
    const bytes = readFileSync(join(folder, name));
    engine.input(bytes);
    const accepted = engine.call("weft_schema_check", any, bytes.length, 0, 1, 0) % 2 === 1;
    const expected = name[0] === "y" ? !POLICY.includes(name) : name[0] === "i" && read.has(name);
    counts[name[0]]++;
    if (accepted !== expected) wrong.push(name);
    if (accepted && name[0] === "y") assert.doesNotThrow(() => JSON.parse(bytes.toString()), name);
  }
  engine.call("weft_schema_free", any);
  assert.deepEqual(wrong, []);
  assert.deepEqual(counts, { y: 95, n: 188, i: 35 });
});
