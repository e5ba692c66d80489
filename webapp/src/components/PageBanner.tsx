import { createContext, type ReactNode, useContext } from 'react';
import { cx } from '@/lib/cx';

/** The banner that the shell provides for all pages. */
export const BannerContext = createContext<ReactNode>(null);

/**
 * Renders the banner below the title of a page. A page renders the banner together with its content, so that the banner
 * moves nothing that is already shown.
 */
export const PageBanner = ({ className }: { className?: string }) => (
  <div className={cx('empty:hidden print:hidden', className)}>{useContext(BannerContext)}</div>
);
