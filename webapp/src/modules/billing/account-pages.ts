import type { Capability, Config } from '@/api';
import { routes } from '@/lib/paths';
import { can } from '@/modules/config/capabilities';

/** A page of the account area. */
export interface AccountPage {
  id: 'dashboard' | 'invoices' | 'cards' | 'details' | 'members' | 'account';
  label: string;
  path: string;
  /** Another screen that belongs to the page. */
  subpage?: string;
}

const dashboard: AccountPage = {
  id: 'dashboard',
  label: 'Dashboard',
  path: routes.dash,
  subpage: routes.end,
};

const capabilityPages: (AccountPage & { capability: Capability })[] = [
  { id: 'invoices', label: 'Invoices', path: routes.invoices, capability: 'invoices' },
  { id: 'cards', label: 'Payment methods', path: routes.cards, capability: 'saved_methods' },
  { id: 'details', label: 'Billing details', path: routes.details, capability: 'billing_details' },
  { id: 'members', label: 'Members', path: routes.members, capability: 'members' },
  { id: 'account', label: 'Your account', path: routes.account, capability: 'account' },
];

/** Whether there is a navigation between the pages of the account area. */
export const hasAccountNavigation = (config: Config | null): boolean =>
  accountPages(config).length > 1;

/**
 * Returns the pages of the account area that the server supports, without the dashboard; none until the configuration is
 * loaded.
 */
export const accountPages = (config: Config | null): AccountPage[] =>
  config ? capabilityPages.filter(({ capability }) => can(config, capability)) : [];

/** Returns the pages of the navigation: the dashboard and `accountPages`. */
export const navigationPages = (config: Config | null): AccountPage[] => [
  dashboard,
  ...accountPages(config),
];

/** Whether the screen at a path is a page of the account area or belongs to one. */
export const isOnPage = ({ path, subpage }: AccountPage, pathname: string): boolean =>
  pathname === path || pathname.startsWith(`${path}/`) || pathname === subpage;

/** Whether the screen at a path shows the navigation between the pages of the account area. */
export const showsAccountNavigation = (pathname: string, config: Config | null): boolean =>
  hasAccountNavigation(config) && navigationPages(config).some((page) => isOnPage(page, pathname));
