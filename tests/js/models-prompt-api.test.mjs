// SPDX-License-Identifier: MIT
// Serves: the browser's own model (weftgraph/models/prompt-api) over its API by its IDL
// (language-model.mjs): what is sent, sessions, counts, downloads, agents.
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemorySaver } from "weftgraph";
import { AIMessage, HumanMessage, SystemMessage } from "weftgraph/messages";
import { ChatPromptAPI } from "weftgraph/models/prompt-api";
import { createReactAgent } from "weftgraph/prebuilt";
import { tool } from "weftgraph/tools";
import { languageModel } from "./language-model.mjs";

const weather = tool(({ city }) => `4 °C in ${city}`, {
  name: "weather",
  schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
});
const system = new SystemMessage("Be brief.");
const textOf = ({ content }) => (typeof content === "string" ? content : content[0].value);

/** Says how often it was asked, and what last. */
const echo = (turns) => `${turns.length}: ${textOf(turns.at(-1))}`;

function modelOf(say, { model = {}, ...options } = {}) {
  const { LanguageModel, log } = languageModel({ say, ...options });
  return { llm: new ChatPromptAPI({ languageModel: LanguageModel, ...model }), log };
}

async function collect(pieces) {
  const all = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

/** What each prompt sent, without what the session held. */
const sent = ({ prompts }) => prompts.map(({ prompts: own }) => own.map(textOf));

test("sends only what is new of a conversation, and the system text when a session is made", async () => {
  const { llm, log } = modelOf(echo);
  const first = await llm.invoke([system, new HumanMessage("one")]);
  assert.equal(first.text, "2: one");
  const history = [system, new HumanMessage("one"), first, new HumanMessage("two")];
  assert.equal((await llm.invoke(history)).text, "4: two");
  assert.deepEqual(sent(log), [["one"], ["two"]]);
  assert.deepEqual(log.created[0].initialPrompts, [{ role: "system", content: "Be brief." }]);
  assert.equal(log.created.length, 1);
});

test("an earlier point of a conversation is asked again in a clone, and so are parallel calls", async () => {
  const { llm, log } = modelOf(echo);
  const one = [new HumanMessage("one")];
  const first = await llm.invoke(one);
  const branches = ["two", "three"].map((text) => [...one, first, new HumanMessage(text)]);
  const said = await Promise.all(branches.map((branch) => llm.invoke(branch)));
  assert.deepEqual(
    said.map(({ text }) => text),
    ["3: two", "3: three"],
  );
  assert.deepEqual(sent(log), [["one"], ["two"], ["three"]]);
  assert.equal((await llm.invoke(one)).text, "1: one");
  assert.equal(log.created.length, 1);
});

test("a changed history is sent anew", async () => {
  const { llm, log } = modelOf(echo);
  await llm.invoke([new HumanMessage("one")]);
  const edited = [new HumanMessage("one"), new AIMessage("Changed."), new HumanMessage("two")];
  assert.equal((await llm.invoke(edited)).text, "3: two");
  const other = [new SystemMessage("Other."), ...edited];
  assert.equal((await llm.invoke(other)).text, "4: two");
  assert.deepEqual(sent(log).slice(1), [
    ["one", "Changed.", "two"],
    ["one", "Changed.", "two"],
  ]);
  assert.equal(log.created.length, 2);
});

test("keeps a bounded number of sessions and destroys the others; close() destroys all", async () => {
  const { llm, log } = modelOf(echo, { model: { maxSessions: 3 } });
  for (let at = 0; at < 20; at++) await llm.invoke(`question ${at}`);
  assert.equal(log.open.size, 3);
  assert.ok(log.most <= 5, `${log.most} at the same time`);
  const running = llm.invoke("late");
  llm.bindTools([weather]).close();
  assert.equal((await running).text, "1: late");
  assert.equal((await llm.invoke("again")).text, "1: again");
  assert.equal(log.open.size, 0);
  const other = modelOf(echo);
  await other.llm.invoke("hi");
  other.llm.dispose();
  assert.equal(other.log.open.size, 0);
  const none = modelOf(echo, { model: { maxSessions: 0 } });
  await none.llm.invoke("hi");
  assert.equal(none.log.open.size, 0);
});

test("an agent calls tools by its graph, in few tokens, and the browser gets none", async () => {
  const answers = [
    ' {"calls": [ {"tool":"weather", "args": {"city":"Oslo"}} ], "answer": ""}',
    '{"answer":"Cold."}',
    '{"answer":"You are welcome.","calls":[]}',
  ];
  const { llm, log } = modelOf(() => answers.shift());
  const agent = createReactAgent({
    llm,
    tools: [weather],
    prompt: "Be brief.",
    checkpointer: new MemorySaver(),
  });
  const thread = { configurable: { thread_id: "1" } };
  const { messages } = await agent.invoke({ messages: "How is Oslo?" }, thread);
  assert.deepEqual(
    messages.map((message) => [message.getType(), message.text]),
    [
      ["human", "How is Oslo?"],
      ["ai", ""],
      ["tool", "4 °C in Oslo"],
      ["ai", "Cold."],
    ],
  );
  await agent.invoke({ messages: "Thanks" }, thread);
  assert.deepEqual(sent(log), [
    ["How is Oslo?"],
    ['{"results":[{"tool":"weather","result":"4 °C in Oslo"}]}'],
    ["Thanks"],
  ]);
  assert.equal(log.created.length, 1);
  const { responseConstraint, omitResponseConstraintInput } = log.prompts[0].given;
  assert.equal(responseConstraint.properties.calls.items.anyOf[0].properties.tool.const, "weather");
  assert.equal(omitResponseConstraintInput, true, "the system text tells of the tools");
});

test("tools in the fenced style need no constraint", async () => {
  const answers = [
    '<tool_call>{"name":"weather","arguments":{"city":"Oslo"}}</tool_call>',
    "Cold.",
  ];
  const { llm, log } = modelOf(() => answers.shift(), { model: { style: "fenced" } });
  const { messages } = await createReactAgent({ llm, tools: [weather] }).invoke({ messages: "?" });
  assert.equal(messages.at(-1).text, "Cold.");
  assert.equal(log.prompts[0].given.responseConstraint, undefined);
});

test("a schema of the answer is a constraint of which the model is told", async () => {
  const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  const { llm, log } = modelOf(() => '{"n":3}');
  assert.deepEqual(await llm.withStructuredOutput(schema).invoke("?"), { n: 3 });
  const [{ given }] = log.prompts;
  assert.deepEqual(
    [given.responseConstraint.required, given.omitResponseConstraintInput],
    [["n"], undefined],
  );
  await llm.invoke("?", { responseConstraint: /yes|no/ });
  assert.deepEqual(log.prompts[1].given.responseConstraint, /yes|no/);
  await llm.invoke("?", { response_format: { type: "json_object" } });
  assert.deepEqual(log.prompts[2].given.responseConstraint, { type: "object" });
});

for (const era of ["new", "old"])
  test(`counts tokens by the ${era} names, of earlier calls as cached`, async () => {
    const { llm } = modelOf(() => "three words here", { era });
    const first = await llm.invoke([system, new HumanMessage("one two")]);
    assert.deepEqual(first.usage_metadata, { input_tokens: 4, output_tokens: 3, total_tokens: 7 });
    const next = [system, new HumanMessage("one two"), first, new HumanMessage("more")];
    const chunks = await collect(llm.stream(next));
    assert.deepEqual(chunks.at(-1).usage_metadata, {
      input_tokens: 8,
      output_tokens: 3,
      total_tokens: 11,
      input_token_details: { cache_read: 7 },
    });
  });

test("a first browser gives no counts and the whole text so far in each piece", async () => {
  const pieces = ["Ha", "Ha", "Ha, so be ", "it."];
  for (const era of ["first", "new"]) {
    const { llm } = modelOf(() => pieces, { era });
    const chunks = await collect(llm.stream("hi"));
    const said = chunks.map(({ text }) => text).filter((text) => text !== "");
    assert.deepEqual(said, pieces);
    assert.equal(chunks.at(-1).usage_metadata === undefined, era === "first");
  }
});

test("a kept session that is full gives way to a new one; an input without room is an error", async () => {
  // Each answer of a structured call leaves its schema in the session.
  const { llm, log } = modelOf(() => "a b c d", { room: 30 });
  const schema = { responseConstraint: { enum: ["k l m n o p"] } };
  const one = new HumanMessage("one");
  const first = await llm.invoke([one], schema);
  const two = new HumanMessage("two");
  const second = await llm.invoke([one, first, two], schema);
  await llm.invoke([one, first, two, second, new HumanMessage("three")], schema);
  assert.deepEqual(sent(log), [["one"], ["two"], ["one", "a b c d", "two", "a b c d", "three"]]);
  assert.equal(log.created.length, 2);
  const long = new HumanMessage("word ".repeat(31));
  for (const ask of [
    () => llm.invoke([long]),
    () => collect(llm.stream([long])),
    () => llm.invoke([new SystemMessage(long.content), one]),
  ])
    await assert.rejects(ask, { name: "ModelError", code: "context_overflow" });
  assert.ok(log.open.size <= 4);
});

test("a session that forgot its first turns in mid-answer is not used again", async () => {
  const { llm, log } = modelOf(() => "word ".repeat(28), { room: 30 });
  const first = await llm.invoke("one two three");
  const history = [new HumanMessage("one two three"), first, new HumanMessage("more")];
  await assert.rejects(llm.invoke(history), { code: "context_overflow" });
  assert.equal(log.prompts.length, 1, "nothing was asked without its beginning");
});

test("an abort in mid-answer leaves what was kept before", async () => {
  const endless = () => new ReadableStream({ pull: (to) => to.enqueue("word ") });
  const { llm, log } = modelOf(endless);
  for (let count = 0; count < 2; count++) {
    const controller = new AbortController();
    await assert.rejects(
      async () => {
        for await (const chunk of llm.stream("hi", { signal: controller.signal }))
          if (chunk.text !== "") controller.abort();
      },
      { name: "AbortError" },
    );
    await new Promise((resolve) => setTimeout(resolve, 1));
    assert.deepEqual([log.created.length, log.open.size], [1, 1]);
  }
});

test("a document that is text is part of the words", async () => {
  const { llm, log } = modelOf(() => "Oslo.");
  const document = { type: "text-plain", text: "It is Oslo.", mimeType: "text/plain" };
  await llm.invoke([new HumanMessage({ content: [document, { type: "text", text: "Where?" }] })]);
  assert.deepEqual(sent(log)[0], ["It is Oslo.\nWhere?"]);
});

test("pictures and sound go in; an address of one does not", async () => {
  const { llm, log } = modelOf(() => "A square.");
  const content = [
    { type: "text", text: "What is it?" },
    { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" },
    { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
  ];
  const asked = new HumanMessage({ content });
  const first = await llm.invoke([asked]);
  const [, image, audio] = log.prompts[0].prompts[0].content;
  assert.deepEqual(
    [image.value.type, image.value.size, audio.value.byteLength],
    ["image/png", 8, 3],
  );
  assert.deepEqual(log.created[0].expectedInputs, [
    { type: "text" },
    { type: "image" },
    { type: "audio" },
  ]);
  await llm.invoke([asked, first, new HumanMessage("Really?")]);
  assert.deepEqual([log.created.length, sent(log)[1]], [1, ["Really?"]]);
  for (const block of [
    { type: "image_url", image_url: { url: "https://example.com/a.png" } },
    { type: "file", mimeType: "application/pdf", data: "AAAA" },
    { type: "image", mimeType: "image/png", data: "no base64!" },
  ])
    await assert.rejects(llm.invoke([new HumanMessage({ content: [block] })]), TypeError);
});

test("options of sessions are passed on, with those of availability()", async () => {
  const options = {
    expectedInputs: [{ type: "text", languages: ["de"] }],
    expectedOutputs: [{ type: "text", languages: ["en"] }],
    samplingMode: "most-predictable",
  };
  const { llm, log } = modelOf(echo, { model: options });
  await llm.invoke("hi");
  const { signal, ...given } = log.created[0];
  assert.deepEqual(given, options);
  assert.equal(await llm.availability(), "available");
  const picture = { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" };
  await assert.rejects(llm.invoke([new HumanMessage({ content: [picture] })]), {
    code: "NOT_SUPPORTED",
  });
});

test("a download needs a click: prepare() tells how far it is, and its session is used", async () => {
  let isClicked = false;
  const { llm, log } = modelOf(echo, { state: "downloadable", isClicked: () => isClicked });
  assert.equal(await llm.availability(), "downloadable");
  const refusal = { code: "NOT_ALLOWED", message: /prepare\(\) in the handler of a click/ };
  await assert.rejects(llm.invoke("hi"), refusal);
  await assert.rejects(llm.prepare(), refusal);
  isClicked = true;
  const seen = [];
  await llm.prepare({ onProgress: (loaded) => seen.push(loaded) });
  assert.deepEqual(seen, [0, 0.5, 1]);
  const before = log.created.length;
  assert.equal((await llm.invoke("hi")).text, "1: hi");
  assert.equal(log.created.length, before);
  await assert.rejects(llm.prepare({ signal: AbortSignal.abort() }), { name: "AbortError" });
});

test("without the API the error says where it is and what else to use", async () => {
  const llm = new ChatPromptAPI();
  assert.equal(await llm.availability(), "unavailable");
  for (const ask of [() => llm.invoke("hi"), () => llm.prepare()])
    await assert.rejects(ask, {
      name: "ModelError",
      code: "UNAVAILABLE",
      message: /workers and on servers.*weftgraph\/models\/webllm/,
    });
  const { llm: weak } = modelOf(echo, { state: "unavailable" });
  await assert.rejects(weak.invoke("hi"), { code: "UNAVAILABLE", message: /22 GB of free disk/ });
});

test("the global LanguageModel is looked for at each call", async (t) => {
  const llm = new ChatPromptAPI();
  globalThis.LanguageModel = languageModel({ say: echo }).LanguageModel;
  t.after(() => {
    delete globalThis.LanguageModel;
  });
  assert.equal((await llm.invoke("hi")).text, "1: hi");
});

test("wrong options, and what the API cannot do, are errors of the caller", async () => {
  for (const options of [
    7,
    { languageModel: {} },
    { maxSessions: -1 },
    { timeout: 0 },
    { maxAnswerLength: "much" },
    { style: "other" },
    { maxToolCalls: 0.5 },
  ])
    assert.throws(() => new ChatPromptAPI(options), JSON.stringify(options));
  const { llm, log } = modelOf(echo);
  await assert.rejects(llm.invoke("hi", { stop: ["x"] }), TypeError);
  await assert.rejects(llm.invoke([system]), TypeError);
  await assert.rejects(llm.invoke("hi", { tools: [{ type: "web_search" }] }), TypeError);
  assert.equal(log.created.length, 0);
});
