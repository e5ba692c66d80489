/**
 * Makes `history.replaceState` load the URL instead of throwing. Browsers refuse it after many calls, Safari after 100 in
 * 30 seconds, and react-router catches only what `pushState` throws. Call it before the first render.
 */
export function guardHistory(): void {
  const replaceState = history.replaceState.bind(history);
  history.replaceState = (state, unused, url) => {
    try {
      replaceState(state, unused, url);
    } catch {
      if (url) location.replace(url);
    }
  };
}

/** Reports whether the browser stores a new history state. */
export function canReplaceState(): boolean {
  const probe = Math.random();
  history.replaceState({ ...history.state, probe }, '');
  return history.state?.probe === probe;
}
