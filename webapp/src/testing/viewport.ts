const { happyDOM } = window as unknown as {
  happyDOM: { setViewport: (size: { width: number; height: number }) => void };
};

/** Sets the viewport of a phone until the test ends. */
export function usePhoneViewport(): void {
  happyDOM.setViewport({ width: 375, height: 700 });
}

/** Restores the desktop viewport. */
export function useDesktopViewport(): void {
  happyDOM.setViewport({ width: 1280, height: 800 });
}
