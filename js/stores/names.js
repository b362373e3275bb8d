// SPDX-License-Identifier: MIT
// The public names of base-store.js, as names of this module: see events/index.js.
import * as stores from "./base-store.js";

export const { AsyncBatchedStore, BaseStore, InvalidNamespaceError } = stores;
