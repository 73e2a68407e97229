// Search when the site is read from the disk: browsers start no worker from a file, so the theme's search runs in a hidden frame instead.
// The theme asks for `Worker`, and its worker for `parent.IFrameWorker`; its own stand-in would be fetched from the network.
if (location.protocol === "file:") {
  window.Worker = window.IFrameWorker = class extends EventTarget {
    #inside = new Promise((ready) => {
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.addEventListener("load", () => ready(frame.contentWindow), { once: true });
      document.body.append(frame);
    });

    constructor(address) {
      super();
      this.#inside = this.#inside.then((inside) => new Promise((ready) => {
        inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
        const script = inside.document.createElement("script");
        script.addEventListener("load", () => ready(inside));
        script.src = address;
        inside.document.body.append(script);
      }));
    }

    postMessage(data) {
      this.#inside.then((inside) => inside.dispatchEvent(new inside.MessageEvent("message", { data })));
    }
  };
}
