// SPDX-License-Identifier: MIT
// Makes JSON documents with something wrong at random places, the same ones of the same seed. Must
// not know: whose documents they are.

/** What draws: numbers below `n`, one of a list. @param {number} seed */
export function dice(seed) {
  const next = () => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) / 0x80000000;
  const below = (n) => Math.floor(next() * n);
  return { below, pick: (list) => list[below(list.length)] };
}

const ODD = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  0.5,
  2 ** 53,
  "",
  "x",
  "[DONE]",
  "\u0000",
  "\ud800",
  [],
  {},
  [null],
  [[]],
  { index: -1 },
  { toString: 1, valueOf: 1 },
  { a: { b: { c: {} } } },
  JSON.parse('{"__proto__":{"x":1},"constructor":1}'),
];
const places = (value, list = []) => {
  for (const key of value !== null && typeof value === "object" ? Object.keys(value) : []) {
    list.push([value, key]);
    places(value[key], list);
  }
  return list;
};

/**
 * The JSON document with something wrong at one to three places.
 * @param {string} text
 * @param {ReturnType<typeof dice>} draw
 * @param {{ keys?: string[], values?: unknown[] }} [own] names and values that mean something in it
 */
export function mutated(text, { below, pick }, own = {}) {
  const { keys = ["index", "content", "tool_calls"], values = [] } = own;
  const copy = [JSON.parse(text)];
  for (let i = below(3); i >= 0; i--) {
    const [holder, key] = pick(places(copy));
    const kind = below(6);
    if (kind === 0) Array.isArray(holder) ? holder.splice(Number(key), 1) : delete holder[key];
    else if (kind === 1 && Array.isArray(holder)) holder.push(holder[key]);
    else if (kind === 2) holder[key] = [holder[key]];
    else if (kind === 3) holder[key] = { [pick([...keys, "__proto__", "0"])]: holder[key] };
    else holder[key] = structuredClone(pick([...ODD, ...values]));
    if (copy.length === 0) copy.push(null);
  }
  const made = JSON.stringify(copy[0]) ?? "null";
  switch (below(12)) {
    case 0:
      return made.slice(0, below(made.length));
    case 1:
      return made.replace(/\d+/, pick(["NaN", "1e999", "-0", "1".repeat(400)]));
    case 2:
      return made.replace(/:/, `:${"[".repeat(below(20_000))}`);
    default:
      return made;
  }
}
