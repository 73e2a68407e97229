// Talking to the server: requests, and one websocket that comes back by itself when the line or the server was gone.

import { problemText, t } from "./words.js";

/**
 * The secret by which the server knows this browser. It is sent to this server only and is in no
 * address.
 */
export function token() {
  let secret = localStorage.getItem("mnkala.secret");
  if (!secret) {
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    secret = btoa(String.fromCharCode(...bytes))
      .replace(/\+/g, "-")
      .replace(/\//g, "_")
      .replace(/=+$/, "");
    localStorage.setItem("mnkala.secret", secret);
  }
  return secret;
}

export class ApiError extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Describe what went wrong in a sentence. @param {unknown} error */
export const told = (error) =>
  error instanceof ApiError && error.status === 0
    ? t("page.offline")
    : /** @type {Error} */ (error).message;

/** The status of a request that failed; undefined for any other error. @param {unknown} error */
export const statusOf = (error) => (error instanceof ApiError ? error.status : undefined);

/** @param {string} method @param {string} path @param {unknown} [body] */
async function request(method, path, body) {
  let answer;
  try {
    answer = await fetch(`api/v1/${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token()}`,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new ApiError(0, "offline");
  }
  if (answer.ok) return answer;
  let message = answer.statusText;
  try {
    message = problemText(await answer.json());
  } catch {
    /* not our JSON: the status text stands */
  }
  throw new ApiError(answer.status, message);
}

/** `file` is one that the server makes. */
export const api = /** @type {Api} */ ({
  get: async (/** @type {string} */ path) => (await request("GET", path)).json(),
  post: async (/** @type {string} */ path, body = {}) => (await request("POST", path, body)).json(),
  remove: async (/** @type {string} */ path) => void (await request("DELETE", path)),
  file: async (/** @type {string} */ path, /** @type {unknown} */ body) =>
    (await request(body === undefined ? "GET" : "POST", path, body)).blob(),
});

/** The live line to the server. `live.on(type, handler)` returns a function that ends it. */
class Live {
  constructor() {
    this.handlers = /** @type {Map<string, Set<(message: any) => unknown>>} */ (new Map());
    this.socket = /** @type {WebSocket | null} */ (null);
    this.wanted = /** @type {Map<string, SocketRequest>} */ (new Map()); // what to send again after a break: key -> message
    this.waiting = 250;
    this.numbers = 0;
    this.online = false;
  }

  /** @template {keyof LiveMessages} K @param {K} type @param {(message: LiveMessages[K]) => unknown} handler */
  on(type, handler) {
    const handlers = this.handlers.get(type) ?? new Set();
    this.handlers.set(type, handlers.add(handler));
    this.connect();
    return () => void handlers.delete(handler);
  }

  /** @template {keyof LiveMessages} K @param {K} type @param {LiveMessages[K]} message */
  emit(type, message) {
    for (const handler of [...(this.handlers.get(type) || [])]) handler(message);
  }

  connect() {
    if (this.socket) return;
    const address = new URL("api/v1/live", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.waiting = 250;
      this.online = true;
      socket.send(JSON.stringify({ type: "hello", token: token() }));
      for (const message of this.wanted.values()) socket.send(JSON.stringify(message));
      this.emit("online", { online: true });
    });
    socket.addEventListener("message", (event) => {
      const message = /** @type {SocketAnswer} */ (JSON.parse(event.data));
      this.emit(message.type, message);
    });
    socket.addEventListener("close", () => {
      if (this.socket !== socket) return;
      this.socket = null;
      if (this.online) this.emit("online", { online: false });
      this.online = false;
      setTimeout(() => this.connect(), this.waiting);
      this.waiting = Math.min(this.waiting * 2, 5000);
    });
  }

  /** @param {SocketRequest} message */
  send(message) {
    this.connect();
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /**
   * Send a message now, and again after every break of the connection, until `forget(key)`.
   * @param {string} key @param {SocketRequest} message
   */
  keep(key, message) {
    this.wanted.set(key, message);
    this.send(message);
  }

  /** @param {string} key @param {SocketRequest} [message] */
  forget(key, message) {
    this.wanted.delete(key);
    if (message) this.send(message);
  }

  /** A new number for an analysis or a review. */
  number() {
    this.numbers += 1;
    return this.numbers;
  }
}

export const live = new Live();

/**
 * Asks for something again and again: after `busy` milliseconds while it is `going`, otherwise
 * after `resting`. While nobody sees the page it asks only if `unseen`.
 */
export class Watched {
  /** @type {number} */ timer;

  /** @param {Context} context @param {number} busy @param {number} resting @param {() => boolean} [unseen] */
  constructor(context, busy, resting, unseen = () => false) {
    this.context = context;
    this.pause = () => (this.going ? busy : resting);
    this.unseen = unseen;
    this.going = false;
    this.closed = false;
  }

  /** @returns {Promise<void>} */
  async load() {}

  again() {
    if (this.closed) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      if (!document.hidden || this.unseen()) await this.load().catch(() => {}); // the line tells by itself when it is lost
      this.again();
    }, this.pause());
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
  }
}

/**
 * An object that this browser has kept under a name as JSON; nothing if there is none that can be read.
 * @param {string} name @param {Storage} [storage] @returns {any}
 */
export function keptJson(name, storage = localStorage) {
  try {
    return Object(JSON.parse(storage.getItem(name) ?? "null"));
  } catch {
    return {};
  }
}
