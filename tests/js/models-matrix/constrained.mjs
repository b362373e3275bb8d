// SPDX-License-Identifier: MIT
// What the columns of models share that write calls of tools as an object of JSON: the text of an
// answer, and the turns and tools in what they are asked.

/** The text of an answer with its calls in it. */
export function written({ text, calls }) {
  if (calls === undefined) return text ?? "";
  return JSON.stringify({
    ...(text === undefined ? {} : { answer: text }),
    calls: calls.map(({ name, args }) => ({
      tool: name,
      ...(args === "" ? {} : { args: JSON.parse(args) }),
    })),
  });
}

/** The turns of a text of the conversation. */
export function turnsIn(role, text) {
  if (!text.startsWith("{")) return text === "" ? [] : [[role, text]];
  const { calls = [], answer, results = [] } = JSON.parse(text);
  return [
    ...(answer === undefined ? [] : [[role, answer]]),
    ...calls.map(({ tool, args }) => ["call", tool, args]),
    ...results.map(({ result }) => ["result", result]),
  ];
}

/** Names of the tools in the system text, a line each. */
export function toolsIn(system) {
  const lines = system?.match(/^\{"name".*"parameters".*$/gm);
  return lines?.map((line) => JSON.parse(line).name);
}

/** Name of the only tool that a schema allows. */
export function forcedBy({ properties: { calls, answer } }) {
  if (answer !== undefined || calls.items.anyOf.length !== 1) return undefined;
  return calls.items.anyOf[0].properties.tool.const;
}
