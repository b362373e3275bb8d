// SPDX-License-Identifier: MIT
// Asks a person for a file and reads it.
import { html } from "lit-html";
import { RecordingError } from "./recording-file.js";

/**
 * A button that asks for a file.
 * @param {string} words
 * @param {string} act
 * @param {(file: File) => void} take
 */
export function fileButton(words, act, take) {
  const ask = () => {
    const input = document.createElement("input");
    input.type = "file";
    input.addEventListener("change", () => {
      const file = input.files?.[0];
      if (file !== undefined) take(file);
    });
    input.click();
  };
  return html`<button data-do=${act} @click=${ask}>${words}</button>`;
}

/**
 * Reads a file that is not too long, which is known before it is read.
 * @param {File} file
 * @param {number} most bytes
 * @returns {Promise<Uint8Array>}
 * @throws RecordingError
 */
export async function bytesOf(file, most) {
  if (file.size > most)
    throw new RecordingError(
      `This file has ${file.size.toLocaleString("en")} bytes; ${most.toLocaleString("en")} are read at most.`,
    );
  return new Uint8Array(await file.arrayBuffer());
}
