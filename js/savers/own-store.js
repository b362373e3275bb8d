// SPDX-License-Identifier: MIT
// Exports what user-written stores need: the saver over a store, the checks that all stores share,
// their errors.
export { WeftSaver } from "./weft-saver.js";
export {
  checkAppend,
  checkFrom,
  checkHead,
  checkThreadId,
  fenced,
  findRange,
  markUnknown,
  sameHead,
  storeFailed,
} from "../log/log-store.js";
export { checkFold, checkList, checkPartition } from "./core/saver-arguments.js";
