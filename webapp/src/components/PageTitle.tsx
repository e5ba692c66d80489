import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { cx } from '@/lib/cx';

interface PageTitleProps {
  /** The document title, if it differs from the heading. */
  title?: string;
  /** Whether to focus the heading and scroll to the top on mount, because it replaces previous content. */
  focusOnMount?: boolean;
  children: ReactNode;
  className?: string;
}

/**
 * The heading of a screen. Sets the document title and receives the focus after a navigation, so that keyboard and screen
 * reader users start at the top of the new screen.
 */
export function PageTitle({ title, focusOnMount, children, className }: PageTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key, pathname } = useLocation();
  // The path of the last effect. A change of the query alone must not move the focus.
  const knownPath = useRef(key === 'default' ? pathname : undefined);

  useEffect(() => {
    document.title = `${title ?? heading.current?.textContent} · Vision`;
  });
  useEffect(() => {
    const isNavigation = knownPath.current !== pathname;
    knownPath.current = pathname;
    if (isNavigation || focusOnMount) heading.current?.focus({ preventScroll: true });
    // The shell scrolls to the top only when the path changes.
    if (focusOnMount) window.scrollTo(0, 0);
  }, [pathname, focusOnMount]);

  return (
    <h1 ref={heading} tabIndex={-1} className={cx('text-2xl sm:text-3xl', className)}>
      {children}
    </h1>
  );
}
