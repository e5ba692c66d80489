import { useEffect, useState } from 'react';

/**
 * Whether an element is at least `rems` wide; in rem, because less fits with larger text. Returns the ref
 * for the element. Until the element is measured, the width of the window counts.
 */
export function useMinWidth(rems: number): [(element: HTMLElement | null) => void, boolean] {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [enough, setEnough] = useState(() => window.matchMedia(`(min-width: ${rems}rem)`).matches);

  useEffect(() => {
    if (!element) return;
    const observer = new ResizeObserver(() => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      setEnough(element.clientWidth >= rems * rem);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [element, rems]);

  return [setElement, enough];
}
