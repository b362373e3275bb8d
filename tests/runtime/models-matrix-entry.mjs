// SPDX-License-Identifier: MIT
// The matrix of model adapters as a page, or as a program of Deno and Bun, which prints the results
// as one line of JSON.
import { runMatrix } from "../js/models-matrix/cases.mjs";
import { columns } from "../js/models-matrix/columns.mjs";

const results = runMatrix(columns);
if (globalThis.document !== undefined) globalThis.matrixResults = results;
else {
  console.log(JSON.stringify(await results));
  (globalThis.Deno ?? process).exit(0);
}
