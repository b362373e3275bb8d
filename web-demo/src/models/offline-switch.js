// SPDX-License-Identifier: MIT
// Owns whether a person has switched this tab offline, and tells the page's guard and the engine's
// worker, each new one before it is told which model it asks. It outlives a reload, in this tab.
import { guardNetwork, setOffline } from "./offline.js";

const PLACE = "weft-studio-offline";

/** An event "change" tells that it is switched. */
export class OfflineSwitch extends EventTarget {
  isOn = false;
  /** @type {import("../worker/engine.js").Engine | undefined} */
  #engine;

  constructor() {
    super();
    try {
      this.isOn = sessionStorage.getItem(PLACE) === "on";
    } catch {
      // A browser may refuse storage: then it holds until the page is loaded again.
    }
    guardNetwork();
    setOffline(this.isOn);
  }

  /** @param {import("../worker/engine.js").Engine} engine */
  connect(engine) {
    this.#engine = engine;
    engine.addEventListener("state", () => engine.state === "starting" && this.#tell());
    this.#tell();
  }

  /** @param {boolean} isOn */
  turn(isOn) {
    this.isOn = isOn;
    setOffline(isOn);
    this.#tell();
    try {
      if (isOn) sessionStorage.setItem(PLACE, "on");
      else sessionStorage.removeItem(PLACE);
    } catch {
      // As above.
    }
    this.dispatchEvent(new Event("change"));
  }

  #tell() {
    this.#engine?.ask("offline", this.isOn).catch(() => {
      // The engine went: the next one is told when it starts.
    });
  }
}
