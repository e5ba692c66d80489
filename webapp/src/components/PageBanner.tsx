import { createContext, type ReactNode, useContext } from 'react';
import { cx } from '@/lib/cx';

/** The banner that the shell provides for all pages. */
export const BannerContext = createContext<ReactNode>(null);

/**
 * Renders the banner below the title of a page. Pages render it together with their content, so that it does not move
 * anything that is already shown.
 */
export const PageBanner = ({ className }: { className?: string }) => (
  <div className={cx('empty:hidden print:hidden', className)}>{useContext(BannerContext)}</div>
);
