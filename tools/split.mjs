// SPDX-License-Identifier: MIT
// Cuts engine.wasm for browsers: into the core, and parts that few pages need, which an instance of the core is completed
// with (js/engine/engine.js). A part is what the core reaches by PARTS alone: exports that the host calls when the part is
// there, and functions that only a schema leads to. In the core each of them is a call through a slot of the table that the
// part fills; without the part it traps, or does nothing where that is said (`idle`). All share memory, table and stack pointer; no part knows another.
// What stands in the segment `apart` (src/schema/apart.h) goes with the first part, schemas.
// Usage: node tools/split.mjs engine.wasm core.wasm rest.wasm log.wasm wasm-opt [flags of wasm-opt]
// Beside engine.wasm stand engine.wasm.linked, where segments have names, and engine.wasm.symbols, the functions' names.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const [source, coreTarget, restTarget, logTarget, optimizer, ...flags] = process.argv.slice(2);
if (!optimizer) {
  console.error("usage: node tools/split.mjs engine.wasm core.wasm rest.wasm log.wasm wasm-opt [flags]");
  process.exit(2);
}

/** A part's exports; what the core may call of it, and who may. */
const PARTS = [
  {
    target: restTarget,
    exports: ["weft_schema_new", "weft_schema_free", "weft_schema_check"],
    later: [
      // Where there is a schema.
      { names: /^weft_(schema_(?!result_)|checker_|pattern_)/, callers: ["abi_tools_new", "abi_tools_plan", "weft_toolset_free", "weft_toolset_new", "weft_toolset_plan", "drop"] },
      // For numbers of arguments that are no short integers (js/prebuilt/toolset.js); definitions of graphs and tools hold no others.
      { names: /^weft_number_(read|write)$/, callers: ["weft_json_read", "read_number", "weft_json_write_more", "put_scalar"] },
    ],
  },
  // Logs written anew, runs inside tasks, limits, caches, edits of a thread's state (js/engine/later.js).
  {
    target: logTarget,
    exports: ["weft_thread_rewrite", "weft_run_child", "weft_spend"],
    later: [
      { names: /^weft_update_(begin|task|result)$/, callers: ["weft_step_next", "have_state", "weft_step_settled"] },
      // What numbers lists and packs records (src/run/record_roll.c): without it logs are larger, no more; and a graph's cache, which others have not. All that belongs to it hangs on these.
      { names: /^weft_(child_roll|restore_rolls|record_(give|roll|rebase_made|texts)|roll_release|thread_(drop_texts|give)|log_pack(er_begin)?|cache_look_up)$/, callers: ["abi_run_child", "drop", "weft_record_rebase", "weft_record_placed", "weft_record_value", "weft_run_free", "weft_step_done", "weft_state_free", "weft_list_fini", "weft_list_roll", "give_up", "weft_thread_forget", "weft_step_next", "write_frame", "write_parts", "weft_run_feed"], idle: true },
      // Where a graph has a cache, or a run limits.
      { names: /^weft_(cache_(found|look_up_call|store)|limit_(read|stop))$/, callers: ["weft_run_feed"] },
      { names: /^weft_log_put_copies$/, callers: ["weft_log_put_value"] },
      { names: /^(weft_record_(many|put_many)|weft_roll_find)$/, callers: ["many_of", "put_many"] },
    ],
  },
];

/** A program of Binaryen that lies where its optimizer does. @param {string} name */
const beside = (name) => (optimizer.includes("/") ? join(dirname(optimizer), name) : name);

// ---- the text of the module, in parts

/** @typedef {{ id: string, name: string, params: string[], result: string, lines: string[], calls: string[] }} Func */

/** @param {string} path */
const dumpOf = (path) => execFileSync(beside("wasm-dis"), [path], { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] }).split("\n");
const dump = dumpOf(source);
const names = new Map(readFileSync(`${source}.symbols`, "utf8").trim().split("\n").map((line) => /** @type {[string, string]} */ (line.split(/:(.*)/).slice(0, 2))));
/** @type {Func[]} */
const functions = [];
/** @type {string[]} */
const fields = [];
for (let at = 1; at < dump.length - 1 && dump[at] !== ")"; at++) {
  const id = /^ \(func (\$\d+)/.exec(dump[at])?.[1];
  if (id === undefined) {
    fields.push(dump[at]);
    continue;
  }
  const from = at;
  while (dump[at] !== " )") at++;
  const lines = dump.slice(from, at + 1);
  const name = names.get(id.slice(1));
  if (name === undefined) throw new Error(`${source}.symbols does not name ${id}`);
  const params = [...lines[0].matchAll(/\(param \$\d+ (\w+)\)/g)].map((match) => match[1]);
  const calls = lines.flatMap((line) => /\(call (\$\d+)/.exec(line)?.[1] ?? []);
  functions.push({ id, name, params, result: /\(result (\w+)\)/.exec(lines[0])?.[1] ?? "none", lines, calls });
}
const byId = new Map(functions.map((func) => [func.id, func]));
/** What is called stands before who calls it: then the letters (wasm/unpack) are a hundred bytes fewer. @type {Set<Func>} */
const sorted = new Set();
const seen = new Set();
/** @param {string} id */
function sort(id) {
  if (seen.has(id)) return;
  seen.add(id);
  const func = /** @type {Func} */ (byId.get(id));
  for (const called of func.calls) sort(called);
  sorted.add(func);
}
for (const { id } of functions) sort(id);

/** @param {RegExp} form */
const parse = (form) => fields.flatMap((line) => form.exec(line)?.slice(1) ?? []);
const [tableName, tableSize] = parse(/^ \(table (\$\d+) (\d+) \d+ funcref\)$/);
const [first, list] = parse(/^ \(elem \(i32\.const (\d+)\) (.*)\)$/);
const memory = parse(/^ \(memory \$\d+ (\d+)\)$/)[0];
const elements = list.split(" ");
/** Where a line's data stands. @param {string} line */
function placeOf(line) {
  const [, from, text] = /** @type {RegExpExecArray} */ (/\(i32\.const (\d+)\) "(.*)"\)$/.exec(line));
  return { from: Number(from), to: Number(from) + text.replace(/\\([0-9a-f]{2}|.)/g, "?").length };
}
const apart = placeOf(/** @type {string} */ (dumpOf(`${source}.linked`).find((line) => line.startsWith(" (data $apart "))));
/** Does a line's data go with the rest? @param {string} line */
function standsApart(line) {
  const { from, to } = placeOf(line);
  if (to > apart.from && from < apart.to && (from < apart.from || to > apart.to)) throw new Error(`data at ${from} belongs to both parts`);
  return from >= apart.from && to <= apart.to;
}
const exported = fields.flatMap((line) => {
  const match = /^ \(export "(\w+)" \(func (\$\d+)\)\)$/.exec(line);
  return match ? [{ as: match[1], id: match[2] }] : [];
});

// ---- who belongs where

const rules = PARTS.flatMap(({ later }) => later);
const ruleOf = (/** @type {Func} */ { name }) => rules.find(({ names: pattern }) => pattern.test(name));
/** What stands in each module: that of the core first. @type {Set<Func>[]} */
const modules = [new Set(), ...PARTS.map(() => new Set())];
const [core, ...parts] = modules;
const isPlaced = (/** @type {Func} */ func) => modules.some((module) => module.has(func));

/** @param {Set<Func>} module @param {string} id */
function keep(module, id) {
  const func = /** @type {Func} */ (byId.get(id));
  if (module.has(func) || core.has(func) || (module === core && ruleOf(func) !== undefined)) return;
  if (isPlaced(func)) throw new Error(`two parts have a use for ${func.name}`);
  module.add(func);
  for (const called of func.calls) keep(module, called);
}
for (const { as, id } of exported) if (!PARTS.some(({ exports }) => exports.includes(as))) keep(core, id);
// What is called by its address is kept, unless only schemas name it: such addresses are written where their functions are.
const addressed = (/** @type {string} */ id) => !/^put_fills/.test(byId.get(id)?.name ?? "");
for (const id of elements) keep(addressed(id) ? core : parts[0], id);
for (const [index, { exports, later }] of PARTS.entries()) {
  for (const { as, id } of exported) if (exports.includes(as)) keep(parts[index], id);
  for (const func of functions) if (later.some(({ names: pattern }) => pattern.test(func.name))) keep(parts[index], func.id);
}
const lost = functions.filter((func) => !isPlaced(func));
if (lost.length > 0) throw new Error(`nobody calls ${lost.map(({ name }) => name).join(", ")}`);
const isGate = (/** @type {Func} */ { id }) => exported.some((entry) => entry.id === id) || [...core].some(({ calls }) => calls.includes(id));
const gates = parts.flatMap((part) => functions.filter((func) => part.has(func) && isGate(func)));
for (const { name, calls } of core) {
  const called = gates.filter((func) => calls.includes(func.id) && !ruleOf(func)?.callers.includes(name));
  if (called.length > 0) throw new Error(`${name} of the core calls ${called.map((func) => func.name).join(", ")}, which may not be there`);
}

// ---- the modules

const types = fields.filter((line) => line.startsWith(" (type "));
/** @param {Func} func */
function typeOf({ params, result }) {
  const form = `(func${params.length > 0 ? ` (param ${params.join(" ")})` : ""}${result === "none" ? "" : ` (result ${result})`})`;
  return /** @type {string} */ (/^ \(type (\S+) /.exec(/** @type {string} */ (types.find((line) => line.endsWith(` ${form})`))))?.[1]);
}

let count = 0;
/** A name as short as can be, which no export of the engine has. */
const shortName = () => String.fromCharCode(...(count < 26 ? [97 + count++] : [97 + Math.floor(count / 26) - 1, 97 + (count++ % 26)]));
/** Functions of the core that parts call. */
const shared = functions.filter((func) => core.has(func) && parts.some((part) => [...part].some(({ calls }) => calls.includes(func.id)))).map((func) => ({ func, as: shortName() }));
const globals = fields.flatMap((line) => {
  const match = /^ \(global (\$\S+) (\(mut \w+\)|\w+) /.exec(line);
  return match && parts.some((part) => [...part].some((func) => reads(func, match[1]))) ? [{ id: match[1], type: match[2], as: shortName() }] : [];
});
/** @param {Func} func @param {string} global */
function reads({ lines }, global) {
  return lines.some((line) => line.includes(`global.get ${global}`) || line.includes(`global.set ${global}`));
}
const table = shortName();
const slots = new Map(gates.map(({ id }, index) => [id, Number(tableSize) + index]));
const size = Number(tableSize) + gates.length;

/** What stands in for a function of a part. @param {Func} func */
function gate(func) {
  const operands = func.params.map((_, index) => `(local.get $${index})`);
  return `${func.lines[0]}\n  (call_indirect (type ${typeOf(func)}) ${operands.join(" ")} (i32.const ${slots.get(func.id)}))\n )`;
}

/** What stands in the slot of a function that may be missed, and in the core. */
const idlers = gates.filter((func) => ruleOf(func)?.idle).map((func) => ({ func, id: `$idle${slots.get(func.id)}` }));
/** Does nothing, and returns 0. @param {{ func: Func, id: string }} idler */
function idle({ func: { params, result }, id }) {
  const form = params.map((type) => ` (param ${type})`).join("");
  return ` (func ${id}${form}${result === "none" ? ")" : ` (result ${result}) (${result}.const 0))`}`;
}

/** The elements of one module, in runs of neighbours. @param {(id: string) => boolean} isOwn */
function segments(isOwn) {
  const runs = /** @type {{ at: number, ids: string[] }[]} */ ([]);
  for (const [index, id] of elements.entries()) {
    if (!isOwn(id)) continue;
    const last = runs.at(-1);
    if (last !== undefined && last.at + last.ids.length === index) last.ids.push(id);
    else runs.push({ at: index, ids: [id] });
  }
  return runs.map(({ at, ids }) => ` (elem (i32.const ${Number(first) + at}) ${ids.join(" ")})`);
}
/** @param {Set<Func>} module */
const elementsOf = (module) => segments((id) => module.has(/** @type {Func} */ (byId.get(id))));

const coreText = [
  "(module",
  ...fields.flatMap((line) => {
    if (line.startsWith(" (table ")) return [` (table ${tableName} ${size} ${size} funcref)`];
    if (line.startsWith(" (data ") && standsApart(line)) return [];
    if (line.startsWith(" (elem ")) return [...elementsOf(core), ...idlers.map(({ func, id }) => ` (elem (i32.const ${slots.get(func.id)}) ${id})`)];
    return [line];
  }),
  ...shared.map(({ func, as }) => ` (export "${as}" (func ${func.id}))`),
  ...globals.map(({ id, as }) => ` (export "${as}" (global ${id}))`),
  ` (export "${table}" (table ${tableName}))`,
  ...[...sorted].flatMap((func) => (core.has(func) ? func.lines : gates.includes(func) ? [gate(func)] : [])),
  ...idlers.map(idle),
  ")",
];

/** @param {Set<Func>} part @param {string[]} data @returns {string[]} */
function partText(part, data) {
  const members = [...sorted].filter((func) => part.has(func));
  const filled = gates.filter((func) => part.has(func)).map(({ id }) => id);
  return [
    "(module",
    ...types,
    ` (import "e" "memory" (memory $0 ${memory}))`,
    ` (import "e" "${table}" (table ${tableName} ${size} ${size} funcref))`,
    ...globals.filter(({ id }) => members.some((func) => reads(func, id))).map(({ id, type, as }) => ` (import "e" "${as}" (global ${id} ${type}))`),
    ...shared.filter(({ func }) => members.some(({ calls }) => calls.includes(func.id))).map(({ func, as }) => ` (import "e" "${as}" (func ${func.id}${func.params.length > 0 ? ` (param ${func.params.join(" ")})` : ""}${func.result === "none" ? "" : ` (result ${func.result})`}))`),
    ...elementsOf(part),
    ` (elem (i32.const ${slots.get(filled[0])}) ${filled.join(" ")})`,
    ...data,
    ...members.flatMap(({ lines }) => lines),
    ")",
  ];
}

const apartData = fields.filter((line) => line.startsWith(" (data ") && standsApart(line));
const texts = /** @type {[string[], string][]} */ ([[coreText, coreTarget], ...PARTS.map(({ target }, index) => [partText(parts[index], index === 0 ? apartData : []), target])]);
for (const [text, target] of texts) {
  writeFileSync(`${target}.wat`, text.join("\n"));
  execFileSync(optimizer, [`${target}.wat`, "-o", target, ...flags, "--enable-mutable-globals"], { stdio: "inherit" });
}
