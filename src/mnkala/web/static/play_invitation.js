// The invitation of a linked game: an address that works for the other person, as a link and as a QR code. And who can reach the page at all:
// this computer alone, or the home network, to which a button opens it.

import { api } from "./api.js";
import { h, redraw, replace } from "./dom.js";
import { copyButton, icon } from "./play_icons.js";
import { t } from "./words.js";

const page = () => location.href.split("#")[0];
/** @param {string} host */
const isLoopback = (host) => /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/.test(host);

/** A QR code, and a function that shows another address in it. */
function qrCode() {
  let drawn = "";
  const picture = h("img.qr#qr", { width: "168", height: "168", alt: t("others.qr_about") });
  const forget = () => URL.revokeObjectURL(drawn);
  /** @param {string} address */
  const show = async (address) => {
    const file = URL.createObjectURL(await api.file("qr", { text: address }));
    forget();
    drawn = picture.src = file;
  };
  return { picture, show, forget };
}

/** The addresses by which others find this page, of which one is chosen. @param {string[]} bases @param {(base: string) => unknown} choose */
function addressField(bases, choose) {
  const choice = h(
    "select#address",
    { onchange: (event) => choose(event.target.value) },
    bases.map((base) => h("option", { value: base }, new URL(base).host)),
  );
  return bases.length > 1
    ? h(
        "div.field",
        h("label", { for: "address" }, t("others.address")),
        choice,
        h("p.help", t("others.address_help")),
      )
    : null;
}

/**
 * Who can reach this page, with the button that opens it to the home network or closes it again. `bare` shows no address,
 * where an invitation has its own; `onChange` is called after the button.
 */
export class NetworkPanel {
  /** @param {Context} context @param {{ bare?: boolean, onChange?: () => unknown }} [options] */
  constructor(context, { bare = false, onChange = () => {} } = {}) {
    this.context = context;
    this.bare = bare;
    this.onChange = onChange;
    this.element = h("div.network#network", { role: "group", "aria-label": t("others.network") });
    this.draw();
  }

  async draw() {
    const found = await api.get("addresses").catch(() => null);
    if (found) redraw(this.element, () => replace(this.element, this.content(found)));
  }

  /** @param {Addresses} found @returns {Child[]} */
  content({ addresses, loopback, opened, can_open: can, command }) {
    if (loopback) {
      return [
        h("p", h("strong", t("others.only_here"))),
        can ? h("p.help", t("others.open_about")) : h("p.help", t("others.open_to_network")),
        can
          ? h("button#open-network", { onclick: () => this.set(true) }, t("others.open"))
          : h("p.as-line", h("code#host-command", command), copyButton(command, t("play.copy"))),
      ];
    }
    const close =
      opened && can
        ? h("button#close-network", { onclick: () => this.set(false) }, t("others.close"))
        : null;
    const says = h("p#network-open", t(opened ? "others.opened" : "page.link_network"));
    if (this.bare || !addresses.length) return [says, close];
    const { picture, show } = qrCode();
    const link = h("code#page-address");
    /** @param {string} base */
    const choose = (base) => {
      link.textContent = base;
      show(base).catch(this.context.notify);
    };
    choose(addresses[0]);
    return [
      says,
      h("div.invitation-code", picture, h("p.help", icon("phone"), t("others.page_qr"), link)),
      addressField(addresses, choose),
      close,
    ];
  }

  /** @param {boolean} open */
  async set(open) {
    try {
      await api.post("network", { open });
      Object.assign(this.context.catalogue, await api.get("catalogue"));
    } catch (error) {
      this.context.notify(error);
    }
    await this.draw();
    this.onChange();
  }
}

export class Invitation {
  /** @type {string} */ state;
  /** @type {ReturnType<typeof qrCode>} */ qr;

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

  /** Where others find this page, the likeliest first. */
  async bases() {
    const { addresses } = await api.get("addresses");
    const own = isLoopback(location.hostname) ? [] : [page()];
    return { bases: [...own, ...addresses.filter((address) => !own.includes(address))] };
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
    const { bases } = await this.bases().catch((error) => {
      this.context.notify(error);
      return { bases: [page()] };
    });
    const network = new NetworkPanel(this.context, {
      bare: true,
      onChange: () => this.invite(game, code),
    });
    replace(
      body,
      bases.length ? null : network.element,
      ...this.offer(game, code, bases),
      bases.length ? network.element : null,
    );
  }

  /**
   * The link by one of the addresses that others may reach, with its QR code; for this computer alone without one.
   * @param {Game} game @param {string} code @param {string[]} bases
   */
  offer(game, code, bases) {
    const links = h("div.invitation-links");
    this.qr = qrCode();
    /** @param {string} base */
    const draw = (base) => {
      const address = `${base}#/join/${game.id}/${code}`;
      const label = t(bases.length ? "play.invitation_link" : "others.link_here");
      replace(
        links,
        this.link("invitation", label, address),
        h("p.help", t("play.invitation_about")),
        this.watch(game, base),
      );
      if (bases.length) this.qr.show(address).catch(this.context.notify);
    };
    draw(bases[0] ?? page());
    if (!bases.length) return [links];
    return [
      h("div.invitation-code", this.qr.picture, h("p.help", icon("phone"), t("others.qr_help"))),
      addressField(bases, draw),
      links,
    ];
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
    this.qr?.forget();
  }
}
