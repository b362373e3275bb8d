// SPDX-License-Identifier: MIT
// Exports the public names of `weftgraph/testing`.
export { TestClock, testIds } from "./testing/clock.js";
export { casesOf } from "./testing/cases.js";
export { casesFromRecordings } from "./testing/recorded-cases.js";
export { EvalError } from "./testing/eval-error.js";
export { evaluate } from "./testing/evaluate.js";
export { evalTests } from "./testing/eval-tests.js";
export { exact, matches, schema } from "./testing/scorers.js";
export { judge } from "./testing/judge.js";
export { trajectory } from "./testing/trajectory.js";
