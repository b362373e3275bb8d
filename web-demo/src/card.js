// SPDX-License-Identifier: MIT
// Knows: what a person is doing with one request for approval: since when it is seen, whether all of it was seen, what is
// being edited. Owns the delay before Approve works. Must not know: the page, threads.

export const ARM_MS = 700;

/** @typedef {"look" | "edit" | "reject"} Mode */

export class Card {
  /** @type {Mode} */
  mode = "look";
  draft = "";
  reason = "";
  /** Approve works: the card was in sight for a while. */
  isArmed = false;
  /** All of the arguments were in sight. */
  isRead = false;
  isSent = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer = undefined;
  #isGreeted = false;

  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    this.arm();
  }

  /** Approve waits (again), so that a click meant for something else does not approve. */
  arm() {
    clearTimeout(this.#timer);
    this.isArmed = false;
    this.#timer = setTimeout(() => {
      this.isArmed = true;
      this.changed();
    }, ARM_MS);
  }

  get canApprove() {
    return this.isArmed && this.isRead && !this.isSent;
  }

  /** @param {Element} box with the arguments */
  look(box) {
    if (this.isRead || box.scrollTop + box.clientHeight < box.scrollHeight - 4) return;
    this.isRead = true;
    this.changed();
  }

  /** @param {Partial<Pick<Card, "mode" | "draft" | "reason">>} change */
  set(change) {
    Object.assign(this, change);
    this.changed();
  }

  /** A new card draws attention once. @param {Element | undefined} heading */
  greet(heading) {
    if (!heading || this.#isGreeted) return;
    this.#isGreeted = true;
    requestAnimationFrame(() => /** @type {HTMLElement} */ (heading).focus({ preventScroll: true }));
  }

  close() {
    clearTimeout(this.#timer);
  }
}

/**
 * The edited arguments, or what is wrong with them by the tool's schema.
 * @param {string} text
 * @param {any} schema
 * @returns {{ args: any } | { fault: string }}
 */
export function readEdit(text, schema) {
  let args;
  try {
    args = JSON.parse(text);
  } catch (error) {
    return { fault: `This is not JSON: ${/** @type {Error} */ (error).message}` };
  }
  if (typeof args !== "object" || args === null || Array.isArray(args)) return { fault: "The arguments must be an object in braces { }" };
  const fault = findFault(args, schema ?? {});
  return fault ? { fault } : { args };
}

/** @param {any} args @param {any} schema */
function findFault(args, { properties = {}, required = [], additionalProperties }) {
  const missing = required.find((/** @type {string} */ name) => !Object.hasOwn(args, name));
  if (missing !== undefined) return `"${missing}" is missing`;
  for (const [name, value] of Object.entries(args)) {
    const rule = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (rule === undefined && additionalProperties === false) return `"${name}" is not an argument of this tool`;
    const fault = rule && faultOf(value, rule);
    if (fault) return `"${name}" ${fault}`;
  }
  return undefined;
}

/** @param {any} value @param {any} rule */
function faultOf(value, { type, minimum, maximum, minLength, maxLength }) {
  if (type === "integer" && !Number.isInteger(value)) return "must be a whole number";
  if (type === "number" && typeof value !== "number") return "must be a number";
  if (type === "string" && typeof value !== "string") return "must be a text in quotes";
  if (type === "boolean" && typeof value !== "boolean") return "must be true or false";
  if (value < minimum) return `must be ${minimum} or more`;
  if (value > maximum) return `must be ${maximum} or less`;
  if (value?.length < minLength) return minLength === 1 ? "must not be empty" : `must have ${minLength} characters or more`;
  if (value?.length > maxLength) return `must have ${maxLength} characters or fewer`;
  return undefined;
}
