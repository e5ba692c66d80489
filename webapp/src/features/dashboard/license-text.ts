import type { Config, License, OpenPayment } from '@/api';
import type { Badge } from '@/components/Badge';
import {
  dueText,
  licensedPlan,
  ownPriceText,
  planName,
  statusText,
} from '@/modules/billing/plan-text';
import { paysInvoices } from '@/modules/config/capabilities';
import { isToApprove } from '@/modules/payments/open-payment-text';
import { longDate, longDateOf } from '@/modules/session/dates';

/** The displayed texts of a license. */
interface LicenseText {
  /** The plan's display name; its id when the plan is no longer sold. */
  plan: string;
  status: string;
  tone: Parameters<typeof Badge>[0]['tone'];
  /** The facts as label and text, in order. */
  facts: [label: string, text: string][];
}

const tones: Record<string, LicenseText['tone']> = {
  trialing: 'brand',
  active: 'success',
  past_due: 'danger',
  unpaid: 'danger',
};

/** Returns the texts of a license: plan, status, and the next payment. */
export function licenseText(
  license: License,
  open: OpenPayment | null,
  config: Config,
): LicenseText {
  const { invoiced, ends_at, scheduled_change, pause } = license;
  const { status, trial_end } = license.raw;
  const price = ownPriceText(license, config);
  const trial = status === 'trialing' ? trial_end : null;
  const next = nextCharge(license);
  const condition = open?.kind === 'authentication' ? ', if your bank approves your card' : '';
  const label: Pick<LicenseText, 'status' | 'tone'> = license.isDev
    ? { status: 'developer licence', tone: 'neutral' }
    : isToApprove(open)
      ? { status: 'to be approved', tone: 'attention' }
      : { status: statusText(status), tone: tones[status] ?? 'neutral' };
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
