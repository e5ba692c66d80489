import {
  CreditCard,
  House,
  type LucideIcon,
  ReceiptText,
  SquareUser,
  UserRound,
  UsersRound,
} from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { cx } from '@/lib/cx';
import { useLoadedConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';
import { OrganisationSwitcher } from '@/modules/session/OrganisationSwitcher';
import { AccountFrame, type AccountFrameProps } from './AccountFrame';
import {
  hasAccountNavigation,
  isOnPage,
  navigationPages,
  type AccountPage as Page,
} from './account-pages';

/** The layout of the account area's pages: their navigation, the title and the content. */
export const AccountPage = (props: Omit<AccountFrameProps, 'navigation'>) => (
  <AccountFrame {...props} navigation={<AccountNavigation />} />
);

const icons: Record<Page['id'], LucideIcon> = {
  dashboard: House,
  invoices: ReceiptText,
  cards: CreditCard,
  details: SquareUser,
  members: UsersRound,
  account: UserRound,
};

/** The parts of labels that narrow windows show. */
const phoneLabels: Partial<Record<Page['id'], string>> = {
  cards: 'Payment',
  details: 'details',
  account: 'account',
};

/**
 * Links to the pages of the account: beside the content on a wide window, otherwise as tabs above it. On a phone the tabs
 * are in rows of three, so that all are visible. With large text they scroll sideways.
 */
function AccountNavigation() {
  const { pathname } = useLocation();
  const config = useLoadedConfig();
  const list = useTabInView(pathname);
  // An empty column or row, so that the content does not move when the links appear.
  if (!config) {
    return (
      <div className={navigationClass}>
        <div className="min-h-12 @account:min-h-0" />
      </div>
    );
  }
  if (!hasAccountNavigation(config)) return <div />;
  return (
    <nav aria-label="Account" className={navigationClass}>
      <OrganisationSwitcher />
      <ul
        ref={list}
        className="scroll-shadows relative -mx-(--page-padding) flex overflow-x-auto px-[calc(var(--page-padding)-0.5rem)] [scrollbar-width:none] @min-[17rem]:@max-[30rem]:grid @min-[17rem]:@max-[30rem]:grid-cols-3 @account:overflow-visible @account:sticky @account:top-6 @account:mx-0 @account:-ml-3 @account:block @account:px-0 @account:space-y-0.5"
      >
        {navigationPages(config).map((page) => {
          const { id, label, path } = page;
          const isCurrent = isOnPage(page, pathname);
          const Icon = icons[id];
          return (
            <li key={id} className="shrink-0">
              <AppLink
                to={path}
                aria-current={isCurrent ? 'page' : undefined}
                className={cx(
                  'flex min-h-12 items-center gap-2 border-b-2 px-2 text-sm focus-visible:-outline-offset-2 @account:min-h-10 @account:rounded-control @account:border-0 @account:px-3',
                  isCurrent
                    ? 'border-brand font-semibold text-brand-strong @account:bg-brand-soft'
                    : 'border-transparent font-medium text-muted hover:text-ink',
                )}
              >
                <Icon aria-hidden size={18} className="hidden shrink-0 @account:block" />
                <TabLabel label={label} phoneLabel={phoneLabels[id]} />
              </AppLink>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** The label of a page. Narrow windows show only the part `phoneLabel`. */
function TabLabel({ label, phoneLabel = label }: { label: string; phoneLabel?: string }) {
  const [before, after] = label.split(phoneLabel);
  return (
    <span>
      {before && <span className={hiddenOnPhones}>{before}</span>}
      <span className="inline-block first-letter:uppercase @account:first-letter:normal-case">
        {phoneLabel}
      </span>
      {after && <span className={hiddenOnPhones}>{after}</span>}
    </span>
  );
}

const hiddenOnPhones = 'sr-only @account:not-sr-only';

const navigationClass =
  '-mx-(--page-padding) border-b border-line bg-surface px-(--page-padding) @account:mx-0 @account:border-0 @account:bg-transparent @account:px-0 @account:pt-9';

/** Returns the ref of a list that scrolls sideways so that the link of the current page is in the middle. */
function useTabInView(pathname: string) {
  const list = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current link changes with the path
  useLayoutEffect(() => {
    const link = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (!list.current || !link) return;
    list.current.scrollLeft = link.offsetLeft - (list.current.clientWidth - link.offsetWidth) / 2;
  }, [pathname]);
  return list;
}
