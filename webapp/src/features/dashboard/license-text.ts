import type { Config, License, OpenPayment, ProcessingPayment } from '@/api';
import { dueText, licensedPlan, licensePriceText, planName } from '@/modules/billing/plan-text';
import { paysInvoices } from '@/modules/config/capabilities';
import { automaticAttempt, planEnd } from '@/modules/payments/open-payment-text';
import { type PlanBadge, planBadge } from '@/modules/payments/plan-badge';
import { longDate, longDateOf } from '@/modules/session/dates';

/** The displayed texts of a license. */
interface LicenseText extends PlanBadge {
  /** The plan's display name; its id when the plan is no longer sold. */
  plan: string;
  /** The facts as label and text, in order. */
  facts: [label: string, text: string][];
}

/** Returns the texts of a license: plan, status, and the next payment. */
export function licenseText(
  license: License,
  { open, processing }: { open: OpenPayment | null; processing: ProcessingPayment | null },
  config: Config,
): LicenseText {
  const { invoiced, ends_at, scheduled_change, pause } = license;
  const { status, trial_end } = license.raw;
  const price = licensePriceText(license, config);
  const trial = status === 'trialing' ? trial_end : null;
  const next = nextCharge(license);
  const condition = open?.kind === 'authentication' ? ', if your bank approves your card' : '';
  const attempt = open && automaticAttempt(open);
  const end = open && planEnd(open, license);
  const label: PlanBadge = license.isDev
    ? { status: 'developer licence', tone: 'neutral' }
    : planBadge({ status, endsAt: ends_at, open, processing });
  return {
    plan: licensedPlan(license, config),
    ...label,
    facts: license.isDev
      ? []
      : [
          ['Billed', price ? `${price}, ${license.interval}` : billedText(license)],
          ...fact('Trial ends', trial && longDateOf(trial)),
          ...fact('Invoice due', invoiced && !(trial && ends_at) && dueText(invoiced, config)),
          ...fact(
            paysInvoices(config) ? 'Next invoice' : 'Next payment',
            next && `${longDate(next)}${condition}`,
          ),
          ...fact('Next automatic attempt', attempt && longDate(new Date(attempt))),
          ...fact('Plan ends without payment', end && longDate(new Date(end))),
          ...fact('Payments', pause && pauseText(pause)),
          ...fact('Next plan', scheduled_change && scheduledText(scheduled_change, config)),
          ...fact('Plan ends', ends_at && longDate(new Date(ends_at))),
        ],
  };
}

/** 'yearly, in AUD'; without what a back end does not report. */
export const billedText = ({ interval, currency }: License): string =>
  [interval, currency && `in ${currency.toUpperCase()}`].filter(Boolean).join(', ');

/**
 * Returns the date of the next charge; null for none, and when a change is scheduled, which is made then. The amount
 * depends on credit and is on the billing page. A back end that follows only the specification does not report it.
 */
function nextCharge({ raw, ends_at, scheduled_change, next_charge_at }: License): Date | null {
  if (scheduled_change) return null;
  if (next_charge_at !== undefined) return next_charge_at ? new Date(next_charge_at) : null;
  const at = (raw.status === 'trialing' ? raw.trial_end : null) ?? raw.current_period_end;
  const pays = ['trialing', 'active'].includes(raw.status) && !ends_at;
  return pays && at ? new Date(at * 1000) : null;
}

/** 'paused until 21 November 2027' */
const pauseText = ({ until }: NonNullable<License['pause']>): string =>
  until ? `paused until ${longDate(new Date(until))}` : 'paused';

type Scheduled = NonNullable<License['scheduled_change']>;

/** 'Standard, monthly, from 21 November 2027' */
function scheduledText({ priceId, interval, at }: Scheduled, config: Config): string {
  return `${planName(priceId, config)}, ${interval}, from ${longDate(new Date(at))}`;
}

function fact(label: string, text?: string | false | number | null): [string, string][] {
  return text ? [[label, String(text)]] : [];
}
