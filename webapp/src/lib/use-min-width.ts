import { useEffect, useState } from 'react';

/**
 * Returns the ref for an element, and whether the element is at least `rems` wide. The width is in rem, because less
 * fits with larger text. Until the element is measured, the width of the window counts.
 */
export function useMinWidth(rems: number): [(element: HTMLElement | null) => void, boolean] {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [isWide, setIsWide] = useState(() => window.matchMedia(`(min-width: ${rems}rem)`).matches);

  useEffect(() => {
    if (!element) return;
    const observer = new ResizeObserver(() => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      setIsWide(element.clientWidth >= rems * rem);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [element, rems]);

  return [setElement, isWide];
}
