// SPDX-License-Identifier: MIT
// approvalRules({ sign }): each decision is signed before it is recorded, and verifyDecisions needs
// the list and the public keys only. Serves docs/guides/approval.md.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AIMessage, Command, INTERRUPT, MemorySaver, tool } from "weftgraph";
import { approvalRules, verifyDecisions } from "weftgraph/approval";
import { createReactAgent } from "weftgraph/prebuilt";
import { exportThread, importThread } from "weftgraph/savers/transfer";
import { ScriptedModel } from "weftgraph/models/scripted";
import { TestClock } from "weftgraph/testing";

const schema = { type: "object", properties: { n: { type: "integer" } } };
const { subtle } = crypto;
const ECDSA = { name: "ECDSA", namedCurve: "P-256" };
const pair = (algorithm = ECDSA) => subtle.generateKey(algorithm, true, ["sign", "verify"]);
const keys = await pair();

function setUp({ numbers = [1], checkpointer = new MemorySaver(), ...options } = {}) {
  const ran = [];
  const tool_calls = numbers.map((n) => ({ name: "pay", id: `c${n}`, args: { n } }));
  const llm = new ScriptedModel({
    responses: [new AIMessage({ content: "", tool_calls }), "done"],
  });
  const pay = tool(({ n }) => (ran.push(n), `paid ${n}`), { name: "pay", schema, approval: "ask" });
  const clock = new TestClock("2026-01-01");
  const approvals = approvalRules({
    expires: 1000,
    sign: { key: keys, keyId: "2026" },
    ...options,
  });
  const agent = createReactAgent({ llm, tools: [pay], checkpointer, approvals });
  const config = { configurable: { thread_id: "t" }, clock };
  return { agent, ran, clock, config, checkpointer };
}
const questions = (result) => result[INTERRUPT] ?? [];
const start = ({ agent, config }) => agent.invoke({ messages: "go" }, config);

/** A thread with one decision. */
async function decide(said = { type: "accept" }, options) {
  const t = setUp(options);
  const [{ id }] = questions(await start(t));
  await t.agent.invoke(new Command({ resume: { [id]: said } }), t.config);
  return { ...t, decisions: await t.checkpointer.decisions("t") };
}
const reasons = async (decisions, known = { 2026: keys.publicKey }, options) =>
  (await verifyDecisions(decisions, known, options)).map(({ valid, reason }) =>
    valid ? "valid" : reason,
  );

for (const [form, said] of Object.entries({
  accept: { type: "accept", by: "Ada", note: { b: [1, "é\ud800"], a: -0.5e-7 } },
  edit: { type: "edit", args: { action: "pay", args: { n: 2 } } },
  response: { type: "response", args: "no" },
  ignore: { type: "ignore" },
  "LangChain's form": { decisions: [{ type: "reject", message: "no" }] },
}))
  test(`signs a decision: ${form}`, async () => {
    const { decisions } = await decide(said);
    const [one] = await verifyDecisions(decisions, { 2026: keys.publicKey }, { threadId: "t" });
    assert.deepEqual([decisions.length, one.valid, one.reason], [1, true, undefined]);
    assert.deepEqual([one.key, one.at, one.thread_id], ["2026", "2026-01-01T00:00:00.000Z", "t"]);
    const { tool: name, args } = one.decision.answer.signature;
    assert.deepEqual([name, args], ["pay", '{"n":1}']);
  });

test("signs what the host decides, and each decision about several calls", async () => {
  const t = setUp({ numbers: [1, 2], batch: true, onExpire: () => ({ escalate: { to: "boss" } }) });
  await start(t);
  await t.clock.advance(1000);
  const [{ id }] = questions(await t.agent.invoke(null, t.config));
  const decisions = [{ type: "approve" }, { type: "reject" }];
  await t.agent.invoke(new Command({ resume: { [id]: { decisions } } }), t.config);
  assert.deepEqual(t.ran, [1]);
  assert.deepEqual(await reasons(await t.checkpointer.decisions("t")), Array(4).fill("valid"));
});

test("signs the answer about a call in flight", async () => {
  const checkpointer = new MemorySaver();
  const llm = () =>
    new ScriptedModel({
      responses: [new AIMessage({ content: "", tool_calls: [{ name: "pay", id: "c", args: {} }] })],
    });
  const make = (pay) =>
    createReactAgent({
      llm: llm(),
      tools: [tool(pay, { name: "pay", schema })],
      checkpointer,
      approvals: approvalRules({ expires: 1, sign: { key: keys, keyId: "2026" } }),
    });
  const config = { configurable: { thread_id: "t" } };
  await new Promise((begun) => {
    const never = make(() => (begun(), new Promise(() => {})));
    never.invoke({ messages: "go" }, config).catch(() => {});
  });
  const bytes = await exportThread(checkpointer, "t");
  const other = new MemorySaver();
  await importThread(other, bytes);
  const next = createReactAgent({
    llm: new ScriptedModel({ responses: ["done"] }),
    tools: [tool(() => "paid", { name: "pay", schema })],
    checkpointer: other,
    approvals: approvalRules({ expires: 1, sign: { key: keys, keyId: "2026" } }),
  });
  const [{ id, value }] = questions(await next.invoke(null, config));
  assert.deepEqual([value.kind, value.expires_at], ["unknown_tool_call", undefined]);
  await next.invoke(new Command({ resume: { [id]: { type: "ignore" } } }), config);
  assert.deepEqual(await reasons(await other.decisions("t")), ["valid"]);
});

test("finds each change of a record", async () => {
  const { decisions } = await decide({ type: "accept", by: "Ada" });
  const [one] = decisions;
  const { signature } = one.answer;
  const signed = (part) => ({ answer: { ...one.answer, signature: { ...signature, ...part } } });
  for (const [change, reason] of [
    [{ answer: { type: "accept", by: "Ada" } }, "unsigned"],
    [{ answer: null }, "unsigned"],
    [{ answer: { signature: "yes" } }, "unsigned"],
    [{ digest: "0".repeat(64) }, "changed_request"],
    [{ id: "0".repeat(32) }, "changed_request"],
    [{ tool_call_id: "c2" }, "changed_request"],
    [signed({ tool: "refund" }), "changed_request"],
    [signed({ args: '{"n":2}' }), "changed_request"],
    [signed({ thread_id: "u" }), "changed_request"],
    [{ answer: { ...one.answer, by: "Bob" } }, "changed_answer"],
    [{ answer: { ...one.answer, more: 1 } }, "changed_answer"],
    [{ type: "ignore" }, "changed_answer"],
    [{ by: "expiry" }, "changed_answer"],
    [signed({ at: "2027-01-01T00:00:00.000Z" }), "invalid_signature"],
    [signed({ request: "0".repeat(64) }), "invalid_signature"],
    [signed({ value: "AAAA" }), "invalid_signature"],
    [signed({ value: "not base64 ✓" }), "invalid_signature"],
    [signed({ value: 5 }), "invalid_signature"],
    [signed({ form: "weft.decision.2" }), "invalid_signature"],
    [signed({ key: "2025" }), "unknown_key"],
    [signed({ key: "__proto__" }), "unknown_key"],
  ])
    assert.deepEqual(await reasons([{ ...one, ...change }]), [reason], JSON.stringify(change));
  assert.deepEqual(await reasons([one], { 2026: (await pair()).publicKey }), ["invalid_signature"]);
  assert.deepEqual(await reasons([one], undefined, { threadId: "u" }), ["other_thread"]);
  assert.deepEqual(await reasons([null, 5].map((answer) => ({ ...one, answer }))), [
    "unsigned",
    "unsigned",
  ]);
});

test("a signature in a person's answer is not the host's", async () => {
  const { decisions } = await decide();
  const [{ answer }] = decisions;
  const forged = await decide({ type: "accept", signature: answer.signature });
  assert.deepEqual(await reasons(forged.decisions), ["valid"]);
  const [{ answer: recorded }] = forged.decisions;
  assert.notEqual(recorded.signature.value, answer.signature.value);
  const unsigned = await decide(
    { type: "accept", signature: answer.signature },
    { sign: undefined },
  );
  assert.deepEqual(await reasons(unsigned.decisions), ["unsigned"]);
});

test("reads each part of an answer once, and bounds what it signs", async () => {
  let reads = 0;
  const said = {
    get type() {
      return reads++ === 0 ? "ignore" : "accept";
    },
  };
  const { ran, decisions } = await decide(said);
  assert.deepEqual([ran, decisions[0].type, await reasons(decisions)], [[], "ignore", ["valid"]]);
  const large = await decide({ type: "accept", note: "x".repeat(1_000_000) });
  assert.deepEqual(await reasons(large.decisions), ["valid"]);
});

test("records the answer that decides, whatever it says of itself as JSON", async () => {
  const { ran, decisions } = await decide({ type: "accept", toJSON: () => ({ type: "ignore" }) });
  assert.deepEqual(
    [ran, decisions[0].answer.type, await reasons(decisions)],
    [[1], "accept", ["valid"]],
  );
});

test("an import keeps what was decided, signed as in the thread that it comes from", async () => {
  const { checkpointer } = await decide();
  const other = new MemorySaver();
  await importThread(other, await exportThread(checkpointer, "t"), { threadId: "u" });
  const decisions = await other.decisions("u");
  const [one] = await verifyDecisions(decisions, { 2026: keys.publicKey });
  assert.deepEqual([one.valid, one.thread_id], [true, "t"]);
  assert.deepEqual(await reasons(decisions, undefined, { threadId: "u" }), ["other_thread"]);
});

test("signs with Ed25519, HMAC and a lone private key", async () => {
  const hmac = await subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
    "verify",
  ]);
  const ed = await pair({ name: "Ed25519" });
  for (const [key, known] of [
    [ed, ed.publicKey],
    [hmac, hmac],
    [keys.privateKey, keys.publicKey],
  ]) {
    const { decisions } = await decide({ type: "accept" }, { sign: { key, keyId: "k" } });
    assert.deepEqual(await reasons(decisions, { k: known }), ["valid"]);
  }
});

test("a key that fails is an error before anything runs, and the question stays open", async (t) => {
  const pending = setUp();
  const [{ id }] = questions(await start(pending));
  const resume = new Command({ resume: { [id]: { type: "accept" } } });
  const mocked = t.mock.method(subtle, "sign", async () => {
    throw new Error("the key service is down");
  });
  await assert.rejects(pending.agent.invoke(resume, pending.config), {
    code: "APPROVAL",
    message: /could not be signed: the key service is down/,
  });
  assert.deepEqual([pending.ran, await pending.checkpointer.decisions("t")], [[], []]);
  await pending.clock.advance(999);
  mocked.mock.restore();
  await pending.agent.invoke(resume, pending.config);
  assert.deepEqual(pending.ran, [1]);
  const late = setUp();
  await start(late);
  await late.clock.advance(1000);
  const again = t.mock.method(subtle, "sign", async () => Promise.reject(new Error("down")));
  await assert.rejects(late.agent.invoke(null, late.config), { code: "APPROVAL" });
  assert.deepEqual(await late.checkpointer.decisions("t"), []);
  again.mock.restore();
  await late.agent.invoke(null, late.config);
  assert.deepEqual(await reasons(await late.checkpointer.decisions("t")), ["valid"]);
});

/** Lets the second signature fail. */
function failSecond(t) {
  const sign = subtle.sign.bind(subtle);
  let count = 0;
  return t.mock.method(subtle, "sign", async (...given) => {
    if (++count === 2) throw new Error("down");
    return sign(...given);
  });
}

for (const [by, isLate] of [
  ["a person", false],
  ["the host", true],
])
  for (const isAnswer of [true, false])
    test(`what ${by} decided in part expires as a whole, ${isAnswer ? "late answer" : "alone"}`, async (t) => {
      const late = setUp({ numbers: [1, 2], batch: true });
      const [{ id }] = questions(await start(late));
      const decisions = [{ type: "approve" }, { type: "approve" }];
      const resume = new Command({ resume: { [id]: { decisions } } });
      if (isLate) await late.clock.advance(1000);
      const mocked = failSecond(t);
      await assert.rejects(late.agent.invoke(resume, late.config), { code: "APPROVAL" });
      mocked.mock.restore();
      if (!isLate) await late.clock.advance(1000);
      const { messages } = await late.agent.invoke(isAnswer ? resume : null, late.config);
      const said = messages.filter(({ type }) => type === "tool");
      assert.equal(said.length, 2);
      for (const { content } of said) assert.match(content, /expired; it was not run/);
      assert.deepEqual(late.ran, []);
      assert.deepEqual(
        await reasons(await late.checkpointer.decisions("t")),
        Array(3).fill("valid"),
      );
    });

test("a hostile record is not valid, whatever it holds", async () => {
  const { decisions } = await decide();
  const [one] = decisions;
  let deep = [];
  for (let i = 0; i < 100_000; i++) deep = [deep];
  const { answer } = one;
  for (const [wrong, reason] of [
    [{ ...one, digest: deep }, "changed_request"],
    [{ ...one, tool_call_id: 1n }, "changed_request"],
    [{ ...one, answer: { ...answer, more: deep } }, "changed_answer"],
    [{ ...one, answer: { ...answer, more: 1n } }, "changed_answer"],
  ])
    assert.deepEqual(await reasons([wrong, one]), [reason, "valid"]);
});

test("refuses keys and lists of no meaning", async () => {
  const encrypts = await subtle.generateKey({ name: "AES-GCM", length: 128 }, false, ["encrypt"]);
  for (const sign of [
    null,
    {},
    { key: keys },
    { key: keys, keyId: "" },
    { key: keys.publicKey, keyId: "k" },
    { key: encrypts, keyId: "k" },
    { key: "secret", keyId: "k" },
  ])
    assert.throws(() => approvalRules({ sign }), { code: "BAD_ARGUMENT" });
  await assert.rejects(verifyDecisions({}, {}), { code: "BAD_ARGUMENT" });
  await assert.rejects(verifyDecisions([], { k: keys.privateKey }), { code: "BAD_ARGUMENT" });
  await assert.rejects(verifyDecisions([], { k: null }), { code: "BAD_ARGUMENT" });
  await assert.rejects(verifyDecisions([], {}, { thread_id: "1" }), /no option "thread_id"/);
  await assert.rejects(verifyDecisions([], {}, null), { code: "BAD_ARGUMENT" });
});
