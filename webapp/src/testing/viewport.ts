const { happyDOM } = window as unknown as {
  happyDOM: { setViewport: (size: { width: number; height: number }) => void };
};

/** Sets the viewport of a phone until the test ends. */
export function usePhoneViewport(): void {
  happyDOM.setViewport({ width: 375, height: 700 });
}

/** Sets the viewport of a tablet in portrait until the test ends. */
export function useTabletViewport(): void {
  happyDOM.setViewport({ width: 820, height: 1180 });
}

/** Restores the desktop viewport. */
export function useDesktopViewport(): void {
  happyDOM.setViewport({ width: 1280, height: 800 });
}
