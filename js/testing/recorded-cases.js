// SPDX-License-Identifier: MIT
// Makes cases of recordings: a run's input, the answers to its questions, its result. Calls no
// model, tool or node.
import { checkArgument, isObject, isRecord } from "../base/check-arguments.js";
import { isAIMessage } from "../messages/index.js";
import { replay } from "../record/replay.js";
import { Transcript } from "./transcript.js";

/** @typedef {import("../record/viewer.js").Played} Played */
/** @typedef {import("../types/testing/evaluate.js").RecordedCase} RecordedCase */

const CALL = "casesFromRecordings(recordings)";

/**
 * Makes a case of each recording, or of a list: a run and those that answered its questions.
 * @param {Iterable<unknown>} recordings
 * @returns {RecordedCase[]}
 */
export function casesFromRecordings(recordings) {
  checkArgument(
    typeof recordings !== "string" && isObject(recordings) && Symbol.iterator in recordings,
    `${CALL}: recordings must be a list`,
  );
  return [...recordings].map((one, index) => {
    const runs = [one].flat().map((text) => replay(textIn(text)));
    return caseOf(runs, `recording ${index + 1}`);
  });
}

/** @param {unknown} recording @returns {string} */
function textIn(recording) {
  const text =
    isRecord(recording) && typeof recording.text === "function" ? recording.text() : recording;
  checkArgument(typeof text === "string", `${CALL}: a recording must be a text`);
  return text;
}

/** @param {Played[]} runs @param {string} name @returns {RecordedCase} */
function caseOf(runs, name) {
  const where = `${CALL}: ${name}`;
  checkArgument(runs.length > 0, `${where} is an empty list`);
  const [first] = runs;
  const last = /** @type {Played} */ (runs.at(-1));
  checkArgument(
    !first.continues && first.input !== undefined,
    `${where} does not begin a thread: put it in a list behind the run that it answers`,
  );
  checkArgument(
    last.status === "done" || last.status === "failed",
    `${where} is not finished: put the runs that answer it in a list with it`,
  );
  const answers = runs.slice(1).flatMap((run, index) => answersOf(run, runs[index], where));
  const transcript = new Transcript(first.input);
  for (const { messages } of runs) transcript.read(messages);
  return {
    name,
    input: first.input,
    ...(last.status === "done" ? { expected: last.output } : {}),
    ...(answers.length === 0 ? {} : { resume: answers }),
    trajectory: transcript.toolCalls.map(({ name, args }) => ({ name, args })),
    responses: /** @type {RecordedCase["responses"]} */ (transcript.originals.filter(isAIMessage)),
    recorded: /** @type {RecordedCase["recorded"]} */ (last),
  };
}

/**
 * Returns a run's answers in the order of the questions.
 * @param {Played} run
 * @param {Played} before the run that asked
 * @param {string} where
 * @returns {unknown[]}
 */
function answersOf({ resume }, { interrupts }, where) {
  checkArgument(
    resume !== undefined && interrupts.length > 0,
    `${where}: a run behind the first must answer the one before it`,
  );
  const byId = isRecord(resume) ? resume : {};
  const found = interrupts.flatMap(({ id }) =>
    id !== undefined && Object.hasOwn(byId, id) ? [byId[id]] : [],
  );
  return found.length > 0 ? found : [resume];
}
