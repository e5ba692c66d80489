import { useEffect } from 'react';

/**
 * Moves the focus to the screen's heading when the focused element, such as a Try again button, is removed and no other
 * element has received the focus. Keyboard users continue from the heading.
 */
export function useFocusFallback(): void {
  useEffect(() => {
    let focusedNode: Node | null = null;
    const storeTarget = ({ target }: FocusEvent) => {
      focusedNode = target as Node;
    };
    const observer = new MutationObserver(() => {
      if (!focusedNode || focusedNode.isConnected) return;
      focusedNode = null;
      requestAnimationFrame(focusHeading); // another element may receive the focus until then
    });
    document.addEventListener('focusin', storeTarget);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', storeTarget);
      observer.disconnect();
    };
  }, []);
}

function focusHeading() {
  if (document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}
