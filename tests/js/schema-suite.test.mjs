// SPDX-License-Identifier: MIT
// The official JSON Schema test suite in the engine that ships: every required case, every optional
// one and every format but those named here (docs/guides/json-schema.md has the reasons). Each text
// goes through validate and validateJson.
import { test } from "node:test";
import assert from "node:assert/strict";
import { join } from "node:path";
import { compileSchema } from "weftgraph/schema";
import { filesOf, remotesOf, suiteFolder } from "./schema-suite.mjs";

const folder = suiteFolder();
const skip =
  folder === undefined &&
  "SKIPPED: the suite is not there: neither @json-schema-org/tests nor WEFT_TEST_DATA has its files";
const COUNTS = {
  draft7: [927, 118, 676],
  "draft2019-09": [1259, 158, 757],
  "draft2020-12": [1299, 162, 764],
};
const PARTS = [
  ["", undefined],
  ["optional", undefined],
  ["optional/format", true],
];
// Draft 7 may assert contentMediaType and contentEncoding.
const LEFT_OUT = { draft7: { optional: { "content.json": 10 } } };

function run(draft, part, formats, remotes) {
  const tally = { tests: 0, leftOut: 0, wrong: [] };
  for (const [file, groups] of filesOf(join(folder, draft, part))) {
    for (const { description, schema, tests } of groups) {
      if (LEFT_OUT[draft]?.[part]?.[file] !== undefined) {
        tally.leftOut += tests.length;
        continue;
      }
      let compiled;
      try {
        compiled = compileSchema(schema, { draft: draft.slice(5), remotes, formats });
      } catch (error) {
        tally.wrong.push(`${file}: ${description}: ${error.message}`);
      }
      for (const { description: what, data, valid } of compiled === undefined ? [] : tests) {
        tally.tests++;
        const told = compiled.validate(data);
        if (told.valid !== valid || compiled.validateJson(JSON.stringify(data)).valid !== valid)
          tally.wrong.push(`${file}: ${description}: ${what}`);
        if (told.valid !== (told.errors.length === 0))
          tally.wrong.push(`${file}: ${description}: ${what}: ${JSON.stringify(told.errors)}`);
      }
      compiled?.free();
    }
  }
  return tally;
}

for (const draft of Object.keys(COUNTS)) {
  for (const [index, [part, formats]] of PARTS.entries()) {
    test(`${draft} ${part || "required"}`, { skip }, (t) => {
      const { tests, leftOut, wrong } = run(
        draft,
        part,
        formats,
        remotesOf(join(folder, "remotes")),
      );
      t.diagnostic(`${tests} tests, ${leftOut} left out, ${wrong.length} wrong`);
      assert.deepEqual(wrong, []);
      assert.equal(tests + leftOut, COUNTS[draft][index]);
      assert.equal(
        leftOut,
        Object.values(LEFT_OUT[draft]?.[part] ?? {}).reduce((sum, count) => sum + count, 0),
      );
    });
  }
}
