// SPDX-License-Identifier: MIT
// Serves docs/guides/models.md: what a request to chat completions says in the words of the service
// that it goes to, and what refusals of such services are told as.
import { test } from "node:test";
import assert from "node:assert/strict";
import { AIMessage, HumanMessage, ToolMessage } from "weftgraph/messages";
import { ChatOpenAICompatible, ModelError } from "weftgraph/models/openai";

const ANSWER = {
  id: "1",
  object: "chat.completion",
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
};

/** A model whose service answers with `body`, and what it was asked. */
function setUp(options = {}, body = ANSWER, status = 200) {
  const asked = {};
  const fetch = async (url, init) => {
    Object.assign(asked, { url, body: JSON.parse(init.body) });
    return typeof body === "string"
      ? new Response(body, { status, headers: { "content-type": "text/event-stream" } })
      : Response.json(body, { status });
  };
  return {
    model: new ChatOpenAICompatible({ model: "m", fetch, maxRetries: 0, ...options }),
    asked,
  };
}

test("the path goes before the query of a base URL", async () => {
  const { model, asked } = setUp({
    baseURL: "https://x.openai.azure.com/openai/deployments/d/?api-version=2025-01-01",
  });
  await model.invoke("hi");
  assert.equal(
    asked.url,
    "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2025-01-01",
  );
});

test("a limit of tokens has the name that the model takes", async () => {
  const limitsOf = async (name, callOptions) => {
    const { model, asked } = setUp({ model: name, maxTokens: 9 });
    await model.invoke("hi", callOptions);
    const { max_tokens, max_completion_tokens } = asked.body;
    return [max_tokens, max_completion_tokens];
  };
  for (const name of ["o3-mini", "o1", "gpt-5", "gpt-5.1-nano", "gpt-6"])
    assert.deepEqual(await limitsOf(name), [undefined, 9], name);
  for (const name of ["gpt-4.1", "gpt-35-turbo", "gpt-oss-120b", "openai/o3", "deepseek-chat"])
    assert.deepEqual(await limitsOf(name), [9, undefined], name);
  assert.deepEqual(await limitsOf("gpt-5", { maxTokens: 4 }), [undefined, 4]);
});

test("a request has one limit of tokens: the call's takes the place of the others", async () => {
  const limitsOf = async (options, callOptions) => {
    const { model, asked } = setUp(options);
    await model.invoke("hi", callOptions);
    const { max_tokens, max_completion_tokens } = asked.body;
    return [max_tokens, max_completion_tokens];
  };
  const own = { modelKwargs: { max_completion_tokens: 7 } };
  for (const [options, callOptions, expected] of [
    [{ model: "gpt-5" }, { max_tokens: 9 }, [undefined, 9]],
    [{ model: "gpt-5", maxTokens: 5 }, { max_tokens: 9 }, [undefined, 9]],
    [{ model: "gpt-4o", maxTokens: 5 }, { max_tokens: 9 }, [9, undefined]],
    [{ model: "gpt-4o", maxTokens: 5 }, { max_completion_tokens: 9 }, [undefined, 9]],
    [{ model: "gpt-4o", maxTokens: 5, ...own }, {}, [undefined, 7]],
    [{ model: "gpt-4o", ...own }, { maxTokens: 9 }, [undefined, 9]],
    [{ model: "gpt-4o" }, {}, [undefined, undefined]],
  ])
    assert.deepEqual(await limitsOf(options, callOptions), expected);
});

test("calls side by side are spoken of beside tools alone", async () => {
  const tools = [{ type: "function", function: { name: "f", parameters: { type: "object" } } }];
  for (const [given, expected] of [
    [tools, false],
    [[], undefined],
    [undefined, undefined],
  ]) {
    const { model, asked } = setUp();
    await model.invoke("hi", { parallel_tool_calls: false, tools: given });
    assert.equal(asked.body.parallel_tool_calls, expected);
  }
});

const MISTRAL = "https://api.mistral.ai/v1";
const talk = (ids, name = "look") => [
  new HumanMessage({ content: "hi", name: "ann" }),
  new AIMessage({
    content: "",
    name: "agent",
    tool_calls: ids.map((id) => ({ id, name, args: {} })),
  }),
  ...ids.map((id) => new ToolMessage({ content: "r", tool_call_id: id, name })),
];

test("Mistral gets no names of messages, and no options of the stream", async () => {
  const events = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "x" }, finish_reason: "stop" }] })}\n\n`;
  const callbacks = [{ handleLLMNewToken() {} }];
  for (const [baseURL, name, streamOptions] of [
    [MISTRAL, undefined, undefined],
    ["https://codestral.mistral.ai/v1", undefined, undefined],
    ["https://notmistral.ai/v1", "ann", { include_usage: true }],
  ]) {
    const { model, asked } = setUp({ baseURL }, events);
    await model.invoke(talk(["abcdefghi"]), { callbacks });
    assert.deepEqual(
      [asked.body.messages[0].name, asked.body.stream, asked.body.stream_options],
      [name, true, streamOptions],
    );
  }
});

test("ids of calls that a service refuses get short ones, the same for call and result", async () => {
  const sent = async (baseURL, ids) => {
    const { model, asked } = setUp(baseURL === undefined ? {} : { baseURL });
    await model.invoke([...talk(ids), new HumanMessage("go on")]);
    const [, { tool_calls }, ...rest] = asked.body.messages;
    const made = tool_calls.map(({ id }) => id);
    const results = rest.slice(0, ids.length).map(({ tool_call_id }) => tool_call_id);
    assert.deepEqual(results, made);
    return made;
  };
  const long = ["a", "b"].map((letter) => letter.repeat(41));
  const ids = [long[0], "call_1", long[1]];
  const short = ["weft_call_0", "call_1", "weft_call_1"];
  for (const baseURL of [undefined, "https://x.openai.azure.com/openai/v1"])
    assert.deepEqual(await sent(baseURL, ids), short);
  assert.deepEqual(await sent("https://api.groq.com/openai/v1", ids), ids);
  assert.deepEqual(await sent(undefined, ["a".repeat(40)]), ["a".repeat(40)]);
  assert.deepEqual(await sent(MISTRAL, ["call_1", "aB3456789", "x"]), [
    "000000000",
    "aB3456789",
    "000000001",
  ]);
});

test("pictures of tools' results go behind these, in one message of the user", async () => {
  const data = "A".repeat(1000);
  const cache_control = { type: "ephemeral" };
  const url = "https://files.example/a.png";
  const messages = [
    new HumanMessage("hi"),
    new AIMessage({
      content: "",
      tool_calls: ["shot", "look", "plot"].map((name) => ({ id: name, name, args: {} })),
    }),
    new ToolMessage({
      tool_call_id: "shot",
      content: [
        { type: "text", text: "Screen:", cache_control },
        { type: "image", mimeType: "image/png", data },
      ],
    }),
    new ToolMessage({ tool_call_id: "look", content: "4" }),
    new ToolMessage({
      tool_call_id: "plot",
      content: [
        "Plot:",
        { type: "image_url", image_url: { url } },
        { type: "image", url: "demo://a.png" },
        { type: "custom", value: 1 },
      ],
    }),
    new AIMessage("seen"),
  ];
  const sent = async (options) => {
    const { model, asked } = setUp(options);
    await model.invoke([...messages, new HumanMessage("go on")]);
    return asked.body.messages;
  };
  const follows = "the picture follows the results";
  const others = ['{"type":"image","url":"demo://a.png"}', '{"type":"custom","value":1}'];
  const results = [
    [
      { type: "text", text: "Screen:", cache_control },
      { type: "text", text: `[image/png: ${follows}]` },
    ],
    "4",
    ["Plot:", `[image: ${follows}]`, ...others].join("\n"),
  ];
  const shown = [
    { type: "text", text: "The tool shot returned:" },
    { type: "image_url", image_url: { url: `data:image/png;base64,${data}` } },
    { type: "text", text: "The tool plot returned:" },
    { type: "image_url", image_url: { url } },
  ];
  const expected = [
    ["user", "hi"],
    ["assistant", ""],
    ...results.map((content) => ["tool", content]),
    ["user", shown],
    ["assistant", "seen"],
    ["user", "go on"],
  ];
  const told = (list) => list.map(({ role, content }) => [role, content]);
  assert.deepEqual(told(await sent()), expected);
  // Mistral takes no message of the user directly behind results.
  const mistral = told(await sent({ baseURL: MISTRAL }));
  assert.deepEqual(mistral.splice(5, 1)[0][0], "assistant");
  assert.deepEqual(mistral, expected);
  const blind = await sent({ profile: { imageInputs: false } });
  assert.deepEqual(
    blind.map(({ role }) => role),
    ["user", "assistant", "tool", "tool", "tool", "assistant", "user"],
  );
  assert.match(blind[2].content[1].text, /image\/png: left out/);
  assert.doesNotMatch(JSON.stringify(blind), /AAAA|files\.example/);
});

test("names of another service's calls have no characters that services refuse", async () => {
  const nameFor = async (message) => {
    const { model, asked } = setUp();
    await model.invoke(["hi", message, new ToolMessage({ content: "r", tool_call_id: "c" })]);
    return asked.body.messages[1].tool_calls[0].function.name;
  };
  const tool_calls = [{ id: "c", name: "ns.get:x", args: {} }];
  const from = (model_provider) =>
    new AIMessage({ content: "", tool_calls, response_metadata: { model_provider } });
  assert.equal(await nameFor(from("google")), "ns_get_x");
  assert.equal(await nameFor(from("openai")), "ns.get:x");
});

const PY = { type: "custom", custom: { name: "py", description: "runs Python" } };
const WORDS = 'print("\u{1F600}\\n")\n';
const pyCall = (input) => ({ id: "c1", type: "custom", custom: { name: "py", input } });
const bound = (...args) => {
  const { model, asked } = setUp(...args);
  return { model: model.bindTools([PY]), asked };
};
const answerWith = (call, finish_reason = "tool_calls") => ({
  ...ANSWER,
  choices: [{ index: 0, message: { content: null, tool_calls: [call] }, finish_reason }],
});

test("a custom tool's call has its words as `input`, and goes back as it came", async () => {
  for (const input of [WORDS, "{}", ""]) {
    const answer = await bound({}, answerWith(pyCall(input))).model.invoke("hi");
    const { name, args } = answer.tool_calls[0];
    assert.deepEqual([name, args], ["py", { input }]);
    const { model, asked } = bound();
    await model.invoke(["hi", answer, new ToolMessage({ content: "1", tool_call_id: "c1" })]);
    assert.deepEqual(asked.body.tools, [PY]);
    assert.deepEqual(asked.body.messages[1].tool_calls, [pyCall(input)]);
    // Another service knows no such calls.
    const other = setUp({ baseURL: "https://models.example/v1" });
    await other.model.invoke(["hi", answer, new ToolMessage({ content: "1", tool_call_id: "c1" })]);
    const { type, function: called } = other.asked.body.messages[1].tool_calls[0];
    assert.deepEqual([type, called], ["function", { name: "py", arguments: JSON.stringify(args) }]);
  }
});

test("a custom tool's words are streamed, split anywhere", async () => {
  const chunk = (delta, finish_reason = null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const piece = (call) => chunk({ tool_calls: [{ index: 0, ...call }] });
  const text = [
    piece(pyCall("")),
    ...WORDS.split("").map((input) => piece({ custom: { input } })),
  ].join("");
  const message = { tool_calls: [pyCall(WORDS)] };
  for (const end of [{ delta: {} }, {}, { message }]) {
    const last = { choices: [{ index: 0, ...end, finish_reason: "tool_calls" }] };
    const body = `${text}data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`;
    let whole;
    for await (const part of await bound({}, body).model.stream("hi"))
      whole = whole === undefined ? part : whole.concat(part);
    const { name, args } = whole.tool_calls[0];
    assert.deepEqual([whole.tool_calls.length, name, args], [1, "py", { input: WORDS }]);
  }
});

test("a custom tool's words that were cut off are not run", async () => {
  const { model } = bound({}, answerWith(pyCall("rm -r a"), "length"));
  const { tool_calls, invalid_tool_calls } = await model.invoke("hi");
  assert.deepEqual([tool_calls.length, invalid_tool_calls[0].name], [0, "py"]);
});

test("a custom tool is forced by its name", async () => {
  const { model, asked } = bound();
  await model.invoke("hi", { tool_choice: "py" });
  assert.deepEqual(asked.body.tool_choice, { type: "custom", custom: { name: "py" } });
});

test("Groq gets reasoning back for the model alone that made it", async () => {
  const reasoningFor = async (baseURL, name) => {
    const answer = { ...ANSWER, model: "openai/gpt-oss-120b" };
    answer.choices = [{ ...ANSWER.choices[0], message: { content: "Hi", reasoning: "Think" } }];
    const first = await setUp({ baseURL }, answer).model.invoke("hi");
    const { model, asked } = setUp({ baseURL, model: name });
    await model.invoke(["hi", first, new HumanMessage("go on")]);
    return asked.body.messages[1].reasoning;
  };
  const groq = "https://api.groq.com/openai/v1";
  assert.equal(await reasoningFor(groq, "openai/gpt-oss-120b"), "Think");
  assert.equal(await reasoningFor(groq, "llama-3.3-70b-versatile"), undefined);
  assert.equal(await reasoningFor("https://openrouter.ai/api/v1", "other"), "Think");
});

test("a choice of a tool in the form of another service is said in OpenAI's", async () => {
  const tools = [{ type: "function", function: { name: "f", parameters: { type: "object" } } }];
  for (const [given, sent] of [
    [{ type: "any" }, "required"],
    [{ type: "auto" }, "auto"],
    [{ type: "none" }, "none"],
    [true, "required"],
    [
      { type: "tool", name: "f" },
      { type: "function", function: { name: "f" } },
    ],
    [
      { type: "function", function: { name: "f" } },
      { type: "function", function: { name: "f" } },
    ],
    [
      { type: "allowed_tools", allowed_tools: { mode: "auto", tools } },
      { type: "allowed_tools", allowed_tools: { mode: "auto", tools } },
    ],
  ]) {
    const { model, asked } = setUp();
    await model.invoke("hi", { tools, tool_choice: given });
    assert.deepEqual(asked.body.tool_choice, sent);
  }
});

test("videos, plain texts and pictures of a misnamed type are sent as the service takes them", async () => {
  const { model, asked } = setUp();
  await model.invoke([
    {
      role: "user",
      content: [
        { type: "video", url: "https://example.com/v.mp4" },
        { type: "text-plain", text: "words", mimeType: "text/plain" },
        { type: "image", data: "AAAA", mimeType: "image/jpg" },
      ],
    },
  ]);
  assert.deepEqual(asked.body.messages[0].content, [
    { type: "video_url", video_url: { url: "https://example.com/v.mp4" } },
    { type: "text", text: "words" },
    { type: "image_url", image_url: { url: "data:image/jpeg;base64,AAAA" } },
  ]);
});

test("marks of what a gateway is to keep are sent, in messages of every role", async () => {
  const { model, asked } = setUp();
  const marked = { type: "text", text: "long", cache_control: { type: "ephemeral" } };
  const content = [marked, { type: "text", text: "short" }];
  const call = { id: "1", name: "t", args: {}, type: "tool_call" };
  await model.invoke([
    { role: "system", content },
    { role: "user", content },
    { role: "assistant", content, tool_calls: [call] },
    { role: "tool", tool_call_id: "1", content },
    { role: "system", content: content.slice(1) },
  ]);
  const { messages } = asked.body;
  for (const message of messages.slice(0, 4)) assert.deepEqual(message.content, content);
  assert.equal(messages[4].content, "short");
});

test("options of a call that OpenAI documents are sent", async () => {
  const given = {
    logprobs: true,
    top_logprobs: 2,
    service_tier: "flex",
    verbosity: "low",
    prompt_cache_key: "k",
    safety_identifier: "s",
  };
  const { model, asked } = setUp();
  await model.invoke("hi", { ...given, metadata: { thread: "t" }, store: {} });
  for (const [name, value] of Object.entries(given)) assert.deepEqual(asked.body[name], value);
  // These are a run's own.
  assert.deepEqual([asked.body.metadata, asked.body.store], [undefined, undefined]);
});

test("a stream that ends without a reason still says which model answered", async () => {
  const piece = {
    id: "gen-1",
    model: "served-by",
    choices: [{ index: 0, delta: { content: "Hi" } }],
  };
  const { model } = setUp({}, `data: ${JSON.stringify(piece)}\n\ndata: [DONE]\n\n`);
  const { content, response_metadata } = await model.invoke("hi");
  assert.equal(content, "Hi");
  assert.equal(response_metadata.model_name, "served-by");
  assert.equal(typeof response_metadata.model_provider, "string");
  assert.equal("finish_reason" in response_metadata, false);
});

test("a refusal of MiniMax in a good response is a ModelError with its words", async () => {
  const refused = (status_code, status_msg) =>
    setUp({}, { id: "1", choices: null, base_resp: { status_code, status_msg } }).model.invoke(
      "hi",
    );
  await assert.rejects(refused(1004, "login fail"), (error) => {
    assert.ok(error instanceof ModelError);
    assert.match(error.message, /login fail/);
    assert.equal(error.code, "1004");
    return true;
  });
  await assert.rejects(refused(1002, "rate limit"), { status: 429, retryable: true });
  const { model } = setUp({}, { ...ANSWER, base_resp: { status_code: 0, status_msg: "" } });
  assert.equal((await model.invoke("hi")).content, "Hi");
});

test("an error that a good response reports by name has that name's status", async () => {
  const refused = (error) => setUp({}, `data: ${JSON.stringify({ error })}\n\n`).model.invoke("hi");
  for (const [error, expected] of [
    [
      { message: "slow down", type: "rate_limit_exceeded" },
      { status: 429, retryable: true },
    ],
    [
      { message: "no", type: "invalid_request_error" },
      { status: 400, retryable: false },
    ],
    [{ message: "bad call", code: "tool_use_failed", status_code: 400 }, { status: 400 }],
    [
      { message: "what", type: "toString" },
      { status: 200, code: "toString" },
    ],
  ])
    await assert.rejects(refused(error), expected);
});

test("what is wrong with each field is told, in the lists of Mistral and FastAPI", async () => {
  for (const body of [
    { object: "error", message: { detail: [{ loc: ["body", "top_p"], msg: "too large" }] } },
    { detail: [{ loc: ["body"], msg: "too large" }] },
    [{ error: { code: 400, message: "too large", status: "INVALID_ARGUMENT" } }],
  ])
    await assert.rejects(setUp({}, body, 422).model.invoke("hi"), {
      status: 422,
      message: /too large/,
    });
});
