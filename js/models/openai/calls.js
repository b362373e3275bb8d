// SPDX-License-Identifier: MIT
// Finds the call that a piece of an answer continues: services number and name their calls in many
// ways, and some give several the same number or id. Does not depend on answers.

/**
 * A call as the service names it. `isEmpty`: it began with no arguments, which more may follow;
 * `at`, `depth`, `isText`: how far its arguments were followed.
 * @typedef {{ id: string | undefined, index: number | undefined, isEmpty: boolean, hasExtras:
 *   boolean, at: number, depth: number, isText: boolean }} Known
 * @typedef {{ id: string | undefined, index: number | undefined, name: string | undefined, args:
 *   string }} Piece
 */

/**
 * Returns the place of the call that a piece continues; -1 if it begins one.
 * @param {readonly Known[]} calls
 * @param {readonly { name: string, args: string }[]} said what is known of their content
 * @param {Piece} piece
 */
export function placeOf(calls, said, piece) {
  const { id, name, args } = piece;
  const place = candidate(calls, piece);
  if (place < 0) return -1;
  const call = calls[place];
  const { name: knownName, args: knownArgs } = said[place];
  const isRenamed = id !== undefined && call.id !== undefined && id !== call.id;
  if (isRenamed && name !== undefined && name !== knownName) return -1;
  // Whole calls under one number or id; a call that repeats its id or name is not yet complete.
  if (!isRenamed && (name === undefined || args === "")) return place;
  const isSame = id !== undefined && id === call.id && name === knownName;
  if (isSame && (call.isEmpty || args === knownArgs)) return place;
  const isWhole = call.isEmpty && knownArgs === "";
  return isWhole || isComplete(call, knownArgs) ? -1 : place;
}

// By id, if it is known; by index; a piece with neither continues the last call unless it names a
// function.
/** @param {readonly Known[]} calls @param {Piece} piece */
function candidate(calls, { id, index, name }) {
  const isAt = (/** @type {Known} */ call) => index === undefined || call.index === index;
  if (id !== undefined) {
    const known = calls.findLastIndex((call) => call.id === id && isAt(call));
    if (known >= 0 || index === undefined) return known;
  }
  if (index !== undefined) return calls.findLastIndex(isAt);
  return name === undefined ? calls.length - 1 : -1;
}

/**
 * Are the arguments so far a whole object? Looks at each character once.
 * @param {Known} call @param {string} args
 */
function isComplete(call, args) {
  for (; call.at < args.length; call.at++) {
    const letter = args[call.at];
    if (call.isText && letter === "\\") call.at++;
    else if (letter === '"') call.isText = !call.isText;
    else if (!call.isText && letter === "{") call.depth++;
    else if (!call.isText && letter === "}") call.depth--;
  }
  return args !== "" && call.depth <= 0 && !call.isText;
}
