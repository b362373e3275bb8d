// SPDX-License-Identifier: MIT
// Says so where the browser gives the page no storage: threads end with the tab, and leaving it
// asks once there is one. Says so, too, where the storage is emptied while the page is open.

/** @param {import("../worker/engine.js").Engine} engine */
export function warnUnkept(engine) {
  const look = async () => {
    if (engine.state !== "ready") return;
    engine.removeEventListener("state", look);
    if (engine.isKept) return;
    show(
      "Nothing is stored.",
      " This browser gives the page no storage, so threads end with this tab. ",
      link("Save them as a file"),
      " before you leave.",
    );
    await engine.ask("thread changes", 0);
    addEventListener("beforeunload", (event) => event.preventDefault());
  };
  engine.addEventListener("state", look);
  look();
}

/** @param {import("../worker/engine.js").Engine} engine */
export function warnEmptied(engine) {
  const look = () => {
    if (!engine.isEmptied) return;
    engine.removeEventListener("state", look);
    const again = document.createElement("button");
    again.type = "button";
    again.textContent = "Go on with new threads";
    again.addEventListener("click", () => location.reload());
    show(
      "This site's storage was emptied.",
      " The threads that were kept in this browser are gone, and nothing more is stored: its site " +
        "data were deleted, here or in another tab. What this tab still shows can be copied, ",
      link("its recordings saved"),
      ". ",
      again,
    );
  };
  engine.addEventListener("state", look);
}

/** @param {string} title @param {...(string | Node)} words */
function show(title, ...words) {
  const notice = document.createElement("p");
  notice.className = "unkept";
  notice.role = "alert";
  const bold = document.createElement("b");
  bold.textContent = title;
  notice.append(bold, ...words);
  document.getElementById("main")?.before(notice);
}

/** @param {string} words */
const link = (words) =>
  Object.assign(document.createElement("a"), { href: "#/recordings", textContent: words });
