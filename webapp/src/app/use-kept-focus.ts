import { useEffect } from 'react';

/**
 * What has the focus may be gone with what it did, such as a button that tries again. Whoever uses
 * a keyboard then goes on from the heading of the screen, unless something else took the focus.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Node | null = null;
    const remember = ({ target }: FocusEvent) => {
      last = target as Node;
    };
    const observer = new MutationObserver(() => {
      if (!last || last.isConnected) return;
      last = null;
      requestAnimationFrame(focusHeading); // whatever means to take the focus has done so by then
    });
    document.addEventListener('focusin', remember);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, []);
}

function focusHeading() {
  if (document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}
