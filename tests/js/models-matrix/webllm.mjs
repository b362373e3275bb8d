// SPDX-License-Identifier: MIT
// The column of engines in the tab: an engine by WebLLM's shape, which takes no signal and is
// interrupted. What goes back is the reasoning that engines of OpenAI's shape may give.
import { ChatWebLLM } from "weftgraph/models/webllm";
import { forcedBy, toolsIn, turnsIn, written } from "./constrained.mjs";
import { openai } from "./openai.mjs";

const DATA = /^data: (.*)$/;

/** An engine over a service. */
function engineOver(fetch) {
  let reader;
  async function* chunks(body) {
    reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + (value ?? "")).split("\n");
      rest = lines.pop();
      for (const line of lines) {
        const [, data] = DATA.exec(line) ?? [];
        if (data === "[DONE]") return;
        if (data !== undefined) yield checked(JSON.parse(data));
      }
      if (done) return;
    }
  }
  return {
    chat: {
      completions: {
        async create(request) {
          const response = await fetch("engine:", { body: JSON.stringify(request) });
          if (!request.stream || !response.ok) return checked(await response.json(), response);
          return chunks(response.body);
        },
      },
    },
    interruptGenerate: () => reader?.cancel(),
  };
}

/** Throws the error of an answer, as OpenAI's client does. */
function checked(data, { status } = {}) {
  if (data.error === undefined) return data;
  const { message, code } = data.error;
  throw Object.assign(new Error(message), { code, status: status === 200 ? undefined : status });
}

const textIn = (content) =>
  typeof content === "string" ? content : content.map(({ text }) => text ?? "").join("");
const systemOf = ({ messages }) => messages.find(({ role }) => role === "system")?.content;
const schemaOf = ({ response_format }) => JSON.parse(response_format.schema);

export const webllm = {
  ...openai,
  name: "webllm",
  create: ({ fetch }) => new ChatWebLLM({ engine: engineOver(fetch) }),
  stream: ({ calls, text, ...rest }) => openai.stream({ ...rest, text: written({ text, calls }) }),
  whole: ({ calls, text, ...rest }) => openai.whole({ ...rest, text: written({ text, calls }) }),
  // A call that is text has nothing that goes back with it.
  opaque: ({ reasoning }) => [reasoning],
  request: {
    ...openai.request,
    files: undefined,
    turns: ({ messages }) =>
      messages.flatMap(({ role, content }) =>
        role === "system" ? [] : turnsIn(role, textIn(content)),
      ),
    tools: (body) => toolsIn(systemOf(body)),
    schema: schemaOf,
    forced: (body) => forcedBy(schemaOf(body)),
    opaque: ({ messages }) => messages.flatMap(({ reasoning_content }) => reasoning_content ?? []),
  },
  holes: {
    "a call that the conversation went on without":
      "calls are text, and a model of text refuses none that is open",
    "429 with Retry-After":
      "an engine in the tab has no such limits, and OpenAI's client tries again by itself",
  },
};
