// SPDX-License-Identifier: MIT
// The official JSON Schema test suite as data: from npm (@json-schema-org/tests) where that has the
// files, else from WEFT_TEST_DATA or ../shared/data. Shared by schema-suite.test.mjs and the smoke
// set of the runtimes.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const NPM = "node_modules/@json-schema-org/tests";
const DATA = join(process.env.WEFT_TEST_DATA ?? "../shared/data", "json-schema-test-suite");

/** The folder with draft7, draft2019-09, draft2020-12 and remotes, or undefined. */
export function suiteFolder() {
  return [NPM, join(NPM, "tests"), DATA].find((folder) =>
    ["draft7", "draft2019-09", "draft2020-12", "remotes"].every((part) =>
      existsSync(join(folder, part)),
    ),
  );
}

/** Files of a folder: [name, groups]. */
export function filesOf(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => [name, JSON.parse(readFileSync(join(folder, name), "utf8"))]);
}

/** The suite's other documents by address. */
export function remotesOf(folder, uri = "http://localhost:1234") {
  const found = {};
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const address = `${uri}/${entry.name}`;
    if (entry.isDirectory()) Object.assign(found, remotesOf(path, address));
    else found[address] = JSON.parse(readFileSync(path, "utf8"));
  }
  return found;
}
