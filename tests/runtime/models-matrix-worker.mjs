// SPDX-License-Identifier: MIT
// The matrix of model adapters as a Worker, which answers each request with the results.
import { runMatrix } from "../js/models-matrix/cases.mjs";
import { columns } from "../js/models-matrix/columns.mjs";

export default { fetch: async () => Response.json(await runMatrix(columns)) };
