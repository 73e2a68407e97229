// Whether a person used a pointer last, or keys. Keys that a control would take (arrows in a row of choices, on the board) belong to the
// page after a click, and to the control when it was reached by keys.

let pointer = false;
addEventListener("pointerdown", () => { pointer = true; }, true);
addEventListener("keydown", () => { pointer = false; }, true);

export const byPointer = () => pointer;
