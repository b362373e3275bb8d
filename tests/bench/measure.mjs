// SPDX-License-Identifier: MIT
// Times the same program through several libraries, interleaved A B C A B C in one process:
// medians, spread, ratios.

/** The median of a list, and its relative spread (max - min over the median). */
export function median(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const middle = sorted[sorted.length >> 1];
  return { median: middle, spread: (sorted[sorted.length - 1] - sorted[0]) / middle };
}

/**
 * Runs each side `rounds` times after a warm-up, in turn. A side is an async function that does the
 * whole work once and may return the milliseconds that count; `per` divides the time (steps, tasks,
 * tokens); the unit is µs or ms.
 */
export async function compare(name, { unit, per, sides, rounds = 5, warmups = 1, must }) {
  const times = Object.fromEntries(Object.keys(sides).map((side) => [side, []]));
  for (let round = -warmups; round < rounds; round++) {
    for (const [side, work] of Object.entries(sides)) {
      const start = performance.now();
      const told = await work();
      const ms = typeof told === "number" ? told : performance.now() - start;
      if (round >= 0) times[side].push(ms);
    }
  }
  const scale = (unit.startsWith("µs") ? 1000 : 1) / per;
  const row = { name, unit };
  for (const side of Object.keys(sides)) {
    const { median: middle, spread } = median(times[side]);
    row[side] = round(middle * scale);
    (row.spread ??= {})[side] = round(spread);
  }
  if (row.langgraph !== undefined) row.ratio = round(row.langgraph / row.weft);
  if (must !== undefined) row.must = must;
  return row;
}

/**
 * Takes off what the side `empty` took.
 * @template {any} Row
 * @param {Row} row of compare()
 * @returns {Row}
 */
export function overEmpty(row) {
  row.weft = round(Math.max(0.1, row.weft - row.empty));
  row.langgraph = round(row.langgraph - row.empty);
  if (row.limit !== undefined) row.limit = round(Math.max(0.1, row.limit - row.empty));
  row.ratio = round(row.langgraph / row.weft);
  delete row.empty;
  return row;
}

/** Three significant digits. */
export function round(value) {
  return value === 0 ? 0 : Number(value.toPrecision(3));
}

/** Both libraries under the names that the programs use. */
export async function libraries() {
  const [weft, langgraph, core, coreTools] = await Promise.all([
    import("weftgraph"),
    import("@langchain/langgraph"),
    import("@langchain/core/messages"),
    import("@langchain/core/tools"),
  ]);
  return { weft, langgraph: { ...langgraph, ...core, tool: coreTools.tool } };
}
