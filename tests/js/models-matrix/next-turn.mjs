// SPDX-License-Identifier: MIT
// The second turn of a thread in a process of its own: `next-turn.mjs <column> <folder> <stream>`.
// Prints what was sent and what had to be.
import { FileSaver } from "weftgraph/savers/file";
import { columns } from "./columns.mjs";
import { nextTurn } from "./history.mjs";

const [name, path, stream] = process.argv.slice(2);
const column = columns.find((one) => one.name === name);
const turn = await nextTurn(column, new FileSaver({ path }), stream === "stream");
console.log(JSON.stringify(turn));
