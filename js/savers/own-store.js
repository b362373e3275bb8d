// SPDX-License-Identifier: MIT
// What a store of a user's own is made with: the saver over it, the checks that all stores share,
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
