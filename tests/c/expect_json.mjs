// SPDX-License-Identifier: MIT
// Prints the digest that tests/c/test_json.c expects of the JSON test suite: SHA-256 of name, "\n",
// and what JSON.stringify(JSON.parse(text)) gives, for each file the guard accepts. Run: node
// tests/c/expect_json.mjs [folder]
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";

const folder = process.argv[2] ?? "../shared/data/json-test-suite";
const policy = /^y_object_(duplicated_key|duplicated_key_and_value|escaped_null_in_key)\.json$/;
const hash = createHash("sha256");
let count = 0;
for (const name of readdirSync(folder)
  .filter((file) => /^[yi]_/.test(file) && !policy.test(file))
  .sort()) {
  let value;
  try {
    value = JSON.parse(
      new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
        readFileSync(`${folder}/${name}`),
      ),
    );
  } catch {
    continue;
  }
  // The guard refuses numbers that are not finite and more than 128 levels.
  const text = JSON.stringify(value, (_, item) =>
    item === Infinity || item === -Infinity ? "INFINITE" : item,
  );
  if (text.includes("INFINITE") || text.startsWith("[".repeat(129))) continue;
  hash.update(`${name}\n${text}\n`);
  count++;
}
console.log(`${count} ${hash.digest("hex")}`);
