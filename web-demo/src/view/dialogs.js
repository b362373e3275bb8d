// SPDX-License-Identifier: MIT
// Opening and closing what lies above the page.

/** @returns {HTMLDialogElement} */
const settings = () => /** @type {HTMLDialogElement} */ (document.getElementById("settings"));

export function openSettings() {
  settings().showModal();
}

export function closeSettings() {
  settings().close();
}

/** Shows a dialog as soon as it stands in the page. @param {Element | undefined} element */
export function showNow(element) {
  const dialog = /** @type {HTMLDialogElement | undefined} */ (element);
  queueMicrotask(() => dialog?.isConnected && !dialog.open && dialog.showModal());
}
