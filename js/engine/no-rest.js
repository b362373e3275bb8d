// SPDX-License-Identifier: MIT
// In place of js/engine/rest-bytes.js where the engine comes whole. Loaded through the package's import "#rest".
export default "";
