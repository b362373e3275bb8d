// SPDX-License-Identifier: MIT
// The column of the browser's own model: the Prompt API by its IDL, whose model asks a service for
// lines of JSON. It has neither reasoning nor anything that must go back.
import { ChatPromptAPI } from "weftgraph/models/prompt-api";
import { languageModel } from "../language-model.mjs";
import { forcedBy, toolsIn, turnsIn, written } from "./constrained.mjs";
import { REASON, USAGE } from "./kit.mjs";

const counts = { input: (prompts) => (prompts.length > 0 ? USAGE.input : 0), output: () => 9 };
const line = (data) => `${JSON.stringify(data)}\n`;
const fault = { text: line({ fault: "UnknownError" }), code: "STREAM_ERROR" };
const refused = { events: [line({ fault: "NotSupportedError" })], code: "NOT_SUPPORTED" };

async function encoded(value, type) {
  const bytes = new Uint8Array(value instanceof Blob ? await value.arrayBuffer() : value);
  return { type, mimeType: value.type, value: btoa(String.fromCharCode(...bytes)) };
}

/** The turns as JSON. */
function jsonOf(turns) {
  return Promise.all(
    turns.map(async ({ role, content }) => {
      if (typeof content === "string") return { role, content: [{ type: "text", value: content }] };
      const parts = content.map((part) =>
        part.type === "text" ? part : encoded(part.value, part.type),
      );
      return { role, content: await Promise.all(parts) };
    }),
  );
}

function read(text) {
  const { piece, fault: name } = JSON.parse(text);
  if (name !== undefined) throw new DOMException(REASON, name);
  return piece; // none at the end
}

/** The pieces in lines of JSON, as they come. */
function piecesOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const at = rest.indexOf("\n");
        if (at >= 0) {
          const text = rest.slice(0, at);
          rest = rest.slice(at + 1);
          const piece = read(text);
          return piece === undefined ? controller.close() : controller.enqueue(piece);
        }
        const { done, value } = await reader.read();
        if (done) return controller.close();
        rest += value;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function modelOver(fetch) {
  const say = async (turns, { responseConstraint, isStream, signal }) => {
    const body = JSON.stringify({ turns: await jsonOf(turns), responseConstraint, isStream });
    const response = await fetch("model:", { body, signal });
    if (isStream) return piecesOf(response.body);
    return read(await response.text());
  };
  return languageModel({ say, counts }).LanguageModel;
}

const textIn = ({ content }) => content.map(({ type, value }) => (type === "text" ? value : ""));
const systemOf = ({ turns }) => turns.find(({ role }) => role === "system")?.content[0].value;

export const promptApi = {
  name: "prompt-api",
  create: ({ fetch }) => new ChatPromptAPI({ languageModel: modelOver(fetch) }),
  stream: (answer) => {
    const pieces = written(answer).match(/\S+\s*/g) ?? [];
    return [...pieces.map((piece) => line({ piece })), line({})];
  },
  whole: (answer) => ({ piece: written(answer) }),
  errors: { refused, event: fault },
  request: {
    isStream: ({ body }) => body.isStream,
    turns: ({ turns }) =>
      turns.flatMap((turn) =>
        turn.role === "system" ? [] : turnsIn(turn.role, textIn(turn).join("")),
      ),
    tools: (body) => toolsIn(systemOf(body)),
    images: ({ turns }) =>
      turns
        .flatMap(({ content }) => content)
        .filter(({ type }) => type === "image")
        .map(({ mimeType, value: data }) => ({ mimeType, data })),
    schema: ({ responseConstraint }) => responseConstraint,
    forced: ({ responseConstraint }) => forcedBy(responseConstraint),
  },
  holes: {
    reasoning: "the API gives the words of an answer alone",
    "a broken stream": "a stream has no closing event: what the browser ends is the whole answer",
    "429 with Retry-After": "the model is on the device and limits nobody",
    "usage: cached tokens": "a first call has none; models-prompt-api.test.mjs has later ones",
    "a call that the conversation went on without":
      "calls are text, and a model of text refuses none that is open",
    "usage: reasoning tokens": "the API gives the words of an answer alone",
    "after a checkpoint signatures and opaque parts go back byte-equal":
      "the API gives nothing that must go back",
    "after a checkpoint a fresh process sends signatures and opaque parts byte-equal":
      "the API gives nothing that must go back",
  },
};
