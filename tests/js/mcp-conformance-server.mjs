// SPDX-License-Identifier: MIT
// The program that MCP's conformance tests ask as a server: serveMcp with the tools that their
// scenarios name, on a port of this machine, which it prints.
import { createServer } from "node:http";
import { interrupt } from "weftgraph";
import { serveMcp } from "weftgraph/mcp/server";
import { toNodeHandler } from "weftgraph/server/node";
import { tool } from "weftgraph/tools";

const NONE = { type: "object" };
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";
const image = { type: "image", data: PNG, mimeType: "image/png" };
const resource = {
  type: "resource",
  resource: {
    uri: "test://embedded-resource",
    mimeType: "text/plain",
    text: "This is an embedded resource content.",
  },
};
const text = (words) => ({ type: "text", text: words });
const form = (properties, required) => ({ type: "object", properties, required });

const NAME = form({ name: { type: "string" } }, ["name"]);
const CONFIRM = form({ ok: { type: "boolean" } }, ["ok"]);
const COLOR = form({ color: { type: "string" } }, ["color"]);
const ACCOUNT = form(
  {
    username: { type: "string", description: "User's response" },
    email: { type: "string", description: "User's email address" },
  },
  ["username", "email"],
);
const DEFAULTS = form(
  {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  },
  [],
);
const titled = [1, 2, 3].map((n) => ({ const: `value${n}`, title: `Option ${n}` }));
const plain = ["option1", "option2", "option3"];
const ENUMS = form(
  {
    untitledSingle: { type: "string", enum: plain },
    titledSingle: { type: "string", oneOf: titled },
    legacyEnum: { type: "string", enum: plain, enumNames: ["Option 1", "Option 2", "Option 3"] },
    untitledMulti: { type: "array", items: { type: "string", enum: plain } },
    titledMulti: { type: "array", items: { anyOf: titled } },
  },
  [],
);
const SCHEMA_2020 = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

/** A question under a key of its own. */
const askAs = (key, message, requestedSchema) =>
  interrupt({
    type: "mcp_elicitation",
    requests: { [key]: { method: "elicitation/create", params: { message, requestedSchema } } },
  })[key];
const said = (what, { action, content = {} }) =>
  `${what}: action=${action}, content=${JSON.stringify(content)}`;
/** A tool that asks, with arguments that are texts. */
const asking = (name, keys, run) =>
  tool(run, {
    name,
    schema: form(Object.fromEntries(keys.map((key) => [key, { type: "string" }])), keys),
  });

const tools = [
  tool(() => "This is a simple text response for testing.", {
    name: "test_simple_text",
    schema: NONE,
  }),
  tool(() => [image], { name: "test_image_content", schema: NONE }),
  tool(() => [{ type: "audio", data: WAV, mimeType: "audio/wav" }], {
    name: "test_audio_content",
    schema: NONE,
  }),
  tool(() => [resource], { name: "test_embedded_resource", schema: NONE }),
  tool(() => [text("Multiple content types test:"), image, resource], {
    name: "test_multiple_content_types",
    schema: NONE,
  }),
  tool(
    () => {
      throw new Error("This tool intentionally returns an error for testing");
    },
    { name: "test_error_handling", schema: NONE },
  ),
  tool(
    async function* () {
      for (const progress of [0, 50, 100]) {
        yield { progress, total: 100, message: `Completed step ${progress} of 100` };
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return "done";
    },
    { name: "test_tool_with_progress", schema: NONE },
  ),
  asking("test_elicitation", ["message"], ({ message }) =>
    said("User response", interrupt({ message, requestedSchema: ACCOUNT })),
  ),
  asking("test_elicitation_sep1034_defaults", [], () =>
    said("Elicitation completed", interrupt({ message: "Check", requestedSchema: DEFAULTS })),
  ),
  asking("test_elicitation_sep1330_enums", [], () =>
    said("Elicitation completed", interrupt({ message: "Choose", requestedSchema: ENUMS })),
  ),
  ...Object.entries({
    elicitation: "user_name",
    request_state: "confirm",
    tampered_state: "confirm",
  }).map(([name, key]) =>
    asking(`test_input_required_result_${name}`, [], () => {
      const { content } = askAs(key, "Who?", key === "confirm" ? CONFIRM : NAME);
      return key === "confirm" ? "state-ok" : `Hello, ${content?.name}!`;
    }),
  ),
  asking("test_input_required_result_multi_round", [], () => {
    const { content: first } = askAs("step1", "Who?", NAME);
    const { content: second } = askAs("step2", "Which color?", COLOR);
    return `Hello, ${first?.name}, ${second?.color}!`;
  }),
  ...["test_missing_capability", "test_streaming_elicitation"].map((name) =>
    asking(name, [], () => said("Done", interrupt({ message: "Who?", requestedSchema: NAME }))),
  ),
  tool(() => "done", { name: "test_logging_tool", schema: NONE }),
  tool(({ region }) => `in ${region}`, {
    name: "test_headers",
    schema: form({ region: { type: "string", "x-mcp-header": "Region" } }, ["region"]),
  }),
  tool(() => "valid", { name: "json_schema_2020_12_tool", schema: SCHEMA_2020 }),
];

const server = createServer(toNodeHandler(serveMcp(tools)));
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
