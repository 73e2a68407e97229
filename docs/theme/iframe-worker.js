// Search when the site is read from the disk: browsers start no worker from a file, so the theme's search runs in a hidden frame instead.
// The theme would otherwise fetch a stand-in for `Worker` from the network.
if (location.protocol === "file:") {
  window.Worker = class {
    onmessage = null;
    #frame = document.createElement("iframe");
    #inside;

    constructor(address) {
      this.#inside = new Promise((ready) => {
        this.#frame.hidden = true;
        this.#frame.addEventListener("load", () => {
          const inside = this.#frame.contentWindow;
          inside.postMessage = (data) => setTimeout(() => this.onmessage?.(new MessageEvent("message", { data: structuredClone(data) })));
          const script = inside.document.createElement("script");
          script.addEventListener("load", () => ready(inside));
          script.src = new URL(address, location.href);
          inside.document.body.append(script);
        }, { once: true });
        document.body.append(this.#frame);
      });
    }

    async postMessage(data) {
      const copy = structuredClone(data);  // as a worker gets one
      (await this.#inside).onmessage(new MessageEvent("message", { data: copy }));
    }

    terminate() {
      this.#frame.remove();
    }
  };
}
