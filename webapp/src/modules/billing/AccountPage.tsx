import { CreditCard, Gauge, type LucideIcon, ReceiptText, SquareUser } from 'lucide-react';
import { useLocation } from 'react-router-dom';
import { cx } from '@/lib/cx';
import { useLoadedConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';
import { AccountFrame, type AccountFrameProps } from './AccountFrame';
import { accountPages, hasAccountNavigation, type AccountPage as Page } from './account-pages';

/** The layout of the account area's pages: their navigation, the title and the content. */
export const AccountPage = (props: Omit<AccountFrameProps, 'navigation'>) => (
  <AccountFrame {...props} navigation={<AccountNavigation />} />
);

const icons: Record<Page['id'], LucideIcon> = {
  billing: Gauge,
  invoices: ReceiptText,
  cards: CreditCard,
  details: SquareUser,
};

/** Links to the pages of the account: beside the content on a wide window, otherwise as tabs above it. */
function AccountNavigation() {
  const { pathname } = useLocation();
  const config = useLoadedConfig();
  // In a wide window the empty column keeps the content in place until the links appear.
  if (!hasAccountNavigation(config)) return <div />;
  return (
    <nav
      aria-label="Account"
      className="-mx-(--page-padding) border-b border-line bg-surface px-(--page-padding) @account:mx-0 @account:border-0 @account:bg-transparent @account:px-0 @account:pt-9"
    >
      <ul className="-mx-2.5 flex flex-wrap @account:sticky @account:top-6 @account:mx-0 @account:-ml-3 @account:block @account:space-y-0.5">
        {accountPages(config).map(({ id, label, path, subpage }) => {
          const isCurrent = isWithin(pathname, path) || pathname === subpage;
          const Icon = icons[id];
          return (
            <li key={id}>
              <AppLink
                to={path}
                aria-current={isCurrent ? 'page' : undefined}
                className={cx(
                  'flex min-h-12 items-center gap-2 border-b-2 px-2.5 text-sm @account:min-h-10 @account:rounded-control @account:border-0 @account:px-3',
                  isCurrent
                    ? 'border-brand font-semibold text-brand-strong @account:bg-brand-soft'
                    : 'border-transparent font-medium text-muted hover:text-ink',
                )}
              >
                <Icon aria-hidden size={18} className="hidden shrink-0 @account:block" />
                {label}
              </AppLink>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** Whether a path is that of a page or below it. */
const isWithin = (pathname: string, pagePath: string): boolean =>
  pathname === pagePath || pathname.startsWith(`${pagePath}/`);
