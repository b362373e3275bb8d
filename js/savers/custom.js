// SPDX-License-Identifier: MIT
// What a store of a user's own is made with: the saver over it, the checks that all stores share,
// their errors.
export { WeftSaver } from "./base.js";
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
} from "../log/store-port.js";
export { checkFold, checkList, checkPartition } from "./core/port-checks.js";
