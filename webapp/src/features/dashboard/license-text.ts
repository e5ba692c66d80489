import type { License } from '@/api';
import { licensePlanName, licensePriceText } from '@/modules/billing/plan-text';
import type { ScreenConfig } from '@/modules/config/config-store';
import { type PlanBadge, planBadge } from '@/modules/payments/plan-badge';
import { longDate, longDateOf } from '@/modules/session/dates';
import type { User } from '@/modules/session/session-store';

/** The texts that describe a license. */
interface LicenseText extends PlanBadge {
  /** The plan's display name, or its id if the plan is no longer sold. */
  plan: string;
  /** The details in the order in which they are shown. */
  details: LicenseDetail[];
}

interface LicenseDetail {
  label: string;
  text: string;
}

/** Returns the texts of a license. A developer license has no details. */
export function licenseText(
  license: License,
  { openPayment, processing }: Pick<User, 'openPayment' | 'processing'>,
  config: ScreenConfig,
): LicenseText {
  const plan = licensePlanName(license, config);
  if (license.isDev) return { plan, label: 'developer licence', tone: 'neutral', details: [] };
  const badge = planBadge({
    status: license.raw.status,
    endsAt: license.ends_at,
    openPayment,
    processingPayment: processing,
  });
  return { plan, ...badge, details: licenseDetails(license, config) };
}

function licenseDetails(license: License, config: ScreenConfig): LicenseDetail[] {
  const { raw, interval, ends_at } = license;
  const price = licensePriceText(license, config);
  const trialEnd = raw.status === 'trialing' ? raw.trial_end : null;
  const chargeDate = nextChargeDate(license);
  const details: [label: string, text: string | null | undefined | 0][] = [
    ['Billed', price ? [price, interval].filter(Boolean).join(', ') : intervalText(license)],
    ['Trial ends', trialEnd && longDateOf(trialEnd, config.timeZone)],
    ['Next charge', chargeDate && longDate(chargeDate, config.timeZone)],
    ['Plan ends', ends_at && longDate(new Date(ends_at), config.timeZone)],
  ];
  return details.flatMap(([label, text]) => (text ? [{ label, text }] : []));
}

/** Returns the interval and the currency, 'yearly, in AUD', without the parts that the server does not report. */
export const intervalText = ({ interval, currency }: License): string =>
  [interval, currency && `in ${currency.toUpperCase()}`].filter(Boolean).join(', ');

/**
 * Returns the date of the next charge; null for none, and for a scheduled change, which changes the charge. If the server
 * reports no date, as the specification allows, the date is the end of the trial or period.
 */
function nextChargeDate({ raw, ends_at, scheduled_change, next_charge_at }: License): Date | null {
  if (scheduled_change) return null;
  if (next_charge_at !== undefined) return next_charge_at ? new Date(next_charge_at) : null;
  const renewal = (raw.status === 'trialing' ? raw.trial_end : null) ?? raw.current_period_end;
  const isCharged = ['trialing', 'active'].includes(raw.status) && !ends_at;
  return isCharged && renewal ? new Date(renewal * 1000) : null;
}
