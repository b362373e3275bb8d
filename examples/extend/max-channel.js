// SPDX-License-Identifier: MIT
// A channel kind of one's own: it keeps the greatest number that was written to it.
import { BaseChannel } from "weftgraph/channels";
import { EmptyChannelError, InvalidUpdateError } from "weftgraph";

export class Max extends BaseChannel {
  lc_graph_name = "Max";

  /** A channel that holds what `checkpoint` returned. @param {number | undefined} saved */
  fromCheckpoint(saved) {
    const made = new Max();
    made.value = saved;
    return made;
  }

  /**
   * This step's writes; none: a step has passed. Answers whether the value has changed.
   * @param {number[]} values
   */
  update(values) {
    if (values.some((value) => typeof value !== "number"))
      throw new InvalidUpdateError("Max takes numbers");
    const most = Math.max(this.value ?? -Infinity, ...values);
    if (most === -Infinity || most === this.value) return false;
    this.value = most;
    return true;
  }

  get() {
    if (this.value === undefined) throw new EmptyChannelError();
    return this.value;
  }

  checkpoint() {
    return this.value;
  }
}
