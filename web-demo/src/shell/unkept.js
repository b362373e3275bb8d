// SPDX-License-Identifier: MIT
// Says so where the browser gives the page no storage: threads end with the tab, and leaving it
// asks once there is one.

/** @param {import("../worker/engine.js").Engine} engine */
export function warnUnkept(engine) {
  const look = async () => {
    if (engine.state !== "ready") return;
    engine.removeEventListener("state", look);
    if (engine.isKept) return;
    document.getElementById("main")?.before(noticeView());
    await engine.ask("thread changes", 0);
    addEventListener("beforeunload", (event) => event.preventDefault());
  };
  engine.addEventListener("state", look);
  look();
}

function noticeView() {
  const notice = document.createElement("p");
  notice.className = "unkept";
  notice.role = "alert";
  const link = Object.assign(document.createElement("a"), { href: "#/recordings" });
  link.textContent = "Save them as a file";
  const title = document.createElement("b");
  title.textContent = "Nothing is stored.";
  notice.append(
    title,
    " This browser gives the page no storage, so threads end with this tab. ",
    link,
    " before you leave.",
  );
  return notice;
}
