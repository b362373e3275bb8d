// SPDX-License-Identifier: MIT
// Warns of rules of approval that are for no tool: a misspelled name guards nothing. Does not
// refuse them: one list of rules may serve several agents, and a wrapper may bring tools later.

/** Places of warnings that were given: each once. @type {Set<string>} */
const given = new Set();

/**
 * @param {Record<string, unknown> | undefined} rules by the tool's name; "auto" guards nothing
 * @param {readonly { name: string }[]} tools of the agent
 * @param {string} option that has the rules, for the text
 */
export function warnIdleRules(rules, tools, option) {
  for (const [rule, policy] of Object.entries(rules ?? {})) {
    if (policy === "auto" || tools.some(({ name }) => name === rule)) continue;
    const place = `${option}[${JSON.stringify(rule)}]`;
    if (given.size > 1000 || given.has(place)) continue;
    given.add(place);
    const [near] = tools
      .map(({ name }) => ({ name, far: distance(name, rule) }))
      .sort((one, other) => one.far - other.far);
    const hint = near === undefined ? "" : ` The nearest name is ${JSON.stringify(near.name)}.`;
    console.warn(
      `${place}: no tool of this agent has this name: nothing is asked, unless one is added later.${hint}`,
    );
  }
}

/**
 * Counts the letters that are to be added, removed or replaced.
 * @param {string} one
 * @param {string} other
 */
function distance(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let line = 1; line <= one.length; line++) {
    const next = [line];
    for (let at = 1; at <= other.length; at++) {
      const same = row[at - 1] + (one[line - 1] === other[at - 1] ? 0 : 1);
      next.push(Math.min(row[at] + 1, next[at - 1] + 1, same));
    }
    row = next;
  }
  return row[other.length];
}
