// SPDX-License-Identifier: MIT
/** The channel in which a thread says of which version its state is; no state shows it. */
export const STATE_VERSION = "__state_version";
