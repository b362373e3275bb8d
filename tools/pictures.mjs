// SPDX-License-Identifier: MIT
// `make pictures`: writes docs/pictures/superstep.svg, from the recording of a real run, and
// docs/pictures/layers.svg, from the tables of docs/architecture.md. tests/js/documents.test.mjs
// compares the committed files with what this makes.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Annotation, MemorySaver, START, StateGraph } from "weftgraph";
import { record } from "weftgraph/record";
import { arrow, box, label, line, picture } from "./svg.mjs";

const top = new URL("../", import.meta.url);
const read = (path) => readFileSync(new URL(path, top), "utf8");

/**
 * What the host does when it gets a command, and why the host says something: shown beside the
 * arrows.
 */
const MEANING = {
  START: "invoke() is called",
  RESULT: "a task has ended",
  REDUCED: "the user's reducer has run",
  ENCODED: "values have become text",
  SET: "a channel has changed",
  TASK: "run this node",
  REDUCE: "fold this step's writes",
  ENCODE: "make texts of values",
  SAVE: "append to the log",
};

/** Names of codes by number, as the engine's table has them. @param {string} group */
function namesOf(group) {
  return new Map(
    [...read("src/base/ops.def").matchAll(/^X\((\w+), (\w+), (\d+)\)/gm)]
      .filter(([, of]) => of === group)
      .map(([, , name, number]) => [Number(number), name]),
  );
}

/**
 * Records of a batch or block.
 * @param {ArrayLike<number>} words
 * @param {Map<number, string>} names
 */
function recordsIn(words, names) {
  const records = [];
  for (let at = 0; at < words.length; at += 2 + words[at + 1])
    records.push({
      name: names.get(words[at] & 0xffff),
      payload: Array.from(words).slice(at + 2, at + 2 + words[at + 1]),
    });
  return records;
}

/** What crosses the border in a run of a graph with two nodes side by side and one after them. */
async function crossings() {
  const State = Annotation.Root({
    n: Annotation(),
    log: Annotation({ reducer: (all, more) => all.concat(more), default: () => [] }),
  });
  const graph = new StateGraph(State)
    .addNode("a", () => ({ n: 1, log: ["a"] }))
    .addNode("b", () => ({ log: ["b"] }))
    .addNode("c", () => ({ log: ["c"] }))
    .addEdge(START, "a")
    .addEdge(START, "b")
    .addEdge(["a", "b"], "c")
    .compile({ checkpointer: new MemorySaver() });
  const recording = record();
  await graph.invoke({ n: 0 }, { record: recording, configurable: { thread_id: "1" } });
  const { entries } = JSON.parse(recording.text());
  const [eventNames, commandNames] = [namesOf("EVENT"), namesOf("COMMAND")];
  const nodes = ["START", "a", "b", "c"];
  const tasks = new Map();
  const rows = [];
  for (const [at, [call, , answer]] of entries.entries()) {
    if (call !== "weft_feed") continue;
    const input = Buffer.from(
      entries.slice(0, at).findLast(([name]) => name === "weft_input")[3],
      "base64",
    );
    const batch = new Uint32Array(new Uint8Array(input).buffer).slice(4, 4 + input.readUInt32LE(0));
    const events = recordsIn(batch, eventNames).filter(({ name }) => name !== "INPUT");
    const commands = recordsIn(answer.slice(2), commandNames);
    const shown = (records, of) =>
      [...new Set(records.map(({ name }) => name))].map((name) => ({
        name,
        of: records
          .filter((one) => one.name === name)
          .map(of)
          .filter(Boolean),
      }));
    const ended = shown(events, ({ name, payload }) =>
      name === "RESULT" ? tasks.get(payload[0]) : undefined,
    );
    for (const { name, payload } of commands)
      if (name === "TASK") tasks.set(payload[0], nodes[payload[2]]);
    rows.push({
      events: ended,
      commands: shown(commands, ({ name, payload }) =>
        name === "TASK"
          ? nodes[payload[2]]
          : name === "SET" || name === "REDUCE"
            ? ["n", "log"][payload[0]]
            : undefined,
      ).filter(({ name, of }) => name !== "RELEASE" && (name !== "SET" || of.length > 0)),
    });
    if (tasks.get(0) === "c") return rows;
  }
  throw new Error("the run has ended without node c");
}

/** One run, from invoke() until node c begins. */
async function superstep() {
  const [host, engine, width] = [270, 610, 880];
  const parts = [
    label(host, 30, "JavaScript", { "text-anchor": "middle", "font-weight": 600 }),
    label(engine, 30, "C (engine.wasm)", { "text-anchor": "middle", "font-weight": 600 }),
  ];
  let y = 62;
  for (const { events, commands } of await crossings()) {
    const row = (records, color, from, to) => {
      for (const { name, of } of records) {
        parts.push(
          label((from + to) / 2, y - 5, [name, ...of].join(" "), {
            "text-anchor": "middle",
            "font-family": "monospace",
            fill: color,
          }),
          arrow(from, to, y, color),
        );
        parts.push(
          label(
            color === "#0550ae" ? host - 12 : engine + 12,
            y + 1,
            MEANING[name],
            color === "#0550ae" ? { "text-anchor": "end" } : {},
          ),
        );
        y += 26;
      }
    };
    row(events, "#0550ae", host, engine);
    row(commands, "#953800", engine, host);
    y += 14;
  }
  parts.push(line(host, 40, y - 60, "#8c959f"), line(engine, 40, y - 60, "#8c959f"));
  return picture(
    width,
    y,
    "What crosses the border in one run, until c begins: nodes a and b in one superstep, then c",
    parts,
  );
}

/** The rows `| \`folder/\` … | text |` of the table behind a heading. @param {string} heading */
export function layersOf(heading) {
  const section = read("docs/architecture.md").split(`\n### ${heading}\n`)[1].split("\n#")[0];
  return [...section.matchAll(/^\| (`[^|]*) \| ([^|]*) \|$/gm)].map(([, names, text]) => ({
    names: [...names.matchAll(/`([\w-]+)\/?`/g)].map(([, name]) => name),
    text: text.trim(),
  }));
}

/** The layers, the upper ones on top of those that they use. */
function layers() {
  const [width, height] = [880, 30];
  const parts = [];
  let y = 20;
  for (const [heading, fill, stroke] of [
    ["js/", "#ddf4ff", "#54aeff"],
    ["src/", "#fff1e5", "#fb8f44"],
  ]) {
    parts.push(
      label(24, y + 14, heading === "js/" ? "js/  the npm package" : "src/  the engine, C11", {
        "font-weight": 600,
      }),
    );
    y += 24;
    for (const { names, text } of layersOf(heading).reverse()) {
      parts.push(
        box(24, y, width - 48, height, { fill, stroke }),
        label(36, y + 20, names.join("  "), { "font-weight": 600 }),
        label(390, y + 20, text, { "font-size": 12 }),
      );
      y += height + 4;
    }
    if (heading === "js/")
      parts.push(
        label(
          width / 2,
          y + 16,
          "wasm/  the border: batches of events in, blocks of commands out",
          { "text-anchor": "middle", "font-style": "italic" },
        ),
      );
    y += 36;
  }
  return picture(width, y - 12, "The layers of js/ and src/: each uses the ones below it", parts);
}

/** Every picture by its path. @returns {Promise<Record<string, string>>} */
export const pictures = async () => ({
  "docs/pictures/superstep.svg": await superstep(),
  "docs/pictures/layers.svg": layers(),
});

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [path, svg] of Object.entries(await pictures()))
    writeFileSync(new URL(path, top), svg);
