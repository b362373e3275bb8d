// SPDX-License-Identifier: MIT
// Makes and opens seals with Web Crypto. Owns the keys. Does not depend on stores.
import { concat } from "../../log/concat.js";
import {
  ENCRYPTED,
  FORM,
  HEADS,
  LABEL,
  LINK,
  LINK_BYTES,
  MARK,
  NONCES,
  NONCE_BYTES,
  PREVIOUS,
  SIGNED,
  checkKey,
  framed,
  kindOf,
  oldContext,
  unsealedOf,
  wrong,
} from "./format.js";

/** @typedef {import("../../log/log-store.js").LogCommit} LogCommit */
/** @typedef {import("./sealed.js").SealOptions} SealOptions */
/** @typedef {import("./format.js").Part} Part */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Sealer {
  #options;
  /** @type {Map<string, CryptoKey>} */
  #keys;
  /** Name of the key that seals. @type {string} */
  current;
  /** The domain and the partitions of the storage, which every seal covers. */
  #domain;

  /** @param {SealOptions} options @param {string[]} partitions of the storage */
  constructor(options, partitions) {
    const { key, keys, current, domain = "" } = options;
    this.#options = options;
    this.#keys = new Map(Object.entries(keys ?? (key === undefined ? {} : { "": key })));
    this.current = current ?? (key === undefined ? ([...this.#keys.keys()].at(-1) ?? "") : "");
    this.#domain = [domain, ...partitions];
    if (typeof domain !== "string")
      throw wrong("`domain` is a text that names what is sealed with this key here");
    if (!this.#keys.has(this.current))
      throw wrong("a seal needs `key`, or `keys` by name with the `current` one among them");
    for (const [name, one] of this.#keys) {
      if (encoder.encode(name).length > 0xffff)
        throw wrong("a key's name has at most 65,535 bytes");
      checkKey(one, name === this.current);
    }
  }

  /**
   * Seals a commit.
   * @param {string} threadId
   * @param {LogCommit & { previous: Uint8Array, link: Uint8Array }} place
   * @param {Uint8Array} bytes
   */
  async seal(threadId, { firstSeq, seq, crc, previous, link }, bytes) {
    const key = /** @type {CryptoKey} */ (this.#keys.get(this.current));
    const kind = kindOf(key);
    const name = encoder.encode(this.current);
    const head = new Uint8Array(HEADS[FORM]);
    const view = new DataView(head.buffer);
    head.set([...MARK, FORM, kind]);
    view.setUint16(6, name.length, true);
    view.setUint32(8, bytes.length + (kind === ENCRYPTED ? 16 : 0), true);
    view.setFloat64(12, firstSeq, true);
    view.setFloat64(20, seq, true);
    view.setUint32(28, crc, true);
    head.set(previous, PREVIOUS);
    head.set(link, LINK);
    crypto.getRandomValues(head.subarray(NONCES[FORM]));
    const context = this.#context(threadId, head, name);
    if (kind === SIGNED)
      return concat([
        head,
        name,
        bytes,
        new Uint8Array(await crypto.subtle.sign("HMAC", key, concat([context, bytes]))),
      ]);
    const body = await crypto.subtle.encrypt(
      { name: "AES-GCM", iv: head.slice(NONCES[FORM]), additionalData: context },
      key,
      bytes.slice(),
    );
    return concat([head, name, new Uint8Array(body)]);
  }

  /**
   * Returns the bytes that a seal covers beside the body; the head contains the body's length.
   * @param {string} threadId
   * @param {Uint8Array} head
   * @param {Uint8Array} name
   */
  #context(threadId, head, name) {
    return framed([LABEL, ...this.#domain, threadId, head, name]);
  }

  /**
   * Opens a part.
   * @param {string} threadId
   * @param {Part} part
   * @returns {Promise<any>} Opened; a text that explains the refusal; or the part itself when it is
   *   unreadable
   */
  async open(threadId, part) {
    const { sealed, bytes } = part;
    const { mandatory = true, acceptOldSeals = false } = this.#options;
    if (bytes !== undefined) return mandatory ? "has no seal" : unsealedOf(bytes);
    if (sealed === undefined) return part;
    const [form, kind] = [sealed[4], sealed[5]];
    if (form < FORM && !acceptOldSeals)
      return "has a seal of format 1, which can be moved to another thread: `acceptOldSeals: true` of sealSaver reads it, resealThreads moves threads to format 2";
    const view = new DataView(sealed.buffer, sealed.byteOffset, HEADS[form]);
    const head = sealed.subarray(0, HEADS[form]);
    const start = HEADS[form] + view.getUint16(6, true);
    const end = start + view.getUint32(8, true);
    const name = sealed.subarray(HEADS[form], start);
    const keyName = decoder.decode(name);
    const key = this.#keys.get(keyName);
    if (key === undefined || kindOf(key) !== kind)
      return `has a seal of a key ${JSON.stringify(keyName)} that is not there`;
    const context =
      form < FORM ? oldContext(threadId, head, name) : this.#context(threadId, head, name);
    const body = sealed.slice(start, end);
    const plain = await this.#verify(
      key,
      kind,
      context,
      body,
      sealed.slice(end),
      head.slice(NONCES[form], NONCES[form] + NONCE_BYTES),
    );
    if (plain === undefined) return "has a broken seal, or one of another thread, domain or key";
    return {
      form,
      firstSeq: view.getFloat64(12, true),
      seq: view.getFloat64(20, true),
      crc: view.getUint32(28, true),
      previous: form < FORM ? undefined : head.slice(PREVIOUS, LINK),
      // In form 1 the link is the end of the MAC or ciphertext.
      link:
        form < FORM
          ? sealed.slice(sealed.length - LINK_BYTES)
          : head.slice(LINK, LINK + LINK_BYTES),
      key: keyName,
      bytes: plain,
    };
  }

  /**
   * @param {CryptoKey} key
   * @param {number} kind
   * @param {Uint8Array} context
   * @param {Uint8Array} body
   * @param {Uint8Array} mac
   * @param {Uint8Array} nonce
   * @returns {Promise<Uint8Array | undefined>}
   */
  async #verify(key, kind, context, body, mac, nonce) {
    if (kind === SIGNED)
      return (await crypto.subtle.verify(
        "HMAC",
        key,
        /** @type {BufferSource} */ (mac),
        concat([context, body]),
      ))
        ? body
        : undefined;
    const algorithm = /** @type {AesGcmParams} */ ({
      name: "AES-GCM",
      iv: nonce,
      additionalData: context,
    });
    return crypto.subtle.decrypt(algorithm, key, /** @type {BufferSource} */ (body)).then(
      (plain) => new Uint8Array(plain),
      () => undefined,
    );
  }
}
