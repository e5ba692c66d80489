const { happyDOM } = window as unknown as {
  happyDOM: { setViewport: (size: { width: number; height: number }) => void };
};

/** Sets the viewport of a phone until the test ends. */
export function onPhone(): void {
  happyDOM.setViewport({ width: 375, height: 700 });
}

/** Restores the desktop viewport. */
export function onDesk(): void {
  happyDOM.setViewport({ width: 1280, height: 800 });
}
