const { happyDOM } = window as unknown as {
  happyDOM: { setViewport: (size: { width: number; height: number }) => void };
};

/** Makes the window as wide as a phone, until the test ends. */
export function onPhone(): void {
  happyDOM.setViewport({ width: 375, height: 700 });
}

/** Makes the window as wide as on a desk again. */
export function onDesk(): void {
  happyDOM.setViewport({ width: 1280, height: 800 });
}
