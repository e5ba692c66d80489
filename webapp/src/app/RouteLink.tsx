import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { AppLink } from '@/modules/session/AppLink';

/** The classes of a link in the header. */
export const headerLinkClass =
  'flex min-h-11 items-center rounded-control px-3 text-sm font-medium text-ink hover:bg-brand-soft hover:text-brand-strong ' +
  'aria-[current=page]:text-brand aria-[current=page]:font-semibold';

/** A link in the header to a screen, marked as current on that screen. */
export function RouteLink({ to, children }: { to: string; children: string }) {
  const isCurrent = to === useLocation().pathname;
  return (
    <AppLink
      entersArea
      to={to}
      aria-current={isCurrent ? 'page' : undefined}
      className={headerLinkClass}
    >
      {children}
    </AppLink>
  );
}

/** An item of a list in the header. */
export const HeaderItem = ({ children }: { children: ReactNode }) => (
  <li className="shrink-0">{children}</li>
);
