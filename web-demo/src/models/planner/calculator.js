// SPDX-License-Identifier: MIT
// Knows: arithmetic: + - * / % ^, parentheses, square roots, numbers. Must not know: tools.

const TOKEN = /\s*(?:(\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)|(sqrt|pi)|([-+*/%^()]))/iy;
const LONGEST = 500;

/**
 * The value of an expression.
 * @param {string} expression
 * @returns {number}
 */
export function calculate(expression) {
  if (expression.length > LONGEST)
    throw new Error(`an expression has at most ${LONGEST} characters`);
  const reader = new Reader(tokens(expression));
  const value = sum(reader);
  if (!reader.isDone) throw new Error(`"${reader.next}" is not expected there`);
  if (!Number.isFinite(value)) throw new Error("the result is not a finite number");
  return Number(value.toPrecision(15));
}

/** @param {string} text @returns {string[]} */
function tokens(text) {
  const found = [];
  const trimmed = text.trim();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < trimmed.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(trimmed);
    if (!match) throw new Error(`"${trimmed.slice(at, at + 12)}" is not arithmetic`);
    found.push(match[0].trim().toLowerCase());
  }
  return found;
}

class Reader {
  /** @param {string[]} list */
  constructor(list) {
    this.list = list;
    this.at = 0;
  }

  get next() {
    return this.list[this.at];
  }

  get isDone() {
    return this.at === this.list.length;
  }

  /** @param {...string} wanted @returns {string | undefined} */
  take(...wanted) {
    return wanted.includes(this.next) ? this.list[this.at++] : undefined;
  }
}

/** @param {Reader} reader @returns {number} */
function sum(reader) {
  let value = product(reader);
  for (let sign; (sign = reader.take("+", "-")); ) {
    const right = product(reader);
    value = sign === "+" ? value + right : value - right;
  }
  return value;
}

/** @param {Reader} reader @returns {number} */
function product(reader) {
  let value = signed(reader);
  for (let sign; (sign = reader.take("*", "/", "%")); ) {
    const right = signed(reader);
    if (right === 0 && sign !== "*") throw new Error("division by zero");
    value = sign === "*" ? value * right : sign === "/" ? value / right : value % right;
  }
  return value;
}

/** @param {Reader} reader @returns {number} */
function signed(reader) {
  if (reader.take("-")) return -signed(reader);
  if (reader.take("+")) return signed(reader);
  const base = atom(reader);
  return reader.take("^") ? base ** signed(reader) : base;
}

/** @param {Reader} reader @returns {number} */
function atom(reader) {
  if (reader.isDone) throw new Error("the expression ends too early");
  if (reader.take("pi")) return Math.PI;
  if (reader.take("sqrt")) return Math.sqrt(atom(reader));
  if (reader.take("(")) {
    const value = sum(reader);
    if (!reader.take(")")) throw new Error("a closing parenthesis is missing");
    return value;
  }
  if (!/^[\d.]/.test(reader.next)) throw new Error(`"${reader.next}" is not expected there`);
  return Number(reader.list[reader.at++]);
}
