// SPDX-License-Identifier: MIT
// Says in a few words what a tool call would do: as its description says it, else from the tool's
// name and the arguments. It is a title: the card shows what would run, exactly.

const MOST = 120;
const MOST_VALUE = 40;
const MOST_ARGUMENTS = 4;
/** What requests say of every call. */
const GENERAL =
  /^(The agent wants to (call|make) |Tool execution requires approval|The process stopped )/;
const COUNT = /^(quantity|qty|count|number|copies|units)$/i;

/** @param {{ tool: string, canonical: string, description: string }} request */
export function sentenceOf({ tool, canonical, description }) {
  const [said] = description.trim().split("\n");
  if (said !== "" && !GENERAL.test(said)) return cut(said, MOST);
  const verb = verbOf(tool);
  const args = argumentsOf(canonical);
  const count = args.find(([key, value]) => COUNT.test(key) && typeof value === "number");
  const thing = args.find(([, value]) => typeof value === "string" && value !== "");
  if (count !== undefined && thing !== undefined) {
    const rest = args.filter((one) => one !== count && one !== thing);
    return cut(
      [`${verb} ${count[1]} × ${textOf(thing[1])}`, ...rest.map(namedOf)].join(", "),
      MOST,
    );
  }
  if (args.length === 0) return verb;
  const list = args.length === 1 && thing !== undefined ? [textOf(thing[1])] : args.map(namedOf);
  return cut(`${verb}: ${list.join(", ")}`, MOST);
}

/** "place_order" is "Order", "sendEmail" is "Send email". @param {string} tool */
function verbOf(tool) {
  const words = tool
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[\s_.\-/]+/g, " ")
    .trim()
    .toLowerCase();
  const verb = words.replace(/^place (?=order\b)/, "");
  return verb === "" ? "Call a tool" : cut(verb[0].toUpperCase() + verb.slice(1), MOST_VALUE);
}

/** @param {string} canonical @returns {[string, unknown][]} */
function argumentsOf(canonical) {
  try {
    const args = JSON.parse(canonical);
    if (typeof args !== "object" || args === null) return [["", args]];
    return Object.entries(args).slice(0, MOST_ARGUMENTS);
  } catch {
    return [];
  }
}

/** @param {[string, unknown]} argument */
const namedOf = ([key, value]) => `${key.replaceAll("_", " ")} ${textOf(value)}`.trim();

/** @param {unknown} value */
const textOf = (value) =>
  cut(typeof value === "string" ? value : (JSON.stringify(value) ?? ""), MOST_VALUE);

/** @param {string} text @param {number} most */
const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
