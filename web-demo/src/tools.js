// SPDX-License-Identifier: MIT
// Knows: what the agent can do. Owns: nothing: notes and orders are in the store that the run was
// given. Must not know: models, the page.
import { tool } from "weftgraph/tools";
import { calculate } from "./calculator.js";

const MOST_NOTES = 200;
const text = (/** @type {string} */ description) => ({
  type: "string",
  minLength: 1,
  maxLength: 2000,
  description,
});
/** @param {Record<string, any>} properties @param {string[]} [required] */
const object = (properties, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const calculator = tool(({ expression }) => String(calculate(expression)), {
  name: "calculator",
  description: "Evaluates an arithmetic expression with + - * / % ^ sqrt() and parentheses",
  schema: object({ expression: text("For example 12 * (3 + 4)") }),
  idempotent: true,
});

const clock = tool(({ timeZone }) => tellTime(new Date(), timeZone), {
  name: "clock",
  description: "Tells the current time and date",
  schema: object({ timeZone: text("An IANA time zone, for example Europe/Berlin") }, []),
  idempotent: true,
});

/** @param {Date} now @param {string} [timeZone] */
function tellTime(now, timeZone) {
  try {
    return new Intl.DateTimeFormat("en-GB", {
      dateStyle: "full",
      timeStyle: "long",
      timeZone,
    }).format(now);
  } catch {
    throw new Error(`there is no time zone ${timeZone}`);
  }
}

const saveNote = tool(
  async ({ text: note }, { store }) => {
    await store.put(["notes"], crypto.randomUUID(), { text: note });
    return "saved";
  },
  {
    name: "save_note",
    description: "Saves a note for the user",
    schema: object({ text: text("The note") }),
  },
);

const listNotes = tool(
  async (_, { store }) =>
    JSON.stringify((await store.search(["notes"], { limit: MOST_NOTES })).map(noteOf)),
  {
    name: "list_notes",
    description: "Lists all notes of the user",
    schema: object({}),
    idempotent: true,
  },
);

const findNotes = tool(
  async ({ query }, { store }) =>
    JSON.stringify((await store.search(["notes"], { query, limit: MOST_NOTES })).map(noteOf)),
  {
    name: "find_notes",
    description: "Finds notes that contain a word",
    schema: object({ query: text("The word") }),
    idempotent: true,
  },
);

/** @param {import("./desk.js").Item} item */
const noteOf = ({ value, createdAt }) => ({ text: value.text, savedAt: createdAt.toISOString() });

const placeOrder = tool(
  async ({ item, quantity, delivery, wishes }, { store }) => {
    const id = crypto.randomUUID();
    const number = id.slice(0, 6).toUpperCase();
    await store.put(["orders"], id, { number, item, quantity, delivery, wishes });
    const day = delivery?.day === undefined ? "" : `, to be delivered on ${delivery.day}`;
    return `${quantity} × ${item}, order ${number}${day}`;
  },
  {
    name: "place_order",
    description: "Places an order. It costs money, so a person has to approve it",
    schema: object(
      {
        item: text("What is ordered"),
        quantity: { type: "integer", minimum: 1, maximum: 100, description: "How many" },
        delivery: object(
          {
            day: { type: "string", format: "date" },
            speed: {
              oneOf: [
                { const: "standard", title: "Standard, 3 to 5 days" },
                { const: "express", title: "Express, the next day" },
              ],
            },
            signed: { type: "boolean", title: "Hand over against a signature" },
          },
          [],
        ),
        wishes: { type: "array", items: { type: "string", minLength: 1 }, maxItems: 5 },
      },
      ["item", "quantity"],
    ),
    approval: "ask",
  },
);

export const TOOLS = [calculator, clock, saveNote, listNotes, findNotes, placeOrder];
