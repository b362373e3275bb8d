// SPDX-License-Identifier: MIT
// The editor of a card: fields made from the tool's schema, or JSON, as two tabs of one edit. What
// a model or a schema says is shown as text, with what cannot be seen in it spelled out.
import { html, nothing } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { repeat } from "lit-html/directives/repeat.js";
import { addItem, removeItem } from "weftgraph/approval";
import { icon } from "../icons.js";
import { reveal } from "../reveal.js";
import { hasFields } from "./card.js";
import { revealed } from "./revealed.js";

/** @typedef {import("./card.js").Card} Card */
/** @typedef {import("./card.js").Edited} Edited */
/** @typedef {import("weftgraph/approval").FormField} FormField */
/**
 * Where fields are drawn; `next`: makes ids, since paths may hold anything.
 * @typedef {{ card: Card, problems: Map<string, string>, next: () => string }} Place
 */

const TABS = /** @type {const} */ ([
  ["fields", "Fields"],
  ["json", "JSON"],
]);
/** What a keyboard on glass offers. @type {Record<string, string>} */
const MODES = { integer: "numeric", number: "decimal", email: "email", url: "url" };
const CHECKED = "The changed call is checked like a new one.";
/** @type {Record<string, string>} */
const EXAMPLES = { "date-time": "2026-12-24T18:00:00Z", time: "18:00:00Z" };

/**
 * @param {string} id of the request
 * @param {Card} card
 * @param {any} schema
 * @param {Edited} edited what the edit says
 * @param {{ hasJson?: boolean, hint?: string }} [options]
 */
export function editor(id, card, schema, edited, { hasJson = true, hint = CHECKED } = {}) {
  const fault = "fault" in edited ? edited.fault : undefined;
  const isJson = card.tab === "json";
  const hasTabs = hasJson && hasFields(card.form);
  return html`<div class="editor" id=${`editor-${id}`}>
    ${hasTabs ? tabs(id, card, schema) : nothing}
    <div class="panel" role=${hasTabs ? "tabpanel" : "group"} id=${`panel-${id}`} aria-label=${isJson ? "JSON" : "Fields"}>
      ${isJson ? jsonBox(id, card, fault) : fieldList(id, card, edited)}
    </div>
    <small id=${`fault-${id}`} class=${fault ? "wrong" : ""} role="status">${fault ? revealed(fault) : hint}</small>
  </div>`;
}

/** @param {string} id @param {Card} card @param {any} schema */
function tabs(id, card, schema) {
  // What cannot be read in one form cannot be shown in the other one.
  const isStuck = !("args" in card.written());
  const turn = (/** @type {Event} */ event, /** @type {"fields" | "json"} */ tab) => {
    const list = tabsOf(event);
    card.turnTo(tab, schema);
    requestAnimationFrame(() => focusIn(list, `[data-tab="${card.tab}"]`));
  };
  const arrow = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    turn(event, card.tab === "json" ? "fields" : "json");
  };
  return html`<div class="tabs" role="tablist" aria-label="How to edit" @keydown=${arrow}>
    ${TABS.map(([tab, name]) => {
      const isThis = tab === card.tab;
      return html`<button role="tab" id=${`tab-${tab}-${id}`} data-tab=${tab} aria-selected=${isThis} aria-controls=${`panel-${id}`} aria-disabled=${!isThis && isStuck} tabindex=${isThis ? 0 : -1} @click=${(/** @type {Event} */ event) => turn(event, tab)}>${name}</button>`;
    })}
  </div>`;
}

/** @param {Event} event in the list of tabs */
const tabsOf = ({ currentTarget }) =>
  /** @type {Element} */ (currentTarget).closest('[role="tablist"]');

/** @param {Element | null} place @param {string} selector */
function focusIn(place, selector) {
  const found = /** @type {HTMLElement | null | undefined} */ (place?.querySelector(selector));
  found?.focus();
}

/** @param {string} id @param {Card} card @param {string | undefined} fault */
function jsonBox(id, card, fault) {
  return html`<div class="entry">
    <label for=${`edit-${id}`}>Arguments as JSON</label>
    <textarea id=${`edit-${id}`} class="json" rows="5" spellcheck="false" autocomplete="off" dir="ltr" aria-invalid=${fault ? "true" : "false"} aria-describedby=${`fault-${id}`}
      .value=${live(card.draft)} @input=${(/** @type {InputEvent} */ event) => card.set({ draft: /** @type {HTMLTextAreaElement} */ (event.target).value })}></textarea>
  </div>`;
}

/** @param {string} id @param {Card} card @param {Edited} edited */
function fieldList(id, card, edited) {
  const problems = "fault" in edited ? (edited.problems ?? []) : [];
  let count = 0;
  /** @type {Place} */
  const place = {
    card,
    problems: new Map(problems.map(({ path, message }) => [path, message])),
    next: () => `field-${id}-${count++}`,
  };
  const { fields, note } = card.form;
  return html`${fields.map((field) => fieldOf(field, place))}
    ${note ? html`<p class="hint">${note} The JSON has them.</p>` : nothing}`;
}

/** @param {FormField} field @param {Place} place @returns {unknown} */
function fieldOf(field, place) {
  if (field.type === "group" || field.type === "list") return setOf(field, place);
  const id = place.next();
  const { card, problems } = place;
  const { path, type, description } = field;
  const problem = problems.get(path);
  const value = Object.hasOwn(card.values, path) ? card.values[path] : (field.value ?? "");
  const isHidden = type !== "json" && reveal(String(value)).some(({ hidden }) => hidden);
  const told = [description && "about", isHidden && "spelled", problem && "wrong"];
  const control = controlOf(field, value, {
    id,
    described: told.flatMap((part) => (part ? [`${id}-${part}`] : [])).join(" "),
    isWrong: problem !== undefined,
    write: (given) => card.set({ values: { ...card.values, [path]: given } }),
  });
  return html`<div class="entry" data-path=${path}>
    ${type === "checkbox" ? html`<span class="tick">${control}${nameOf(field, id)}</span>` : html`${nameOf(field, id)}${control}`}
    ${description ? html`<small id=${`${id}-about`}>${description}</small>` : nothing}
    ${isHidden ? html`<small class="wrong" id=${`${id}-spelled`}>Holds what cannot be seen: <bdi>${revealed(String(value))}</bdi></small>` : nothing}
    ${problem ? html`<small class="wrong" id=${`${id}-wrong`}>${revealed(problem)}</small>` : nothing}
  </div>`;
}

/** @param {FormField} field @param {string} id */
function nameOf(field, id) {
  return html`<label for=${id}>${titleOf(field)}</label>`;
}

/** The key stands beside a title that says something else. @param {FormField} field */
function titleOf({ label, name, key, required }) {
  const letters = (/** @type {string} */ text) => text.toLowerCase().replace(/[\s_.-]/g, "");
  const isOther = typeof key === "string" && letters(label) !== letters(name);
  return html`<bdi>${label}</bdi>${isOther ? html` <code><bdi>${name}</bdi></code>` : nothing}${required ? nothing : html` <span>(optional)</span>`}`;
}

/**
 * @typedef {{ id: string, described: string, isWrong: boolean, write: (value: string | boolean) =>
 *   void }} Control
 */

/** @param {FormField} field @param {string | boolean} value @param {Control} control */
function controlOf({ type, options = [], required }, value, { id, described, isWrong, write }) {
  const about = described === "" ? nothing : described;
  const invalid = isWrong ? "true" : "false";
  const input = (/** @type {Event} */ event) =>
    write(/** @type {HTMLInputElement} */ (event.target).value);
  switch (type) {
    case "checkbox":
      return html`<input id=${id} type="checkbox" .checked=${live(value === true)} aria-describedby=${about} aria-invalid=${invalid} @change=${(/** @type {Event} */ event) => write(/** @type {HTMLInputElement} */ (event.target).checked)}>`;
    case "select":
      return html`<select id=${id} aria-describedby=${about} aria-invalid=${invalid} @change=${input}>
        ${required && value !== "" ? nothing : html`<option value="" .selected=${live(value === "")}>Not chosen</option>`}
        ${options.map(({ key, label }) => html`<option value=${key} .selected=${live(key === value)}>${label}</option>`)}
      </select>`;
    case "multiline":
    case "json":
      return html`<textarea id=${id} class=${type === "json" ? "code" : ""} rows="3" spellcheck=${type === "json" ? "false" : "true"} autocomplete="off" dir=${type === "json" ? "ltr" : "auto"} aria-describedby=${about} aria-invalid=${invalid} .value=${live(value)} @input=${input}></textarea>`;
    default:
      return html`<input id=${id} type=${type === "date" ? "date" : "text"} inputmode=${MODES[type] ?? nothing} placeholder=${EXAMPLES[type] ?? nothing} dir=${type === "text" ? "auto" : "ltr"} autocomplete="off" aria-describedby=${about} aria-invalid=${invalid} .value=${live(value)} @input=${input}>`;
  }
}

/** @param {FormField} field a group or a list @param {Place} place */
function setOf(field, place) {
  const id = place.next();
  const { path, type, description } = field;
  const problem = place.problems.get(path);
  const told = [description && "about", problem && "wrong"]
    .flatMap((part) => (part ? [`${id}-${part}`] : []))
    .join(" ");
  return html`<fieldset class="set" id=${id} data-path=${path} aria-describedby=${told === "" ? nothing : told}>
    <legend>${titleOf(field)}</legend>
    ${description ? html`<small id=${`${id}-about`}>${description}</small>` : nothing}
    ${type === "list" ? itemsOf(field, place) : field.fields?.map((inner) => fieldOf(inner, place))}
    ${problem ? html`<small class="wrong" id=${`${id}-wrong`}>${problem}</small>` : nothing}
  </fieldset>`;
}

/** @param {FormField} list @param {Place} place */
function itemsOf({ path, label, items = [] }, place) {
  const { card } = place;
  const change = (
    /** @type {Event} */ { currentTarget },
    /** @type {Card["form"]} */ form,
    /** @type {string} */ next,
  ) => {
    const set = /** @type {Element} */ (currentTarget).closest(".set");
    card.set({ form });
    requestAnimationFrame(() => focusIn(set, next));
  };
  return html`${repeat(
    items,
    (item) => item.path,
    (item) =>
      html`<div class="item">${fieldOf(item, place)}<button class="plain" aria-label=${`Remove ${item.label}`} @click=${(/** @type {Event} */ event) => change(event, removeItem(card.form, item.path), ":scope > .add")}>${icon("trash")}</button></div>`,
  )}
  <button class="add" @click=${(/** @type {Event} */ event) => change(event, addItem(card.form, path), ":scope > .item:last-of-type :is(input, select, textarea, button)")}>Add to <bdi>${label}</bdi></button>`;
}
