/** Leaves the page for another URL. Calls `onRestore` when the browser restores the page from its back/forward cache. */
export function leavePage(url: string, onRestore: () => void): void {
  window.addEventListener('pageshow', onRestore, { once: true });
  window.location.assign(url);
}
