// SPDX-License-Identifier: MIT
// The column of tools by text: over OpenAI's chat completions, whose model writes its calls between
// marks in its words.
import { ChatOpenAICompatible } from "weftgraph/models/openai";
import { toolsByText } from "weftgraph/models/text-tools";
import { openai } from "./openai.mjs";

const BLOCK = /\n?<(tool_call|tool_response)>\n(.*?)\n<\/\1>/gs;

/** The answer with its calls in the text. */
function written({ calls = [], text = "", ...rest }) {
  const fences = calls.map(({ name, args }) => {
    const given = args === "" ? "" : `, "arguments": ${args}`;
    return `<tool_call>\n{"name": "${name}"${given}}\n</tool_call>`;
  });
  return { ...rest, text: [text, ...fences].join("\n") };
}

const systemOf = ({ messages }) => messages.find(({ role }) => role === "system")?.content;

/** The tools in the system text, a line each. */
const toolsOf = (body) =>
  systemOf(body)
    ?.match(/^\{"name".*"parameters".*$/gm)
    .map((line) => JSON.parse(line));

function turns(body) {
  return openai.request.turns(body).flatMap(([role, text]) => {
    const blocks = [...text.matchAll(BLOCK)].map(([, kind, json]) => {
      const { name, arguments: args, content } = JSON.parse(json);
      return kind === "tool_call" ? ["call", name, args] : ["result", content];
    });
    const rest = text.replace(BLOCK, "");
    return rest === "" ? blocks : [[role, rest], ...blocks];
  });
}

export const textTools = {
  ...openai,
  name: "text-tools",
  create: (options) =>
    toolsByText(new ChatOpenAICompatible({ model: "small", apiKey: "sk-matrix-key", ...options }), {
      style: "fenced",
    }),
  stream: (answer) => openai.stream(written(answer)),
  whole: (answer) => openai.whole(written(answer)),
  // A call that is text has nothing that goes back with it.
  opaque: ({ reasoning }) => [reasoning],
  request: {
    ...openai.request,
    turns,
    tools: (body) => toolsOf(body)?.map(({ name }) => name),
    forced: (body) => /must call the tool (.*)\./.exec(systemOf(body))[1],
    opaque: ({ messages }) => messages.flatMap(({ reasoning_content }) => reasoning_content ?? []),
  },
  holes: {
    "a call that the conversation went on without":
      "calls are text, and a model of text refuses none that is open",
  },
};
