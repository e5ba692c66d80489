import { useEffect } from 'react';

/**
 * Moves the focus to the screen's heading when the focused element was removed, such as a Try again
 * button, unless another element has received the focus. Keyboard users continue from there.
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
      requestAnimationFrame(focusHeading); // other elements have taken the focus by then
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
