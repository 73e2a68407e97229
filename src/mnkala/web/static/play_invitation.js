// The invitation of a linked game: an address that works for the other person, as a link and as a QR code. Where nobody else can
// reach the server, it says so and how to change that.

import { api } from "./api.js";
import { h, replace } from "./dom.js";
import { copyButton, icon } from "./play_icons.js";
import { t } from "./words.js";

const page = () => location.href.split("#")[0];
/** @param {string} host */
const isLoopback = (host) => /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/.test(host);

export class Invitation {
  /** @type {string} */ state;
  /** @type {string | null} */ drawn;

  /** @param {Context} context */
  constructor(context) {
    this.context = context;
    this.element = h("div");
  }

  /** Draw it again if a seat was taken or the game has ended. @param {Game} game */
  show(game) {
    const state = `${game.open_seat}${game.over}`;
    if (state === this.state) return;
    this.state = state;
    const kept = `mnkala.invitation.${game.id}`;
    if (game.open_seat === null) sessionStorage.removeItem(kept);
    this.forget();
    replace(this.element);
    if (!game.linked || game.over) return;
    if (game.open_seat !== null) this.invite(game, sessionStorage.getItem(kept));
    else if (game.watchable) this.offerToWatch(game);
  }

  /** Where others find this page, the likeliest first, and what to type if nobody else can. */
  async bases() {
    const { addresses, command } = await api.get("addresses");
    const own = isLoopback(location.hostname) ? [] : [page()];
    return { bases: [...own, ...addresses.filter((address) => !own.includes(address))], command };
  }

  /** @param {Game} game */
  async offerToWatch(game) {
    const { bases } = await this.bases().catch(() => ({ bases: [] }));
    if (this.state === "nullfalse")
      replace(this.element, h("section.panel", this.watch(game, bases[0] || page())));
  }

  /** @param {Game} game @param {string | null} code */
  async invite(game, code) {
    const body = h("div.invitation-body");
    replace(
      this.element,
      h(
        "section.panel.invitation#invitation",
        { "aria-label": t("play.invitation") },
        h("p.waiting", t("play.waiting_for_other")),
        body,
      ),
    );
    if (!code) {
      replace(body, h("p.soft", t("play.invitation_gone")));
      return;
    }
    try {
      const { bases, command } = await this.bases();
      if (bases.length) this.offer(body, game, code, bases);
      else this.alone(body, game, code, command);
    } catch (error) {
      this.context.notify(error);
      this.offer(body, game, code, [page()]);
    }
  }

  /**
   * Only this computer reaches the server: say so, and what to type.
   * @param {HTMLElement} body @param {Game} game @param {string | null} code
   * @param {string} command
   */
  alone(body, game, code, command) {
    replace(
      body,
      h(
        "div.notice.only-here#only-here",
        { role: "status" },
        h("p", h("strong", t("others.only_here"))),
        h("p", t("others.open_to_network")),
        h("p.as-line", h("code#host-command", command), copyButton(command, t("play.copy"))),
      ),
      this.link("invitation", t("others.link_here"), `${page()}#/join/${game.id}/${code}`),
      h("p.help", t("play.invitation_about")),
      this.watch(game, page()),
    );
  }

  /**
   * The link by one of the addresses that others may reach, with its QR code.
   * @param {HTMLElement} body @param {Game} game @param {string | null} code
   * @param {string[]} bases
   */
  offer(body, game, code, bases) {
    const links = h("div.invitation-links");
    const picture = h("img.qr#qr", { width: "168", height: "168", alt: t("others.qr_about") });
    /** @param {string} base */
    const draw = async (base) => {
      const address = `${base}#/join/${game.id}/${code}`;
      replace(
        links,
        this.link("invitation", t("play.invitation_link"), address),
        h("p.help", t("play.invitation_about")),
        this.watch(game, base),
      );
      try {
        const drawn = URL.createObjectURL(await api.file("qr", { text: address }));
        this.forget();
        this.drawn = picture.src = drawn;
      } catch (error) {
        this.context.notify(error);
      }
    };
    const choice = h(
      "select#address",
      {
        onchange: () => {
          draw(choice.value);
        },
      },
      bases.map((base) => h("option", { value: base }, new URL(base).host)),
    );
    replace(
      body,
      h("div.invitation-code", picture, h("p.help", icon("phone"), t("others.qr_help"))),
      bases.length > 1
        ? h(
            "div.field",
            h("label", { for: "address" }, t("others.address")),
            choice,
            h("p.help", t("others.address_help")),
          )
        : null,
      links,
    );
    draw(bases[0]);
  }

  /** @param {Game} game @param {string} base */
  watch(game, base) {
    return game.watchable
      ? this.link("watch", t("play.watch_link"), `${base}#/game/${game.id}`)
      : null;
  }

  /** @param {string} id @param {string} label @param {string} value */
  link(id, label, value) {
    return h(
      "div.link",
      h("label", { for: `${id}-field` }, label),
      h(
        "div.copy",
        h("input", {
          id: `${id}-field`,
          readonly: "",
          value,
          onfocus: (event) => event.target.select(),
        }),
        copyButton(value, t("play.copy"), { id: `${id}-copy` }),
      ),
    );
  }

  forget() {
    if (this.drawn) URL.revokeObjectURL(this.drawn);
    this.drawn = null;
  }
}
