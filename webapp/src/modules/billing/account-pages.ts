import type { Capability, Config } from '@/api';
import { routes } from '@/lib/paths';
import { can } from '@/modules/config/capabilities';

/** A page of the account area. */
export interface AccountPage {
  id: 'overview' | 'billing' | 'invoices' | 'cards' | 'details';
  label: string;
  path: string;
  /** Another screen that belongs to the page. */
  subpage?: string;
}

const overview: AccountPage = { id: 'overview', label: 'Overview', path: routes.dash };

const capabilityPages: (AccountPage & { capability: Capability })[] = [
  {
    id: 'billing',
    label: 'Billing',
    path: routes.billing,
    subpage: routes.end,
    capability: 'billing',
  },
  { id: 'invoices', label: 'Invoices', path: routes.invoices, capability: 'invoices' },
  { id: 'cards', label: 'Payment methods', path: routes.cards, capability: 'saved_methods' },
  { id: 'details', label: 'Billing details', path: routes.details, capability: 'billing_details' },
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
  overview,
  ...accountPages(config),
];
