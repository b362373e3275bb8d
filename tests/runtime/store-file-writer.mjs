// SPDX-License-Identifier: MIT
// One of several processes that write one thread of a file store: appends `count` lines, rereading
// the head when fenced, and prints what was acknowledged.
import { FileStore } from "../../js/savers/file/store.js";

const [path, name, count] = process.argv.slice(2);
const store = new FileStore({ path });
const acknowledged = [];
let fenced = 0;
let head = await store.head("shared");
while (acknowledged.length < Number(count)) {
  const seq = (head?.seq ?? 0) + 1;
  const line = `${seq} ${name}${acknowledged.length}`;
  const next = { seq, crc: (Math.random() * 2 ** 32) >>> 0 };
  try {
    await store.append(
      "shared",
      { ...next, firstSeq: seq },
      new TextEncoder().encode(`${line}\n`),
      head,
    );
    acknowledged.push(line);
    head = next;
  } catch (error) {
    // Of bytes that are no records, once others have folded them, the store may be unable to tell:
    // whoever wrote them reads.
    if (error.code !== "FENCED" && !error.unknown) throw error;
    if (error.unknown && Buffer.concat(await store.read("shared")).includes(`${line}\n`))
      acknowledged.push(line);
    else fenced++;
    head = await store.head("shared");
  }
}
console.log(JSON.stringify({ acknowledged, fenced }));
