// SPDX-License-Identifier: MIT
// Makes answers of OpenAI's Responses API for tests, and models that get them without a network.
import { ChatOpenAIResponses } from "weftgraph/models/responses";

export const line = (event) => `data: ${JSON.stringify(event)}\n\n`;

const ITEMS = {
  reasoning: {
    type: "reasoning",
    id: "rs_1",
    summary: [
      { type: "summary_text", text: "First." },
      { type: "summary_text", text: "Then." },
    ],
    encrypted_content: "gAAAA+/=",
  },
  message: {
    type: "message",
    id: "msg_1",
    status: "completed",
    role: "assistant",
    content: [
      {
        type: "output_text",
        text: "I look at both.",
        annotations: [
          { type: "file_citation", index: 3, file_id: "file_1", filename: "a.txt" },
          { type: "file_citation", index: 3, file_id: "file_2", filename: "b.txt" },
        ],
      },
    ],
    phase: "commentary",
  },
  weather: {
    type: "function_call",
    id: "fc_1",
    call_id: "call_1",
    name: "weather",
    arguments: '{"city": "Oslo"}',
    status: "completed",
  },
  time: {
    type: "function_call",
    id: "fc_2",
    call_id: "call_2",
    name: "time",
    arguments: "{}",
    status: "completed",
  },
};
export const OUTPUT = Object.values(ITEMS);
export const USAGE = {
  input_tokens: 34,
  input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 8 },
  total_tokens: 54,
};

/** A finished answer with these items. */
export const response = (output = OUTPUT, rest = {}) => ({
  id: "resp_1",
  object: "response",
  created_at: 1_700_000_000,
  status: "completed",
  model: "gpt-6-sol",
  error: null,
  incomplete_details: null,
  output,
  usage: USAGE,
  ...rest,
});

const pieces = (text) => text.match(/.{1,4}/gs) ?? [];

/** What a service streams of an item. */
function eventsOf(item, output_index) {
  const { type, id: item_id } = item;
  const at = { output_index, item_id };
  const events = [];
  const say = (name, fields) => events.push({ type: `response.${name}`, ...at, ...fields });
  const begun = { ...item, status: "in_progress" };
  if (type === "function_call") begun.arguments = "";
  if (type === "message") begun.content = [];
  if (type === "reasoning") Object.assign(begun, { summary: [], encrypted_content: "gAAAbegun" });
  say("output_item.added", { item: begun });
  for (const [summary_index, { text }] of (item.summary ?? []).entries()) {
    say("reasoning_summary_part.added", {
      summary_index,
      part: { type: "summary_text", text: "" },
    });
    for (const delta of pieces(text)) say("reasoning_summary_text.delta", { summary_index, delta });
    say("reasoning_summary_text.done", { summary_index, text });
  }
  for (const [content_index, part] of (item.content ?? []).entries()) {
    const kind = part.type === "refusal" ? "refusal" : "output_text";
    const text = part.refusal ?? part.text;
    const empty = part.type === "refusal" ? { refusal: "" } : { text: "", annotations: [] };
    say("content_part.added", { content_index, part: { type: part.type, ...empty } });
    for (const delta of pieces(text)) say(`${kind}.delta`, { content_index, delta });
    for (const annotation of part.annotations ?? [])
      say("output_text.annotation.added", { content_index, annotation });
    say(`${kind}.done`, { content_index, [kind === "refusal" ? "refusal" : "text"]: text });
    say("content_part.done", { content_index, part });
  }
  if (type === "function_call") {
    for (const delta of pieces(item.arguments)) say("function_call_arguments.delta", { delta });
    say("function_call_arguments.done", { arguments: item.arguments });
  }
  say("output_item.done", { item });
  return events;
}

/** The events of a streamed answer. */
export function eventsFor(output = OUTPUT, rest = {}) {
  const created = { ...response([]), status: "in_progress", usage: null };
  const end = rest.status === "incomplete" ? "incomplete" : "completed";
  return [
    { type: "response.created", response: created },
    { type: "response.in_progress", response: created },
    ...output.flatMap(eventsOf),
    { type: `response.${end}`, response: response(output, rest) },
  ].map((event, sequence_number) => ({ ...event, sequence_number }));
}

const STREAM = { headers: { "content-type": "text/event-stream" } };
const WHOLE = { headers: { "content-type": "application/json" } };

/** The HTTP response of a text, of events or of a whole answer. */
export function answerOf(given, init = {}) {
  if (given instanceof Response) return given.clone();
  if (typeof given === "string") return new Response(given, { ...STREAM, ...init });
  return Array.isArray(given)
    ? new Response(given.map(line).join(""), { ...STREAM, ...init })
    : new Response(JSON.stringify(given), { ...WHOLE, ...init });
}

/** A fetch that gives these answers in turn and keeps what it was asked. */
export function fetchOf(...answers) {
  const sent = [];
  const fetch = async (url, { body, headers }) => {
    const answer = answers[Math.min(sent.length, answers.length - 1)];
    const asked = JSON.parse(body);
    sent.push({ url: String(url), body: asked, text: body, headers: new Headers(headers) });
    if (typeof answer === "function") return answer();
    // Who asks for no stream gets the answer that ends it.
    const isWhole = Array.isArray(answer) && !asked.stream;
    return answerOf(isWhole ? (answer.at(-1).response ?? answer.at(-1)) : answer);
  };
  return Object.assign(fetch, { sent });
}

/** A model that gets these answers; `sent` is what it asked. */
export function modelOf(answers, options) {
  const fetch = fetchOf(...answers);
  const model = new ChatOpenAIResponses({ model: "gpt-6-sol", apiKey: "sk-1", fetch, ...options });
  return Object.assign(model, { sent: fetch.sent });
}

/** The chunks of a stream as one message. */
export async function joined(stream) {
  let message;
  for await (const chunk of stream) message = message === undefined ? chunk : message.concat(chunk);
  return message;
}
