// SPDX-License-Identifier: MIT
// Measures over IndexedDB, in a page: ?<checkpoints>,<rounds>. Leaves globalThis.measured, a
// promise.
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { measure } from "./opening-work.mjs";

const [checkpoints, rounds] = location.search.slice(1).split(",").map(Number);
globalThis.measured = measure(() => new IdbfsSaver({ prefix: "opening" }), { checkpoints, rounds });
