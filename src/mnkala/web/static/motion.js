// Movement on the boards, and the quiet sounds of what lands: how fast, and whether at all. Both are kept in this browser.

const SOUND = "mnkala.sound";
const SLOWNESS = /** @type {Record<string, number>} */ ({ slow: 2, fast: 0.4 });
const PITCH = { disc: 150, seed: 420, won: 520 }; // hertz
const LOUDNESS = 0.08;

export function motionOff() {
  return (
    document.documentElement.dataset.motion === "off" ||
    matchMedia("(prefers-reduced-motion: reduce)").matches
  );
}

/** How many times as long as usual a movement takes. */
export const slowness = () => SLOWNESS[document.documentElement.dataset.motion ?? ""] ?? 1;

/** @param {number} milliseconds */
export const pause = (milliseconds) =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

export const soundOn = () => localStorage.getItem(SOUND) !== "off";

/** @param {boolean} on */
export function setSound(on) {
  if (on) localStorage.removeItem(SOUND);
  else localStorage.setItem(SOUND, "off");
}

let context = /** @type {AudioContext | null} */ (null);

/**
 * A short knock, once something has landed; browsers allow it after the first click.
 * @param {keyof typeof PITCH} kind @param {number} [later] milliseconds from now
 */
export function sound(kind, later = 0) {
  if (!soundOn() || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const [start, long] = [context.currentTime + later / 1000, kind === "won" ? 0.5 : 0.09];
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  tone.type = kind === "won" ? "sine" : "triangle";
  tone.frequency.setValueAtTime(PITCH[kind], start);
  tone.frequency.exponentialRampToValueAtTime(
    PITCH[kind] * (kind === "won" ? 1.5 : 0.6),
    start + long,
  );
  volume.gain.setValueAtTime(LOUDNESS, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + long);
  tone.connect(volume).connect(context.destination);
  tone.start(start);
  tone.stop(start + long);
}
