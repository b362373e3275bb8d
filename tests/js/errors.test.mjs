// SPDX-License-Identifier: MIT
// Serves: docs/semantics.md 19 (errors are recognised by name, coded errors carry the
// troubleshooting address), 10 (GraphInterrupt and its legacy form), the table of statuses.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as codes from "../../js/base/codes.js";
import * as errors from "../../js/base/errors.js";
import { makeError } from "../../js/base/errors.js";

const URL_OF = (code) =>
  `\n\nTroubleshooting URL: https://docs.langchain.com/oss/javascript/langgraph/${code}/\n`;

test("a coded LangGraph error appends its address and keeps the code", () => {
  const error = new errors.InvalidUpdateError("bad", {
    lc_error_code: "INVALID_GRAPH_NODE_RETURN_VALUE",
  });
  assert.equal(error.message, `bad${URL_OF("INVALID_GRAPH_NODE_RETURN_VALUE")}`);
  assert.equal(error.lc_error_code, "INVALID_GRAPH_NODE_RETURN_VALUE");
  assert.equal(error.name, "InvalidUpdateError");
  assert.ok(error instanceof errors.BaseLangGraphError && error instanceof Error);
  assert.deepEqual(Object.keys(error), ["lc_error_code", "name"]);
  assert.equal(new errors.InvalidUpdateError("bad").message, "bad");
});

test("every class says its name; two of them say what LangGraph says", () => {
  for (const name of [
    "GraphRecursionError",
    "GraphValueError",
    "EmptyInputError",
    "EmptyChannelError",
    "InvalidUpdateError",
    "UnreachableNodeError",
  ]) {
    assert.equal(new errors[name]("m").name, name);
    assert.equal(errors[name].unminifiable_name, name);
  }
  assert.equal(new errors.MultipleSubgraphsError("m").name, "MultipleSubgraphError");
  assert.match(new errors.StateGraphInputError("mine").message, /^Invalid StateGraph input\./);
});

test("interrupts are printed into the message", () => {
  const error = new errors.GraphInterrupt([{ id: "x", value: 1 }]);
  assert.equal(error.message, '[\n  {\n    "id": "x",\n    "value": 1\n  }\n]');
  assert.deepEqual(new errors.GraphInterrupt().interrupts, []);
  assert.equal(new errors.GraphInterrupt().message, "");
  const legacy = new errors.NodeInterrupt("why");
  assert.deepEqual(legacy.interrupts, [{ value: "why" }]);
  assert.ok(legacy instanceof errors.GraphInterrupt && legacy.is_bubble_up);
});

test("errors are recognised by shape, of any copy of the package", () => {
  assert.ok(
    errors.isGraphInterrupt({ name: "GraphInterrupt" }) &&
      errors.isGraphInterrupt({ name: "NodeInterrupt" }),
  );
  assert.ok(
    errors.isParentCommand({ name: "ParentCommand" }) &&
      errors.isGraphBubbleUp({ is_bubble_up: true }),
  );
  for (const is of [errors.isGraphInterrupt, errors.isGraphBubbleUp, errors.isParentCommand]) {
    for (const value of [undefined, null, {}, "GraphInterrupt", new Error("x")])
      assert.equal(is(value), false);
  }
});

test("makeError fills the table's text and picks its class", () => {
  const recursion = makeError(codes.ERR_RECURSION, [25]);
  assert.ok(recursion instanceof errors.GraphRecursionError);
  assert.match(recursion.message, /^Recursion limit of 25 reached/);
  assert.ok(recursion.message.endsWith(URL_OF("GRAPH_RECURSION_LIMIT")));
  const unknown = errors.makeError(codes.ERR_UNKNOWN_EDGE_START, ["q"]);
  assert.equal(unknown.constructor, Error);
  assert.equal(unknown.message, "Found edge starting at unknown node `q`");
  const fenced = errors.makeError(codes.ERR_FENCED, ["t{1}"], { cause: "c" });
  assert.ok(fenced instanceof errors.WeftError);
  assert.equal(fenced.code, "FENCED");
  assert.match(fenced.message, /thread t\{1\} meanwhile:/);
  assert.equal(fenced.cause, "c");
  assert.equal(errors.makeError(12345).code, "INTERNAL");
});

test("every row of the table makes an error of the class it names", () => {
  const table = readFileSync(new URL("../../src/base/error_messages.def", import.meta.url), "utf8");
  const rows = [
    ...table.matchAll(/^X\((\w+), (-?\d+), "(\w+)", "(\w*)", "((?:[^"\\]|\\.)*)", "(\w*)"\)/gm),
  ];
  assert.equal(rows.length, Object.values(codes.STATUS_ROWS).flat().length);
  for (const [, name, status, code, className, text, lcCode] of rows) {
    assert.equal(codes[name], Number(status));
    if (className === "") continue;
    const error = makeError(Number(status), ["a", "b", "c"]);
    assert.equal(error.constructor.name, className, code);
    assert.equal(error.code, className === "WeftError" ? code : undefined);
    assert.equal(error.lc_error_code ?? "", lcCode);
    const said = JSON.parse(`"${text}"`).replace(/\{(\d)\}/g, (_, place) => "abc"[place]);
    assert.equal(error.message, lcCode === "" ? said : said + URL_OF(lcCode));
  }
});
