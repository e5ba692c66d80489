import type { License } from './types';

/** What the plans page lets its visitor do. */
export type Mode = 'loading' | 'disabled' | 'new' | 'update';

/** What the plans page knows about its visitor. */
export interface ModeInput {
  /** Who is asking is not known yet. */
  loading: boolean;
  /** See debugOn. */
  debug: boolean;
  /** The area is open to everyone, without debug. */
  live: boolean;
  license: License | null;
  pastLicense: License | null;
  /** The customer at the payment provider: what it is charged in, and what it wished for. */
  customer: Customer | null;
}

interface Customer {
  currency?: string | null;
  metadata?: { currency?: string | null } | null;
}

/**
 * The plans page's mode. A developer license disables the page: it is granted by hand and can't
 * be bought, changed or replaced here.
 */
export function modeOf({ loading, debug, live, license, pastLicense }: ModeInput): Mode {
  if (loading) return 'loading';
  if (!(debug || live) || license?.isDev) return 'disabled';
  return license || pastLicense ? 'update' : 'new';
}
