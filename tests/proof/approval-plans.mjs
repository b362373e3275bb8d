// SPDX-License-Identifier: MIT
// Random programs about approval: tools of every kind under every schema and policy, wrappers that
// change calls, models that write hostile arguments, people who answer rightly, wrongly, twice,
// late and elsewhere, processes that die. A plan is data: a seed gives it, and it can be printed.

/** @typedef {ReturnType<import("./world.mjs").makeRandom>} Random */

export const NAMES = ["pay", "wipe", "note", "never"];

const OBJECTS = [
  "json",
  "jsonDefault",
  "jsonDefault",
  "open",
  "zodDefault",
  "zodCoerce",
  "zodScale",
  "zodRefine",
  "zodPreprocess",
  "zodOptional",
  "zodLimit",
  "zod3Default",
  "zod3Scale",
];
const TYPED = ["zodDate", "zodClass", "zodMap", "zodBig"];
const ODD = ["counter", "lying", "getter", "opaque"];
const OWN = ["standard", "standardVersion", "whole", "text", "none"];
/** What schemas a kind of tool may have; a plain object's is a description only. */
const KINDS = {
  weft: [...OBJECTS, ...OBJECTS, ...TYPED, ...ODD, ...OWN],
  injected: ["json", "jsonDefault", "zodDefault", "zodScale"],
  core: [...OBJECTS, ...TYPED, "counter"],
  dynamic: ["none"],
  structured: [...OBJECTS, ...TYPED],
  plain: ["open", "json", "zodDefault"],
};
export const HOSTS = ["v1", "v2", "node", "subgraph", "inside", "review1", "review2"];
export const FAITHFUL = ["none", "pass", "bare", "copy"];
const CHANGING = [
  "args",
  "deep",
  "name",
  "id",
  "otherArgs",
  "otherTool",
  "twice",
  "twiceOther",
  "restore",
  "afterwards",
  "proto",
];
const POLICIES = {
  pay: ["ask", "ask", "ask", "above", "mutates", "shuffles", "drops", "late"],
  wipe: ["ask", "inherit", "above"],
  note: ["auto", "auto", "auto", "above"],
  never: ["deny"],
};
/**
 * Whose arguments are the same each time, and can be shown; what a review asks about must also be
 * what a message can hold.
 */
const STABLE = new Set([...OBJECTS, ...TYPED, "standardVersion", "whole", "text", "none"]);
const HELD = new Set([
  "json",
  "jsonDefault",
  "open",
  "zodDefault",
  "zodCoerce",
  "zodRefine",
  "zodPreprocess",
  "zodOptional",
  "zodLimit",
  "zod3Default",
  "standardVersion",
  "none",
]);

/**
 * @param {Random} random
 * @returns {any}
 */
export function makePlan(random) {
  const host = random.pick(HOSTS);
  const isWrapped = random.chance(0.35);
  const plan = {
    host,
    durability: random.pick(["sync", "async", "exit"]),
    isStreamed: random.chance(0.2),
    isForeign: random.chance(0.2),
    fails: !isWrapped && random.chance(0.15),
    tools: NAMES.map((name) => makeTool(random, name)),
    namesake: random.chance(0.03) ? random.pick(["pay", "ｐay"]) : undefined,
    wrapper: {
      kind: isWrapped ? random.pick([...CHANGING, ...CHANGING, ...FAITHFUL]) : "none",
      by: random.pick(["option", "subclass"]),
      to: random.pick(NAMES),
      amount: random.pick([5, 5000]),
    },
    rounds: Array.from({ length: random.pick([1, 1, 2]) }, (_, round) =>
      makeMessage(random, round),
    ),
    change: random.chance(0.2)
      ? random.pick(["schema", "schema", "description", "nothing"])
      : undefined,
    crash: random.chance(0.25)
      ? { at: 1 + random.below(16), way: random.pick(["before", "after"]) }
      : undefined,
    moves: Array.from({ length: random.below(4) }, () => makeMove(random)),
    /** Are the calls of a message one question? */
    isTogether: random.chance(0.5) && !host.endsWith("2"),
  };
  if (plan.isTogether)
    for (const [round, calls] of plan.rounds.entries())
      for (let more = random.below(3); more > 0; more--)
        calls.push({
          name: random.pick(["pay", "pay", "wipe"]),
          ...makeArguments(random),
          form: "object",
          id: `t${round}${more}`,
        });
  /** What becomes of a request that nobody answered in time. */
  const expires = host.startsWith("review")
    ? undefined
    : random.pick([undefined, undefined, undefined, undefined, "ignore", "escalate"]);
  return { ...plan, expires, isCalm: isCalm(plan) && expires === undefined };
}

/** @param {Random} random @param {string} name */
function makeTool(random, name) {
  const kind = random.pick([
    "weft",
    "weft",
    "weft",
    "injected",
    "core",
    "core",
    "dynamic",
    "structured",
    "plain",
  ]);
  return { name, kind, schema: random.pick(KINDS[kind]), policy: random.pick(POLICIES[name]) };
}

/** A message of the model. @param {Random} random @param {number} round */
function makeMessage(random, round) {
  const count = random.pick([1, 1, 1, 2, 3]);
  return Array.from({ length: count }, (_, place) => ({
    name: random.pick(["pay", "pay", "pay", "wipe", "note", "never"]),
    ...makeArguments(random),
    form: random.pick(["object", "object", "object", "text", "text", "broken", "invalid"]),
    id: random.chance(0.9) ? `c${round}${place}` : random.pick([undefined, "same"]),
  }));
}

/** @param {Random} random */
function makeArguments(random) {
  return {
    amount: random.pick([undefined, undefined, 5, 5, 50, 150, 500, "150", "7", -1, 1e21]),
    extra: random.chance(0.2)
      ? random.pick([
          "__proto__",
          "toJSON",
          "getter",
          "proxy",
          "big",
          "double",
          "deep",
          "dollar",
          "constructor",
        ])
      : undefined,
  };
}

/** What a person does about a question. @param {Random} random */
function makeMove(random) {
  // An edit to another tool, in an answer that names nothing, which a client repeats.
  if (random.chance(0.08))
    return {
      type: "edit",
      edit: { name: random.pick(["wipe", "pay"]), ...makeArguments(random) },
      named: "plain",
      how: "twice",
      isFresh: random.chance(0.4),
    };
  const type = random.pick([
    "accept",
    "accept",
    "accept",
    "edit",
    "edit",
    "edit",
    "response",
    "ignore",
  ]);
  return {
    type,
    edit:
      type === "edit"
        ? {
            name: random.pick(["same", "same", "same", "wipe", "wipe", "note", "never", "pay"]),
            ...makeArguments(random),
          }
        : undefined,
    named: random.chance(0.03) ? "nowhere" : random.pick(["id", "id", "plain"]),
    digest: random.pick([undefined, undefined, "right", "right", "wrong"]),
    approval: random.pick([
      undefined,
      undefined,
      undefined,
      undefined,
      "right",
      "zeros",
      "empty",
      "malformed",
      "unknown",
      "other",
    ]),
    how: random.pick([
      "once",
      "once",
      "once",
      "once",
      "twice",
      "twice",
      "twice",
      "together",
      "rivals",
      "copy",
      "import",
      "travel",
      "stale",
      "rewritten",
    ]),
    isFresh: random.chance(0.4),
  };
}

/** Must what is approved run in the end? */
function isCalm({ host, fails, tools, namesake, wrapper, rounds, change, crash, moves }) {
  const isPlain = ({ schema, policy }) =>
    (host.startsWith("review") ? HELD : STABLE).has(schema) &&
    policy !== "shuffles" &&
    policy !== "drops";
  const ids = rounds.flat().map(({ id }) => id);
  return (
    !fails &&
    tools.every(isPlain) &&
    namesake === undefined &&
    FAITHFUL.includes(wrapper.kind) &&
    change === undefined &&
    crash === undefined &&
    !ids.includes(undefined) &&
    new Set(ids).size === ids.length &&
    rounds.flat().every(({ extra }) => extra === undefined) &&
    moves.every(({ how, edit }) => how === "once" && edit?.extra === undefined)
  );
}
