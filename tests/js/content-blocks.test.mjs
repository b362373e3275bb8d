// SPDX-License-Identifier: MIT
// Serves: `contentBlocks` reads what each service writes as LangChain's standard blocks, as core's
// own translators do; the differences that are wanted are written out. What each adapter makes of
// its service's answer is read too.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as core from "@langchain/core/messages";
import * as ours from "weftgraph/messages";
import { ChatAnthropicMessages } from "weftgraph/models/anthropic";
import { ChatOpenAICompatible } from "weftgraph/models/openai";
import { call, end, scripted, start, text, thinking } from "./anthropic-wire.mjs";

const of = (model_provider, content, more) => ({
  content,
  response_metadata: { model_provider },
  ...more,
});
const asked = { id: "t1", name: "w", args: { a: 1 }, type: "tool_call" };
const blocks = (lib, fields) => plain(new lib.AIMessage(fields).contentBlocks);
const plain = (value) => JSON.parse(JSON.stringify(value));

const SAME = {
  "Anthropic's thinking": of("anthropic", [
    { type: "thinking", thinking: "hm", signature: "s", index: 0 },
    { type: "redacted_thinking", data: "xx" },
    { type: "text", text: "4", index: 2 },
  ]),
  "Anthropic's call, told once": of(
    "anthropic",
    [{ type: "tool_use", id: "t1", name: "w", input: { a: 1 } }],
    {
      tool_calls: [asked],
    },
  ),
  "a tool that Anthropic calls": of("anthropic", [
    { type: "server_tool_use", id: "s", name: "code_execution", input: { code: "1" } },
    {
      type: "code_execution_tool_result",
      tool_use_id: "s",
      content: { stdout: "1", return_code: 0 },
    },
  ]),
  "a block that nobody knows": of("anthropic", [{ type: "strange", a: 1 }]),
  "reasoning beside the content": of("deepseek", "4", {
    additional_kwargs: { reasoning_content: "hm" },
  }),
  "OpenAI's annotations": of(
    "openai",
    [
      {
        type: "text",
        text: "hi",
        annotations: [
          {
            type: "url_citation",
            url: "https://a.example",
            title: "A",
            start_index: 0,
            end_index: 2,
          },
          { type: "file_citation", file_id: "f", filename: "n.txt", index: 3 },
          { type: "file_path", file_id: "f", index: 3 },
        ],
      },
    ],
    { response_metadata: { model_provider: "openai", id: "resp_1" } },
  ),
};
for (const [name, fields] of Object.entries(SAME))
  test(`contentBlocks gives ${name} as core does`, () => {
    assert.deepEqual(blocks(ours, fields), blocks(core, fields));
  });

test("contentBlocks gives pictures, sound and files of a person as core does", () => {
  const content = [
    { type: "image_url", image_url: { url: "https://a.example/1.png" } },
    { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
    { type: "image", source_type: "base64", data: "AA", mime_type: "image/png" },
    { type: "image", source: { type: "url", url: "https://a.example/2.png" } },
    { type: "document", source: { type: "base64", media_type: "application/pdf", data: "AA" } },
    { type: "input_audio", input_audio: { data: "AA", format: "wav" } },
    { type: "image", mimeType: "image/png", data: "AA" },
    { type: "file", fileId: "f" },
  ];
  const read = (lib) => plain(new lib.HumanMessage({ content }).contentBlocks);
  assert.deepEqual(read(ours), read(core));
});

test("contentBlocks leaves standard media as they are, and keeps the metadata of old ones, as core does", () => {
  const metadata = { filename: "a.pdf" };
  const content = [
    { type: "image", url: "https://a.example/1.png", metadata, id: "x", index: 3 },
    { type: "file", mimeType: "image/jpg", data: "AA", metadata },
    { type: "audio", mimeType: "audio/wav", data: new Uint8Array([1, 2]) },
    { type: "text-plain", mimeType: "text/plain", text: "t", title: "T", context: "c" },
    { type: "image", source_type: "url", url: "https://a.example/2.png", metadata },
  ];
  const read = (lib) => plain(new lib.HumanMessage({ content }).contentBlocks);
  assert.deepEqual(read(ours), read(core));
});

test("contentBlocks reads a data URL of any number of parameters", () => {
  const url = (type) => `data:${type}${";a=b".repeat(8_000_000)};base64,AA`;
  const read = (type) =>
    new ours.HumanMessage({ content: [{ type: "image_url", image_url: { url: url(type) } }] })
      .contentBlocks;
  assert.deepEqual(read("image/png"), [{ type: "image", mimeType: "image/png", data: "AA" }]);
  assert.deepEqual(read(""), [{ type: "image", data: "AA" }]);
});

test("contentBlocks gives each of two calls with one id its own name and arguments", () => {
  const names = ["w", "z"];
  const content = names.map((name) => ({ type: "tool_use", id: "t", name, input: { name } }));
  const tool_calls = names.map((name) => ({ id: "t", name, args: { name }, type: "tool_call" }));
  const fields = of("anthropic", content, { tool_calls });
  assert.deepEqual(blocks(ours, fields), blocks(core, fields));
});

test("contentBlocks takes a provider of null for none", () => {
  const fields = of(null, [{ type: "strange", a: 1 }]);
  assert.deepEqual(blocks(ours, fields), fields.content);
});

test("contentBlocks keeps what core loses: calls without a block, failures, the name of a tool", () => {
  const content = [
    { type: "tool_use", id: "t1", name: "w", input: '{"a":' },
    { type: "mcp_tool_use", id: "m", name: "look", server_name: "docs", input: { q: 1 } },
    { type: "mcp_tool_result", tool_use_id: "m", is_error: true, content: "no" },
    { type: "web_search_tool_result", tool_use_id: "s", content: { error_code: "unavailable" } },
  ];
  const fields = of("anthropic", content, {
    tool_calls: [asked, { id: "t2", name: "z", args: {} }],
  });
  const failed = { type: "server_tool_call_result", status: "error" };
  assert.deepEqual(blocks(ours, fields), [
    { type: "tool_call", id: "t1", name: "w", args: { a: 1 } },
    { type: "server_tool_call", id: "m", name: "look", server_name: "docs", args: { q: 1 } },
    { ...failed, name: "mcp", toolCallId: "m", output: "no" },
    { ...failed, name: "web_search", toolCallId: "s", output: { error_code: "unavailable" } },
    { type: "tool_call", id: "t2", name: "z", args: {} },
  ]);
  assert.equal(blocks(core, fields).length, 4);
});

const CITATIONS = [
  ["char_location", "char_index", "char"],
  ["page_location", "page_number", "page"],
  ["content_block_location", "block_index", "block"],
];
test("contentBlocks gives Anthropic's citations, without the fields that core copies or makes null", () => {
  const common = { cited_text: "c", document_index: 0, document_title: "T" };
  const citations = [
    ...CITATIONS.map(([type, unit]) => ({
      type,
      ...common,
      [`start_${unit}`]: 1,
      [`end_${unit}`]: 2,
    })),
    {
      type: "web_search_result_location",
      url: "https://a.example",
      title: "A",
      cited_text: "c",
      encrypted_index: "e",
    },
  ];
  const fields = of("anthropic", [{ type: "text", text: "hi", citations }]);
  const cited = { type: "citation", title: "T", citedText: "c", startIndex: 1, endIndex: 2 };
  assert.deepEqual(blocks(ours, fields), [
    {
      type: "text",
      text: "hi",
      annotations: [
        ...CITATIONS.map(([, , source]) => ({ ...cited, source })),
        { type: "citation", source: "url", url: "https://a.example", title: "A", citedText: "c" },
      ],
    },
  ]);
  const [{ annotations }] = blocks(core, fields);
  assert.deepEqual(
    annotations.map(({ document_index: _, ...theirs }) =>
      Object.fromEntries(Object.entries(theirs).filter(([, value]) => value !== null)),
    ),
    blocks(ours, fields)[0].annotations,
  );
});

test("an answer of ChatAnthropicMessages has standard blocks, whole and streamed", async () => {
  const events = [
    start(),
    ...thinking(0, "sig", "h", "m"),
    ...text(1, "4"),
    ...call(2, "t1", "w", '{"a":', "1}"),
    ...end("tool_use"),
  ];
  const fetch = scripted(events);
  const model = new ChatAnthropicMessages({ model: "claude-test", apiKey: "k", fetch });
  let sum;
  for await (const chunk of await model.stream("hi"))
    sum = sum === undefined ? chunk : sum.concat(chunk);
  const kinds = (message) =>
    message.contentBlocks.map(({ type, reasoning, text: said, args }) => [
      type,
      reasoning ?? said ?? args,
    ]);
  assert.deepEqual(kinds(sum), [
    ["reasoning", "hm"],
    ["text", "4"],
    ["tool_call", { a: 1 }],
  ]);
  assert.equal(sum.contentBlocks[0].signature, "sig");
  const stored = ours.messageFromRecord(plain(ours.messageToRecord(sum)));
  assert.deepEqual(kinds(stored), kinds(sum));
});

test("an answer of ChatOpenAICompatible has its reasoning as a block", async () => {
  const message = { role: "assistant", content: "4", reasoning_content: "hm" };
  const answer = { id: "c", model: "m", choices: [{ index: 0, message, finish_reason: "stop" }] };
  const fetch = async () => Response.json(answer);
  const model = new ChatOpenAICompatible({
    model: "m",
    apiKey: "k",
    baseURL: "https://a.example/v1",
    fetch,
  });
  assert.deepEqual(plain((await model.invoke("hi")).contentBlocks), [
    { type: "reasoning", reasoning: "hm" },
    { type: "text", text: "4" },
  ]);
});

test("contentBlocks leaves content that says it is standard, and what is no block, as they are", () => {
  const content = [{ type: "thinking", thinking: "x" }, "text", null, { type: 7 }];
  const said = { response_metadata: { output_version: "v1" } };
  assert.deepEqual(blocks(ours, { content, ...said }), content);
  assert.deepEqual(blocks(ours, { content: content.slice(1) }), content.slice(1));
});
