import { useEffect, useState } from 'react';
import { matchesMedia } from './media-query';

/**
 * Returns the ref for an element, and whether the element is at least `rems` wide. The width is in rem, because less
 * fits with larger text. Until the element is measured, the width of the window counts.
 */
export function useMinWidth(rems: number): [(element: HTMLElement | null) => void, boolean] {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [isWide, setIsWide] = useState(() => matchesMedia(`(min-width: ${rems}rem)`));

  useEffect(() => {
    if (!element) return;
    return watchSize(element, () => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      setIsWide(element.clientWidth >= rems * rem);
    });
  }, [element, rems]);

  return [setElement, isWide];
}

/**
 * Calls `measure` at once and when the size of the element changes, or when that of the window changes if the browser can't
 * watch elements. Returns a function that ends that.
 */
function watchSize(element: HTMLElement, measure: () => void): () => void {
  try {
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  } catch {
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }
}
