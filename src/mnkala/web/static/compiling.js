// The quiet sign that engines are being compiled in the background, once after an installation; and what somebody waits for.

import { live } from "./api.js";
import { part } from "./dom.js";
import { t } from "./words.js";

export function listenToTheCompiler() {
  const sign = part(document, "#compiling");
  live.on("compiling", ({ busy, waiting, compiling, done, total, seconds }) => {
    sign.hidden = !busy;
    sign.classList.toggle("awaited", waiting);
    sign.setAttribute("aria-live", waiting ? "polite" : "off"); // those who hear the page are told only of what they wait for
    const left = seconds < 90 ? t("page.seconds", { n: Math.max(1, Math.round(seconds)) }) : t("page.minutes", { n: Math.round(seconds / 60) });
    sign.textContent = waiting ? t("page.compiling_awaited", { what: compiling, left }) : t("page.compiling", { done, total, left });
  });
}
