import { CreditCard, Gauge, type LucideIcon, ReceiptText, SquareUser } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { AppLink } from '@/components/AppLink';
import { accountPages, type AccountPage as Page } from '@/lib/account-pages';
import { useLoadedConfig } from '@/lib/config-store';
import { cx } from '@/lib/cx';
import { PageTitle } from './PageTitle';

interface AccountPageProps {
  title: string;
  /** Above the title, such as a link back. */
  above?: ReactNode;
  /** Beside the title, such as a status. */
  beside?: ReactNode;
  /** A button at the end of the title's line. */
  action?: ReactNode;
  /** Limits the content to the width of a form. */
  narrow?: boolean;
  children: ReactNode;
}

/** The layout of the account area's pages: their navigation, the title and the content. */
export function AccountPage(props: AccountPageProps) {
  const { title, above, beside, action, narrow, children } = props;
  return (
    <div className="page">
      <div className="@container">
        <div className="@account:grid @account:grid-cols-[12.5rem_minmax(0,1fr)] @account:gap-8">
          <AccountNavigation />
          <div
            className={cx(
              '@container min-w-0 pt-6 pb-8 @account:pt-9',
              narrow && 'max-w-[34.5rem]',
            )}
          >
            <div className="print:hidden">{above}</div>
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
              <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2">
                <PageTitle>{title}</PageTitle>
                {beside}
              </div>
              {action}
            </div>
            {children}
          </div>
        </div>
      </div>
    </div>
  );
}

const icons: Record<Page['id'], LucideIcon> = {
  billing: Gauge,
  invoices: ReceiptText,
  cards: CreditCard,
  details: SquareUser,
};

/** Links to the pages of the account: beside the content on a wide window, otherwise as tabs above it. */
function AccountNavigation() {
  const { pathname } = useLocation();
  const pages = accountPages(useLoadedConfig());
  // The column of a wide window stays, so that the content does not move when the links appear.
  if (pages.length < 2) return <div />;
  return (
    <nav
      aria-label="Account"
      className="-mx-(--page-padding) border-b border-line bg-surface px-(--page-padding) @account:mx-0 @account:border-0 @account:bg-transparent @account:px-0 @account:pt-9"
    >
      <ul className="-mx-2.5 flex flex-wrap @account:sticky @account:top-6 @account:mx-0 @account:-ml-3 @account:block @account:space-y-0.5">
        {pages.map(({ id, label, path }) => {
          const current = isWithin(pathname, path);
          const Icon = icons[id];
          return (
            <li key={id}>
              <AppLink
                to={path}
                aria-current={current ? 'page' : undefined}
                className={cx(
                  'flex min-h-12 items-center gap-2 border-b-2 px-2.5 text-sm @account:min-h-10 @account:rounded-control @account:border-0 @account:px-3',
                  current
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

/** Whether an address is a page or below it. */
const isWithin = (pathname: string, page: string): boolean =>
  pathname === page || pathname.startsWith(`${page}/`);
