// SPDX-License-Identifier: MIT
// Cases of the matrix: what is asked and answered when all goes well.
import { HumanMessage, ToolMessage } from "weftgraph/messages";
import { equal, fails, holds } from "../../runtime/smoke-assert.mjs";
import { HELLO, OPAQUE, TOOLS, USAGE, both, call } from "./kit.mjs";
import { serviceOf } from "./service.mjs";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const WEATHER = {
  type: "object",
  properties: { city: { type: "string" }, degrees: { type: "number" } },
  required: ["city", "degrees"],
  additionalProperties: false,
};

const callsOf = ({ tool_calls }) => tool_calls.map(({ id, name, args }) => [id, name, args]);

function reasoningIn({ content, additional_kwargs }) {
  const blocks = Array.isArray(content) ? content : [];
  const told = blocks.map((block) => block.reasoning ?? block.thinking ?? "").join("");
  return told || additional_kwargs.reasoning_content;
}

export async function text(column) {
  await both(column, [{ answer: HELLO }], async ({ model, say, requests, isStream }) => {
    const { message, chunks } = await say(model, "Say hello.");
    equal(message.text, HELLO.text);
    equal([message.tool_calls, message.invalid_tool_calls], [[], []]);
    equal(column.request.turns(requests[0].body), [["user", "Say hello."]]);
    equal(column.request.tools(requests[0].body), undefined);
    equal(column.request.isStream(requests[0]), isStream);
    if (isStream)
      holds(chunks.filter((chunk) => chunk.text !== "").length > 1, "it comes in pieces");
  });
}

export async function reasoning(column) {
  const answer = { reasoning: "Hm, let me see.", ...HELLO };
  await both(column, [{ answer }], async ({ model, say }) => {
    const { message } = await say(model, "Say hello.");
    equal([reasoningIn(message), message.text], [answer.reasoning, HELLO.text]);
  });
}

export async function parallelCalls(column) {
  const given = [
    ["c1", "weather", { city: "Oslo" }],
    ["c2", "time", {}],
    ["c3", "weather", { city: "Bergen" }],
  ];
  const answer = { text: "I look.", calls: given.map((one) => call(...one)), usage: USAGE };
  await both(column, [{ answer }], async ({ model, say, requests }) => {
    const { message } = await say(model.bindTools(TOOLS), "Weather?");
    equal(
      callsOf(message).map(([, ...rest]) => rest),
      given.map(([, ...rest]) => rest),
    );
    equal(new Set(callsOf(message).map(([id]) => id)).size, 3);
    equal([message.text, message.invalid_tool_calls], ["I look.", []]);
    equal(column.request.tools(requests[0].body), ["weather", "time"]);
  });
}

export async function callWithoutArguments(column) {
  const answer = { calls: [call("c1", "time", undefined)], usage: USAGE };
  await both(column, [{ answer }], async ({ model, say }) => {
    const { message } = await say(model.bindTools(TOOLS), "What time is it?");
    equal(
      callsOf(message).map(([, ...rest]) => rest),
      [["time", {}]],
    );
    equal(message.invalid_tool_calls, []);
  });
}

/** Bytes that come together: single ones, and pieces that end within events and letters. */
const PIECES = [1, 2, 3, 7, 61, 1000];

/** Chunks that are summed up say a call beside their blocks: its place among them is lost. */
const inAnyOrder = (opaque) => opaque?.map((one) => JSON.stringify(one)).sort();

export async function tornBytes(column) {
  const args = { city: 'Tromsø 🌧 "nord"\n日本' };
  const answer = {
    reasoning: "Så, la meg se … 🌧",
    opaque: OPAQUE,
    text: "Är det så? 🌧",
    calls: [call("c1", "weather", args, 1)],
    usage: USAGE,
  };
  for (const pieceSize of PIECES) {
    const steps = [{ answer, pieceSize }, { answer: HELLO }];
    await both(column, steps, async ({ model, say, requests }) => {
      const bound = model.bindTools(TOOLS);
      const { message } = await say(bound, "Weather?");
      equal([message.text, message.tool_calls[0].args], [answer.text, args]);
      const result = new ToolMessage({ tool_call_id: message.tool_calls[0].id, content: "4 °C" });
      await say(bound, [new HumanMessage("Weather?"), message, result]);
      equal(
        inAnyOrder(column.request.opaque?.(requests[1].body)),
        inAnyOrder(column.opaque?.(answer)),
      );
    });
  }
}

/** Checks counts of the usage, whole and as the sum of the chunks. */
export function usage(read, expected) {
  return (column) =>
    both(column, [{ answer: { reasoning: "Hm, so.", ...HELLO } }], async ({ model, say }) => {
      const { message } = await say(model, "hi");
      equal(read(message.usage_metadata), expected);
    });
}

export async function images(column) {
  for (const block of [
    { type: "image", mimeType: "image/png", data: PNG },
    { type: "image", source_type: "base64", mime_type: "image/png", data: PNG },
    { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } },
  ]) {
    const content = [{ type: "text", text: "What is this?" }, block];
    await both(column, [{ answer: HELLO }], async ({ model, say, requests }) => {
      await say(model, [new HumanMessage({ content })]);
      const [{ body }] = requests;
      equal(column.request.images(body), [{ mimeType: "image/png", data: PNG }]);
      equal(column.request.turns(body), [["user", "What is this?"]]);
    });
  }
}

const PDF = "JVBERi0xLjQKJcOkw7zDtsOfCg==";

export async function files(column) {
  for (const block of [
    { type: "file", mimeType: "application/pdf", data: PDF, metadata: { filename: "a.pdf" } },
    { type: "file", source_type: "base64", mime_type: "application/pdf", data: PDF },
  ]) {
    const input = [new HumanMessage({ content: [{ type: "text", text: "What is this?" }, block] })];
    await both(column, [{ answer: HELLO }], async ({ model, say, requests }) => {
      if (column.request.files === undefined) {
        const error = await fails(() => say(model, input), { name: "TypeError" });
        holds(/file/.test(error.message), error.message);
        return equal(requests.length, 0);
      }
      await say(model, input);
      const [{ body }] = requests;
      equal(column.request.files(body), [{ mimeType: "application/pdf", data: PDF }]);
      equal(column.request.turns(body), [["user", "What is this?"]]);
    });
  }
}

export async function structuredOutput(column) {
  const value = { city: "Tromsø", degrees: 4.5 };
  const service = serviceOf(column, [{ answer: { text: JSON.stringify(value), usage: USAGE } }]);
  const model = column.create({ fetch: service.fetch, maxRetries: 0 });
  equal(await model.withStructuredOutput(WEATHER).invoke("Weather?"), value);
  const { type, properties, required } = column.request.schema(service.requests[0].body);
  equal([type, required], ["object", ["city", "degrees"]]);
  equal([properties.city.type, properties.degrees.type], ["string", "number"]);
  const misfit = serviceOf(column, [{ answer: { text: '{"city":7}', usage: USAGE } }]);
  const other = column.create({ fetch: misfit.fetch, maxRetries: 0 });
  await fails(() => other.withStructuredOutput(WEATHER).invoke("Weather?"), { code: "BAD_ANSWER" });
}

export async function outputByTool(column) {
  const value = { city: "Oslo", degrees: 4 };
  const answer = { calls: [call("c1", "extract", value)], usage: USAGE };
  const service = serviceOf(column, [{ answer }]);
  const model = column.create({ fetch: service.fetch, maxRetries: 0 });
  equal(await model.withStructuredOutput(WEATHER, { method: "tool" }).invoke("Weather?"), value);
  const [{ body }] = service.requests;
  equal([column.request.tools(body), column.request.forced(body)], [["extract"], "extract"]);
}
