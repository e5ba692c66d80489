/**
 * Makes `history.replaceState` load the URL instead of throwing. Browsers refuse the call when it is too frequent, Safari
 * after 100 calls in 30 seconds, and react-router catches only the errors of `pushState`. Call it before the first render.
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

/** Whether the browser currently stores a new history state. */
export function canReplaceState(): boolean {
  const probe = Math.random();
  history.replaceState({ ...history.state, probe }, '');
  return history.state?.probe === probe;
}
