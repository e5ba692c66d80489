import { createContext, type ReactNode, useContext } from 'react';
import { cx } from '@/lib/cx';

/** The banner that the shell provides for all pages. */
export const BannerContext = createContext<ReactNode>(null);

/**
 * The place of the banner in a page: below the title, with the content that is shown at the same time, so that nothing
 * that is already shown moves.
 */
export const PageBanner = ({ className }: { className?: string }) => (
  <div className={cx('empty:hidden print:hidden', className)}>{useContext(BannerContext)}</div>
);
