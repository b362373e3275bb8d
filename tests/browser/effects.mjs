// SPDX-License-Identifier: MIT
// Counts what the demo's samples do outside of the browser: a server of the test's own, which nodes
// and tools tell each time that they act. Must not know what a test expects.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";

/** Where a sample acts: the text before which it tells. */
const ACTS = {
  research: {
    before: "return { found: [",
    signature: ["async ({ question, source }) =>", "async ({ question, source }, config) =>"],
    name: '"source " + source',
  },
  orders: {
    before: "await wait(900);",
    signature: ["{ item, quantity }) =>", "{ item, quantity }, config) =>"],
    name: '"order"',
  },
};

export class Effects {
  /** How often something was done, by thread and name. @type {Map<string, number>} */
  #counts = new Map();
  /** What waits before it is done. */
  #held = "";
  #released = Promise.resolve();
  release = () => {};

  static async open() {
    const effects = new Effects();
    effects.http = createServer(async (request, response) => {
      let told = "";
      for await (const part of request) told += part;
      if (told.endsWith(` ${effects.#held}`)) await effects.#released;
      // Who was ended meanwhile has not done it.
      if (response.destroyed) return;
      effects.#counts.set(told, (effects.#counts.get(told) ?? 0) + 1);
      response.end();
    });
    await new Promise((resolve) => effects.http.listen(0, "127.0.0.1", resolve));
    return effects;
  }

  /** @param {string} thread @param {string} name @returns {number} */
  count(thread, name) {
    return this.#counts.get(`${thread} ${name}`) ?? 0;
  }

  /** Makes what has this name wait for `release`. @param {string} name */
  hold(name) {
    this.#held = name;
    this.#released = new Promise((resolve) => {
      this.release = () => {
        this.#held = "";
        resolve();
      };
    });
  }

  /** Lets the samples of a built demo tell what they do. @param {string} folder */
  async hearFrom(folder) {
    const url = `http://127.0.0.1:${this.http.address().port}/`;
    for (const [sample, { before, signature, name }] of Object.entries(ACTS)) {
      const file = join(folder, "samples", `${sample}.js`);
      const text = await readFile(file, "utf8");
      const body = `config.configurable.thread_id + " " + ${name}`;
      // What is told has been told when the sample goes on.
      const tells = `await fetch("${url}", { method: "POST", mode: "no-cors", body: ${body} });`;
      assert.ok(text.includes(before) && text.includes(signature[0]), sample);
      await writeFile(file, text.replace(...signature).replace(before, `${tells} ${before}`));
    }
  }

  close() {
    this.http.closeAllConnections();
    this.http.close();
  }
}
