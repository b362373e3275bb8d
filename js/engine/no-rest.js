// SPDX-License-Identifier: MIT
// In place of js/engine/rest-bytes.js and log-bytes.js where the engine comes whole. Loaded through the package's imports "#rest" and "#log".
export default "";
