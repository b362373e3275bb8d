// SPDX-License-Identifier: MIT
// weftgraph/approval: forms made of JSON Schemas, read into arguments of exact types. A form that
// nobody touched gives the arguments as they were, for every schema of the official suite, of real
// tools and of chance; hostile schemas and values cost little and change nothing.
import { test } from "node:test";
import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { z } from "zod";
import { Command, INTERRUPT, MemorySaver, tool } from "weftgraph";
import { addItem, answerOf, approvalRules, formOf, readForm, removeItem } from "weftgraph/approval";
import { createReactAgent } from "weftgraph/prebuilt";
import { ScriptedModel } from "weftgraph/models/scripted";
import { toolJsonSchema } from "weftgraph/tools";
import { filesOf, suiteFolder } from "./schema-suite.mjs";

const object = (properties, required = [], more = {}) => ({
  type: "object",
  properties,
  required,
  ...more,
});
/** All fields with a value of their own, those in groups and lists too. */
const leavesOf = (fields) =>
  fields.flatMap((field) =>
    field.value === undefined ? leavesOf(field.fields ?? field.items) : [field],
  );
/** What a page would send that shows each field. */
const shownIn = ({ fields }) =>
  Object.fromEntries(leavesOf(fields).map(({ path, value }) => [path, value]));
const fieldAt = ({ fields }, path) => {
  const all = (list) =>
    list.flatMap((field) => [field, ...all(field.fields ?? []), ...all(field.items ?? [])]);
  return all(fields).find((field) => field.path === path);
};
const typesIn = (form) =>
  Object.fromEntries(leavesOf(form.fields).map(({ path, type }) => [path, type]));
/** One argument `a` of this schema. */
const one = (schema, value, required = []) =>
  formOf(object({ a: schema }, required), value === undefined ? {} : { a: value });
const read = (form, value) => readForm(form, { "/a": value });
const messageOf = (result) => result.problems?.map(({ message }) => message).join();

/** The form leaves these arguments as they are, whether its values are sent or not. */
function keeps(schema, args, what) {
  const form = formOf(schema, args);
  const copy = JSON.parse(JSON.stringify(form));
  for (const values of [{}, shownIn(form)]) {
    assert.deepEqual(readForm(form, values), { args }, what);
    assert.deepEqual(readForm(copy, values), { args }, what);
  }
  return form;
}

test("each kind of argument has its field", () => {
  const form = formOf(
    object(
      {
        dueDate: { type: "string", format: "date" },
        at: { type: "string", format: "date-time" },
        hour: { type: "string", format: "time" },
        mail: { type: "string", format: "email" },
        link: { type: "string", format: "uri" },
        text: { type: "string", title: "Subject", description: "One line", maxLength: 80 },
        body: { type: "string", maxLength: 5000 },
        price: { type: "number", exclusiveMinimum: 0, maximum: 9.5, multipleOf: 0.5 },
        count: { type: "integer", exclusiveMinimum: 0, maximum: 9.5 },
        fast: { type: "boolean" },
        sure: { type: "boolean" },
        size: { enum: ["S", "L", null] },
        level: {
          oneOf: [
            { const: 1, title: "Low" },
            { const: 2, title: "High" },
          ],
        },
        kind: { const: "order" },
        maybe: { anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }], default: 3 },
        either: { type: ["string", "null"] },
        code: { type: ["string", "integer"] },
        map: { type: "object", additionalProperties: { type: "string" } },
        pair: { type: "array", prefixItems: [{}, {}] },
        any: true,
        never: false,
      },
      ["text", "sure", "size"],
    ),
  );
  assert.deepEqual(typesIn(form), {
    "/dueDate": "date",
    "/at": "date-time",
    "/hour": "time",
    "/mail": "email",
    "/link": "url",
    "/text": "text",
    "/body": "multiline",
    "/price": "number",
    "/count": "integer",
    "/fast": "select",
    "/sure": "checkbox",
    "/size": "select",
    "/level": "select",
    "/kind": "select",
    "/maybe": "integer",
    "/either": "text",
    "/code": "json",
    "/map": "json",
    "/pair": "json",
    "/any": "json",
    "/never": "json",
  });
  const { dueDate, text, price, count, size, level, maybe } = Object.fromEntries(
    form.fields.map((field) => [field.key, field]),
  );
  assert.equal(dueDate.label, "Due date");
  assert.deepEqual(text, {
    path: "/text",
    key: "text",
    name: "text",
    label: "Subject",
    description: "One line",
    type: "text",
    required: true,
    nullable: false,
    maxLength: 80,
    value: "",
  });
  assert.deepEqual([price.exclusiveMin, price.max, price.step], [0, 9.5, 0.5]);
  assert.deepEqual([count.min, count.max, count.step], [1, 9, 1]);
  assert.deepEqual(
    size.options.map(({ key }) => key),
    ["S", "L"],
  );
  assert.ok(size.nullable && size.required);
  assert.deepEqual(level.options, [
    { key: "1", label: "Low", value: 1 },
    { key: "2", label: "High", value: 2 },
  ]);
  assert.deepEqual([maybe.default, maybe.min, maybe.nullable, maybe.value], [3, 1, true, ""]);
});

test("keys become words", () => {
  const labels = { user_id: "User id", userID: "User ID", "html-URLName": "Html URL name" };
  for (const [key, label] of Object.entries({
    ...labels,
    a: "A",
    "": "(no name)",
    __proto__x: "Proto x",
  }))
    assert.equal(formOf(object({ [key]: {} })).fields[0].label, label);
});

test("numbers are read only if they are exactly what was written", () => {
  const number = (text, type = "number") => {
    const result = read(one({ type }), text);
    return result.args?.a ?? messageOf(result);
  };
  const exact = [0, 1.5, -2, 1e21, 1e-7, 0.1, 19.99, 9007199254740991, 123456789012345680000];
  for (const value of exact) assert.equal(number(String(value)), value);
  assert.deepEqual(
    ["007", " 1.50 ", ".5", "1.", "1E3", "-0"].map((text) => number(text)),
    [7, 1.5, 0.5, 1, 1000, 0],
  );
  for (const text of ["9007199254740993", "0.10000000000000000001", "1e400", "1e-400"])
    assert.match(number(text), /more digits/, text);
  for (const text of ["3,5", "1 000", "0x10", "Infinity", "NaN", "--1", "1e", "1".repeat(2000)])
    assert.match(number(text), /must be a number/, text);
  assert.match(number("1.5", "integer"), /whole number/);
  assert.equal(number("1.0", "integer"), 1);
  assert.equal(read(one({ type: "number" }), 3).args.a, 3);
  assert.match(messageOf(read(one({ type: "number" }), NaN)), /must be a number/);
});

test("bounds and lengths are told; lengths are of characters", () => {
  const told = (schema, text) => messageOf(read(one(schema), text));
  assert.match(told({ type: "number", minimum: 2 }, "1"), /2 or more/);
  assert.match(told({ type: "number", maximum: 2 }, "3"), /2 or less/);
  assert.match(told({ type: "number", exclusiveMinimum: 2 }, "2"), /more than 2/);
  assert.match(told({ type: "number", exclusiveMaximum: 2 }, "2"), /less than 2/);
  assert.match(told({ type: "string", minLength: 3 }, "ab"), /3 characters/);
  assert.match(told({ type: "string", maxLength: 2 }, "abc"), /2 characters/);
  assert.equal(told({ type: "string", maxLength: 2 }, "😀😀"), undefined);
  assert.match(told({ enum: ["a"] }, "b"), /one of the choices/);
});

test("an empty field leaves an optional argument out, is null where that is allowed, and refused where it is needed", () => {
  const text = { type: "string" };
  assert.deepEqual(read(one(text, "x"), ""), { args: {} });
  assert.deepEqual(read(one(text, "x", ["a"]), ""), { args: { a: "" } });
  assert.deepEqual(read(one({ type: ["string", "null"] }, "x", ["a"]), ""), { args: { a: null } });
  assert.deepEqual(read(one({ type: "integer" }, 4), " "), { args: {} });
  assert.match(messageOf(read(one({ type: "integer" }, 4, ["a"]), "")), /required/);
  assert.match(messageOf(readForm(one(text, undefined, ["a"]))), /required/);
  assert.deepEqual(readForm(one(text, "", [])), { args: { a: "" } });
  const optional = one({ type: "boolean" });
  assert.deepEqual(
    ["true", "false", "", true].map((value) => read(optional, value).args.a),
    [true, false, undefined, true],
  );
  const box = one({ type: "boolean" }, true);
  assert.equal(fieldAt(box, "/a").type, "checkbox");
  assert.deepEqual(
    [false, "on", ""].map((value) => read(box, value).args.a),
    [false, true, false],
  );
  assert.deepEqual(readForm(one({ type: "boolean" }, undefined, ["a"])), { args: { a: false } });
});

test("an optional group that nobody filled in stays away; one that is begun has to be whole", () => {
  const place = object(
    { city: { type: "string" }, zip: { type: "integer" }, main: { type: "boolean" } },
    ["city", "main"],
  );
  const form = formOf(object({ place }));
  assert.deepEqual(readForm(form, shownIn(form)), { args: {} });
  assert.deepEqual(readForm(form, { "/place/city": "Bern" }), {
    args: { place: { city: "Bern", main: false } },
  });
  assert.deepEqual(readForm(form, { "/place/zip": "3000" }), {
    problems: [{ path: "/place/city", message: "This is required." }],
  });
  assert.deepEqual(readForm(form, { "/place/zip": "x" }).problems?.length, 2);
  const needed = formOf(object({ place }, ["place"]));
  assert.equal(readForm(needed).problems[0].path, "/place/city");
  const nullable = { anyOf: [place, { type: "null" }] };
  keeps(object({ place: nullable }, ["place"]), { place: null });
  keeps(object({ place }), { place: { city: "Bern", main: true, more: [1] } });
});

test("items are added and removed; the others keep their paths", () => {
  const schema = object({
    tags: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 3 },
    people: {
      type: "array",
      items: object(
        { name: { type: "string" }, roles: { type: "array", items: { enum: ["a", "b"] } } },
        ["name"],
      ),
    },
  });
  const args = { tags: ["x", "y"], people: [{ name: "Ada", roles: ["b"], extra: 1 }] };
  const form = keeps(schema, args);
  const fewer = removeItem(form, "/tags/0");
  assert.deepEqual(readForm(fewer).args.tags, ["y"]);
  assert.deepEqual(readForm(fewer, { "/tags/1": "z" }).args.tags, ["z"]);
  const more = addItem(addItem(fewer, "/tags"), "/people");
  assert.deepEqual(
    readForm(more).problems.map(({ path }) => path),
    ["/tags/2", "/people/1/name"],
  );
  const roles = addItem(more, "/people/1/roles");
  assert.deepEqual(
    readForm(roles, { "/tags/2": "w", "/people/1/name": "Bob", "/people/1/roles/0": "a" }).args,
    { tags: ["y", "w"], people: [args.people[0], { name: "Bob", roles: ["a"] }] },
  );
  assert.deepEqual(readForm(form), { args }, "the first form is as it was");
  const none = removeItem(fewer, "/tags/1");
  assert.match(messageOf(readForm(none)), /1 or more/);
  const many = ["/tags/2", "/tags/3"].reduce((made) => addItem(made, "/tags"), form);
  assert.match(messageOf(readForm(many, { "/tags/2": "1", "/tags/3": "2" })), /3 at most/);
  for (const call of [
    () => addItem(form, "/none"),
    () => addItem(form, "/tags/0"),
    () => removeItem(form, "/people/x/y"),
  ])
    assert.throws(call, { code: "BAD_ARGUMENT" });
});

test("what a page's form sends is read: boxes that are not ticked, line breaks", () => {
  const form = formOf(object({ body: { type: "string" }, yes: { type: "boolean" } }), {
    body: "one\ntwo",
    yes: true,
  });
  const sent = new FormData();
  sent.set("/body", "one\r\ntwo");
  assert.deepEqual(readForm(form, sent), { args: { body: "one\ntwo", yes: false } });
  const query = new URLSearchParams({ "/body": "one\r\ntwo\r\nthree", "/yes": "on" });
  assert.deepEqual(readForm(form, query), { args: { body: "one\ntwo\nthree", yes: true } });
  sent.set("/body", new Blob(["x"]));
  assert.match(messageOf(readForm(form, sent)), /must be a text/);
});

test("references, allOf and recursion", () => {
  const schema = {
    $ref: "#/$defs/order",
    $defs: {
      order: {
        allOf: [
          { $ref: "#/definitions/base~1x" },
          object({ who: { $ref: "#/$defs/who" } }, ["who"]),
        ],
      },
      who: { type: "string", title: "Person", minLength: 2 },
      node: object(
        { name: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/node" } } },
        ["name"],
      ),
    },
    definitions: {
      "base/x": object({ sum: { type: "integer", minimum: 1 }, tree: { $ref: "#/$defs/node" } }, [
        "sum",
      ]),
    },
  };
  const leaf = { name: "c", children: [] };
  const args = {
    sum: 3,
    who: "Ada",
    tree: { name: "a", children: [{ name: "b", children: [leaf] }] },
  };
  const form = keeps(schema, args);
  assert.equal(fieldAt(form, "/who").label, "Person");
  assert.equal(fieldAt(form, "/tree/children/0/children/0/name").value, "c");
  const grown = addItem(form, "/tree/children/0/children");
  assert.deepEqual(
    readForm(grown, { "/tree/children/0/children/1/name": "d" }).args.tree.children[0].children,
    [leaf, { name: "d" }],
  );
  for (const endless of [
    { $ref: "#" },
    { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
    { $defs: { a: { allOf: [{ $ref: "#/$defs/a" }] } }, anyOf: [{ $ref: "#/$defs/a" }] },
    { $ref: "https://example.com/schema" },
    { $ref: "#/%" },
    { $ref: "#/constructor/prototype" },
  ])
    assert.deepEqual(typesIn(keeps(endless, { a: 1 })), { "": "json" });
});

test("an object that has conditions and alternatives beside its properties is drawn", () => {
  const form = keeps(
    object({ a: { type: "string" }, b: { type: "string" } }, [], {
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
      if: { required: ["a"] },
      then: { properties: { b: false } },
      allOf: [{ if: {}, then: {} }, { $ref: "https://example.com/x" }],
    }),
    { a: "x", c: [1] },
  );
  assert.deepEqual(typesIn(form), { "/a": "text", "/b": "text", "/c": "json" });
});

const folder = suiteFolder();
test("a form that nobody touched gives the same arguments, for each schema and value of the official suite", {
  skip:
    folder === undefined &&
    "SKIPPED: the suite is not there: neither @json-schema-org/tests nor WEFT_TEST_DATA has its files",
}, () => {
  let count = 0;
  for (const draft of ["draft7", "draft2019-09", "draft2020-12"])
    for (const part of ["", "optional", "optional/format"])
      for (const [file, groups] of filesOf(join(folder, draft, part)))
        for (const { description, schema, tests } of groups)
          for (const { data, valid } of tests) {
            const what = `${draft}/${part}/${file}: ${description}`;
            const isObject = data !== null && typeof data === "object" && !Array.isArray(data);
            // What the schema itself refuses may lack what the form asks for.
            if (isObject && valid) keeps(schema, data, what);
            // Elsewhere references lead elsewhere.
            if (valid && !/\$\w*ref"/i.test(JSON.stringify(schema)))
              keeps(object({ a: schema }, ["a"]), { a: data }, what);
            count += valid;
          }
  assert.ok(count > 2000, String(count));
});

test("real tools: zod's schemas, a calendar, a filter", () => {
  const event = z.object({
    title: z.string().min(1).describe("What it is called"),
    start: z.iso.datetime(),
    guests: z.array(z.object({ email: z.email(), optional: z.boolean().default(false) })).max(20),
    repeat: z.enum(["never", "weekly"]).nullish(),
    place: z.union([z.string(), z.object({ lat: z.number(), lon: z.number() })]).optional(),
    reminder: z.discriminatedUnion("by", [
      z.object({ by: z.literal("mail"), minutes: z.int() }),
      z.object({ by: z.literal("call"), number: z.string() }),
    ]),
    color: z.literal(["red", "blue"]).optional(),
    meta: z.record(z.string(), z.unknown()).optional(),
  });
  const schema = toolJsonSchema({ name: "event", schema: event });
  const args = {
    title: "Tea",
    start: "2026-12-24T18:00:00Z",
    guests: [{ email: "a@example.com", optional: true }],
    repeat: null,
    place: { lat: 1.5, lon: -2 },
    reminder: { by: "mail", minutes: 5 },
    meta: { x: [1] },
  };
  const form = keeps(schema, args);
  assert.equal(fieldAt(form, "/guests/0/email").type, "email");
  assert.equal(fieldAt(form, "/color").type, "select");
  assert.equal(fieldAt(form, "/place").type, "json");
  const edited = readForm(form, {
    "/repeat": "weekly",
    "/guests/0/optional": false,
    "/place": '"at home"',
    "/reminder": '{ "by": "call", "number": "1" }',
  });
  assert.deepEqual(edited.args, {
    ...args,
    repeat: "weekly",
    guests: [{ email: "a@example.com", optional: false }],
    place: "at home",
    reminder: { by: "call", number: "1" },
  });
  assert.ok(event.safeParse(edited.args).success);
});

/** A schema with values that fit. */
const schemas = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    tie("text"),
    tie("number"),
    tie("integer"),
    fc.constant([{ type: "boolean" }, fc.boolean()]),
    fc.constant([
      { enum: ["a", "", 1, null, "1", true] },
      fc.constantFrom("a", "", 1, null, "1", true),
    ]),
    tie("any").map(([schema, value]) => [{ anyOf: [schema, { type: "null" }] }, fc.option(value)]),
    tie("any").map(([schema, value]) => [
      { type: "array", items: schema },
      fc.array(value, { maxLength: 4 }),
    ]),
    tie("object"),
    fc.constant([true, fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)))]),
  ),
  text: fc.constant([
    { type: "string", minLength: 1 },
    fc.string({ minLength: 1, unit: "binary" }),
  ]),
  number: fc.constant([
    { type: "number", maximum: 1e300 },
    fc.double({ noNaN: true, noDefaultInfinity: true, max: 1e300 }).map((one) => one + 0),
  ]),
  integer: fc.constant([{ type: "integer", minimum: -5 }, fc.integer({ min: -5 })]),
  object: fc
    .dictionary(
      fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "a/b", "~")),
      tie("any"),
      { maxKeys: 5 },
    )
    .map((fields) => {
      const entries = Object.entries(fields);
      const required = entries.flatMap(([key], at) => (at % 2 === 0 ? [key] : []));
      const properties = Object.fromEntries(entries.map(([key, [schema]]) => [key, schema]));
      const models = entries.map(([key, [, value]], at) =>
        (at % 2 === 0 ? value : fc.option(value, { nil: undefined })).map((made) => [key, made]),
      );
      return [
        object(properties, required),
        fc
          .tuple(...models)
          .map((list) => Object.fromEntries(list.filter(([, made]) => made !== undefined))),
      ];
    }),
}));

test("any schema with any arguments that fit: untouched they stay", () => {
  const drawn = schemas.object.chain(([schema, value]) => fc.tuple(fc.constant(schema), value));
  fc.assert(
    fc.property(drawn, ([schema, args]) => void keeps(schema, args)),
    { numRuns: 400 },
  );
});

test("what fits the schema is never refused: fields that get the texts of other arguments", () => {
  const scalar = fc.oneof(
    schemas.text,
    schemas.number,
    schemas.integer,
    fc.constant([{ enum: ["a", "", 1, "1", true] }, fc.constantFrom("a", "", 1, "1", true)]),
  );
  const drawn = fc.array(scalar, { minLength: 1, maxLength: 5 }).chain((list) => {
    const args = fc.record(Object.fromEntries(list.map(([, value], at) => [`a${at}`, value])), {
      noNullPrototype: true,
    });
    const schema = object(Object.fromEntries(list.map(([one], at) => [`a${at}`, one])), ["a0"]);
    return fc.tuple(fc.constant(schema), args, args);
  });
  let count = 0;
  fc.assert(
    fc.property(drawn, ([schema, args, others]) => {
      const [form, theirs] = [formOf(schema, args), formOf(schema, others)];
      if (JSON.stringify(typesIn(form)) !== JSON.stringify(typesIn(theirs))) return;
      count++;
      assert.deepEqual(readForm(form, shownIn(theirs)), { args: others });
    }),
    { numRuns: 400 },
  );
  assert.ok(count > 100, String(count));
});

test("10,000 properties, deep and wide schemas, and endless ones cost little", () => {
  const wide = object(
    Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`p${at}`, { type: "string" }])),
    ["p9999"],
  );
  const deep = (levels) => (levels === 0 ? { type: "string" } : object({ a: deep(levels - 1) }));
  const doubled = { $defs: { d0: { type: "string" } } };
  for (let at = 1; at <= 60; at++) {
    const ref = { $ref: `#/$defs/d${at - 1}` };
    doubled.$defs[`d${at}`] = { allOf: [ref, ref], anyOf: [ref, ref] };
  }
  const started = performance.now();
  const form = keeps(wide, { p9999: "x", p5: "y", other: 1 });
  assert.equal(form.fields.length, 299);
  assert.match(form.note, /9702 more arguments are not shown/);
  assert.deepEqual(fieldAt(form, "/p9999").value, "x", "what is used comes first");
  assert.equal(readForm(form, { "/p9999": "z" }).args.p5, "y");
  keeps(object({ list: { type: "array", items: wide } }), { list: [{ p9999: "x" }] });
  keeps({ ...object({ a: { $ref: "#/$defs/d60" } }), ...doubled }, { a: "x" });
  const value = (levels) => (levels === 0 ? "x" : { a: value(levels - 1) });
  keeps(deep(1000), value(1000));
  const refs = Array(20_000).fill({ $ref: "#/$defs/wide" });
  keeps({ ...object({ a: { allOf: refs } }), $defs: { wide } }, { a: { p9999: "x" } });
  let shared = {};
  for (let at = 0; at < 60; at++) shared = { items: shared, properties: { a: shared } };
  keeps(shared, { a: "x" });
  const tree = { type: "object", properties: {} };
  for (const name of "abcdefghij") tree.properties[name] = { $ref: "#" };
  const drawn = keeps(tree, { a: { b: {} } });
  assert.ok(leavesOf(drawn.fields).length <= 300);
  keeps(object({ a: { enum: Array.from({ length: 50_000 }, (_, at) => at) } }), { a: 7 });
  keeps(object({ a: { type: "string", description: "x".repeat(2_000_000) } }), { a: "x" });
  const long = object({ [`k${"x".repeat(600)}`]: {} }, [], { description: "x".repeat(1e6) });
  assert.match(formOf(long).note, /too long/);
  assert.ok(performance.now() - started < 5000, `${performance.now() - started} ms`);
});

test("patterns are shown and never run", () => {
  const { exec } = RegExp.prototype;
  const form = one({ type: "string", pattern: "^(a+)+$" }, "b");
  assert.equal(fieldAt(form, "/a").pattern, "^(a+)+$");
  const started = performance.now();
  assert.deepEqual(read(form, `${"a".repeat(100)}!`).args, { a: `${"a".repeat(100)}!` });
  assert.ok(performance.now() - started < 1000);
  assert.equal(RegExp.prototype.exec, exec);
});

test("titles and choices cannot hide characters or turn others around", () => {
  const [field] = formOf(
    object({
      "pay\u202Ee": { title: "Sum\u200B\u202E", description: "\u3164x", enum: ["a\u2066"] },
    }),
  ).fields;
  assert.deepEqual(
    [field.label, field.name, field.description, field.options[0].label],
    ["Sum⟨U+200B⟩⟨U+202E⟩", "pay⟨U+202E⟩e", "⟨U+3164⟩x", "a⟨U+2066⟩"],
  );
  assert.deepEqual([field.key, field.options[0].value], ["pay\u202Ee", "a\u2066"]);
  const long = formOf(object({ a: { title: `${"😀".repeat(500)}` } })).fields[0].label;
  assert.ok(long.length <= 202 && long.isWellFormed());
  const text = formOf(object({ a: { type: "string" } }), { a: "c\u202Eups" });
  assert.equal(fieldAt(text, "/a").spelled, "c⟨U+202E⟩ups");
  const json = fieldAt(one({}, "c\u202Eups\ud800"), "/a");
  assert.equal(json.value, '"c\\u202eups\\ud800"');
  for (const value of ["a\r\nb", "\ud800"])
    assert.equal(
      fieldAt(keeps(object({ a: { type: "string" } }), { a: value }), "/a").type,
      "json",
    );
});

test("__proto__ and other names of objects are arguments like others", () => {
  const properties = JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"integer"}}');
  const args = JSON.parse('{"__proto__":"x","constructor":1,"toString":[1]}');
  const form = keeps(object(properties, ["__proto__"]), args);
  const result = readForm(form, { "/__proto__": "y", "/constructor": "2" });
  assert.equal(JSON.stringify(result.args), '{"__proto__":"y","constructor":2,"toString":[1]}');
  assert.equal(Object.getPrototypeOf(result.args), Object.prototype);
  const none = formOf(object(properties, []));
  assert.deepEqual(readForm(none), { args: {} });
});

test("values that are no texts, or that are inherited, change nothing", () => {
  const form = formOf(
    object({ a: { type: "string" }, n: { type: "number" }, b: { type: "boolean" } }),
    {
      a: "x",
      n: 1,
      b: false,
    },
  );
  assert.deepEqual(readForm(form, Object.create({ "/a": "stolen" })).args.a, "x");
  const trick = { toString: () => "5", valueOf: () => 5 };
  for (const value of [trick, ["5"], null, Symbol.iterator, () => "5", 5n])
    for (const path of ["/a", "/n", "/b"])
      assert.ok("problems" in readForm(form, { [path]: value }), String(path));
  for (const values of [null, "x", 5, []])
    assert.throws(() => readForm(form, values), { code: "BAD_ARGUMENT" });
  for (const none of [undefined, null, {}, form.fields])
    assert.throws(() => readForm(none, {}), { code: "BAD_ARGUMENT" });
  const loop = {};
  loop.loop = loop;
  for (const [schema, args] of [
    [loop, {}],
    [{}, loop],
    [() => {}, {}],
    [{}, { a: 1n }],
  ])
    assert.throws(() => formOf(schema, args), { code: "BAD_ARGUMENT" });
  assert.match(messageOf(read(one({}), '{"a":12345678901234567890}')), /more digits/);
  assert.match(messageOf(read(one({}), "{")), /not JSON/);
  assert.deepEqual(read(one({}), '"12345678901234567890"').args, { a: "12345678901234567890" });
  assert.match(messageOf(readForm(formOf(true, [1]))), /must be an object/);
});

test("the arguments and the schema that were given are not changed and not kept", () => {
  const args = { list: ["a"], any: { deep: [1] } };
  const schema = object({ list: { type: "array", items: { type: "string" } } });
  const form = formOf(schema, args);
  const before = structuredClone(args);
  args.list.push("b");
  schema.properties.list.type = "string";
  assert.deepEqual(readForm(form).args, before);
  readForm(form, { "/list/0": "c" }).args.any.deep.push("d");
  assert.deepEqual(readForm(form).args, before);
});

test("an answer is bound to the request", () => {
  const request = {
    action_request: { action: "order", args: { item: "tea" } },
    digest: "d",
    approval_id: "a",
  };
  assert.deepEqual(answerOf(request, { item: "cups" }), {
    type: "edit",
    args: { action: "order", args: { item: "cups" } },
    digest: "d",
    approval_id: "a",
  });
  for (const wrong of [undefined, {}, { action_requests: [] }, { action_request: { action: 1 } }])
    assert.throws(() => answerOf(wrong, {}), { code: "BAD_ARGUMENT" });
  assert.throws(() => answerOf(request, []), { code: "BAD_ARGUMENT" });
});

/** An agent that was asked about calls of tools with these schemas. */
async function askedWith(schemas, approvals) {
  const ran = [];
  const tools = schemas.map((schema, at) =>
    tool((args) => void ran.push(args) ?? "done", { name: `t${at}`, schema, approval: "ask" }),
  );
  const tool_calls = tools.map(({ name }) => ({ name, id: name, args: { n: 1 } }));
  const llm = new ScriptedModel({ responses: [{ content: "", id: "m", tool_calls }, "Done."] });
  const agent = createReactAgent({ llm, tools, checkpointer: new MemorySaver(), approvals });
  const thread = { configurable: { thread_id: "1" } };
  const { [INTERRUPT]: questions } = await agent.invoke({ messages: "go" }, thread);
  return {
    ran,
    tools,
    questions,
    answer: (resume) => agent.invoke(new Command({ resume }), thread),
  };
}

const counted = object({ n: { type: "integer", title: "Number", maximum: 9 } }, ["n"]);

test("with approvalRules({ form: true }) a request has the schema; nothing else of it changes", async () => {
  const plain = await askedWith([counted], approvalRules());
  const formed = await askedWith([counted], approvalRules({ form: true }));
  const [[{ value: before }], [{ id, value }]] = [plain.questions, formed.questions];
  assert.ok(!("args_schema" in before.review_configs[0]));
  const [{ args_schema, ...config }] = value.review_configs;
  assert.deepEqual(args_schema, toolJsonSchema(formed.tools[0]));
  assert.deepEqual([config], before.review_configs);
  assert.equal(value.canonical, before.canonical);
  const form = formOf(args_schema, value.action_request.args);
  assert.equal(form.fields[0].label, "Number");
  await formed.answer({ [id]: answerOf(value, readForm(form, { "/n": "7" }).args) });
  assert.deepEqual(formed.ran, [{ n: 7 }]);
  // The digest is of the thread too: asked again in the same one, it is the same.
  const saver = new MemorySaver();
  const ask = async (approvals) => {
    const llm = new ScriptedModel({
      responses: [{ content: "", id: "m", tool_calls: [{ name: "t", id: "c", args: { n: 1 } }] }],
    });
    const tools = [tool(() => "", { name: "t", schema: counted, approval: "ask" })];
    const agent = createReactAgent({ llm, tools, checkpointer: saver, approvals });
    const thread = { configurable: { thread_id: "1" } };
    const isNew = (await agent.getState(thread)).tasks.length === 0;
    const result = await agent.invoke(isNew ? { messages: "go" } : null, thread);
    return result[INTERRUPT][0].value;
  };
  const [first, again] = [await ask(approvalRules()), await ask(approvalRules({ form: true }))];
  assert.equal(again.digest, first.digest);
  assert.ok("args_schema" in again.review_configs[0]);
});

test("one question about several calls has the schema of each; a long one is cut", async () => {
  const long = object(
    Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [
        `p${at}`,
        { type: "string", description: "x".repeat(500) },
      ]),
    ),
    ["n"],
  );
  long.properties.n = { type: "integer" };
  const rules = approvalRules({ form: true, batch: true });
  const { questions, answer, ran } = await askedWith([counted, long], rules);
  const [{ id, value }] = questions;
  const [short, cut] = value.review_configs.map((config) => config.args_schema);
  assert.deepEqual(short.properties, counted.properties);
  assert.ok(JSON.stringify(cut).length < 70_000);
  assert.match(cut.$comment, /too long/);
  assert.deepEqual([cut.properties.n, cut.required], [{ type: "integer" }, ["n"]]);
  const { args } = readForm(formOf(cut, { n: 1 }), { "/n": "2" });
  const edit = { type: "edit", edited_action: { name: "t1", args } };
  await answer({ [id]: { decisions: [{ type: "approve" }, edit] } });
  assert.deepEqual(ran, [{ n: 1 }, { n: 2 }]);
});

test("approvalRules refuses a form that is neither true nor false", () => {
  assert.throws(() => approvalRules({ form: "yes" }), { code: "BAD_ARGUMENT" });
});
