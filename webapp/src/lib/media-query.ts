/** Returns whether a media query matches, or false if the browser can't evaluate media queries in scripts. */
export function matchesMedia(query: string): boolean {
  try {
    return window.matchMedia(query).matches;
  } catch {
    return false;
  }
}

/** Calls `onChange` when a media query begins or ceases to match. Returns a function that stops it. */
export function watchMedia(query: string, onChange: () => void): () => void {
  try {
    const list = window.matchMedia(query);
    list.addEventListener('change', onChange);
    return () => list.removeEventListener('change', onChange);
  } catch {
    return () => {}; // without events the layout stays as it was first rendered
  }
}
