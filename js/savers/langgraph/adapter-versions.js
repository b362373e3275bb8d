// SPDX-License-Identifier: MIT
// Maps the versions of a saver with its own numbering (strings, fractions) to the engine's
// integers; both rise together. Owns the table; integers that the saver uses too need no entry.
import { compareChannelVersions } from "../core/versions.js";

/** @typedef {number | string} Version */

export class Versions {
  /** Saver's versions by the engine's. @type {Map<number, Version>} */
  #theirs = new Map();
  /** @type {Map<Version, number>} */
  #ours = new Map();
  /** Newest known version. */
  #top = 0;

  /** @param {{ getNextVersion?: (current: unknown) => Version, getTuple?: unknown }} saver */
  constructor(saver) {
    this.saver = saver;
  }

  /**
   * Adds all versions of a checkpoint.
   * @param {Version[]} versions
   */
  learn(versions) {
    const isPlain = versions.every(
      (version) => Number.isSafeInteger(version) && /** @type {number} */ (version) >= 0,
    );
    if (isPlain && this.#ours.size === 0) {
      for (const version of versions)
        this.#top = Math.max(this.#top, /** @type {number} */ (version));
      return;
    }
    const all = [...new Set(versions)].sort(compareChannelVersions);
    all.forEach((version, index) => this.#row(index + 1, version));
    this.#top = all.length;
  }

  /** @param {number} own @param {Version} version */
  #row(own, version) {
    this.#theirs.set(own, version);
    this.#ours.set(version, own);
  }

  /** @param {Version} version */
  own(version) {
    return this.#ours.get(version) ?? Number(version);
  }

  /**
   * Returns the saver's version for one of the engine's; gets new ones from the saver.
   * @param {number} own
   */
  #their(own) {
    while (this.#top < own) {
      const current = this.#top === 0 ? undefined : (this.#theirs.get(this.#top) ?? this.#top);
      const next = this.saver.getNextVersion?.(current) ?? this.#top + 1;
      if (next !== ++this.#top) this.#row(this.#top, next);
    }
    return this.#theirs.get(own) ?? own;
  }

  /** @param {Record<string, number>} versions @returns {Record<string, Version>} */
  tell(versions) {
    return Object.fromEntries(
      Object.entries(versions).map(([name, own]) => [name, this.#their(own)]),
    );
  }
}
