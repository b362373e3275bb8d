// SPDX-License-Identifier: MIT
// The public names of rare-errors.js, as names of this module: see events/index.js.
import * as errors from "./rare-errors.js";

export const { GraphDrained, NodeTimeoutError, isGraphDrained, isNodeTimeoutError } = errors;
