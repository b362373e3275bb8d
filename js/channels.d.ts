// SPDX-License-Identifier: MIT
// The public names of `weftgraph/channels`.
export { AnyValue, BaseChannel, BinaryOperatorAggregate, EphemeralValue, LastValue, Topic, UntrackedValueChannel } from "./graph/state.js";
