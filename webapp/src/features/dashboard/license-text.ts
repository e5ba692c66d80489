import type { Config, License, OpenPayment, ProcessingPayment } from '@/api';
import { dueText, licensePlanName, licensePriceText, planText } from '@/modules/billing/plan-text';
import { paysInvoices } from '@/modules/config/capabilities';
import { automaticAttempt, planEnd } from '@/modules/payments/open-payment-text';
import { type PlanBadge, planBadge } from '@/modules/payments/plan-badge';
import { longDate, longDateOf } from '@/modules/session/dates';

/** The texts that describe a license. */
interface LicenseText extends PlanBadge {
  /** The plan's display name; its id when the plan is no longer sold. */
  plan: string;
  /** The details in the order in which they are shown. */
  details: LicenseDetail[];
}

export interface LicenseDetail {
  label: string;
  text: string;
  /** Whether the text is the date of the next charge. */
  isNextCharge?: boolean;
}

/** The incomplete payments of a license. */
interface LicensePayments {
  openPayment: OpenPayment | null;
  processingPayment: ProcessingPayment | null;
}

/** Returns the texts of a license. A developer license has no details. */
export function licenseText(
  license: License,
  payments: LicensePayments,
  config: Config,
): LicenseText {
  const plan = licensePlanName(license, config);
  if (license.isDev) return { plan, label: 'developer licence', tone: 'neutral', details: [] };
  const badge = planBadge({
    status: license.raw.status,
    endsAt: license.ends_at,
    ...payments,
  });
  return { plan, ...badge, details: licenseDetails(license, payments.openPayment, config) };
}

function licenseDetails(
  license: License,
  openPayment: OpenPayment | null,
  config: Config,
): LicenseDetail[] {
  const { invoiced, ends_at, scheduled_change, pause, invoice_due_at } = license;
  const price = licensePriceText(license, config);
  const trialEnd = license.raw.status === 'trialing' ? license.raw.trial_end : null;
  const chargeDate = nextChargeDate(license);
  const invoiceDueText = invoice_due_at
    ? ` by email, due on ${longDate(new Date(invoice_due_at))}`
    : '';
  const condition =
    openPayment?.kind === 'authentication' ? ', if your bank approves your card' : '';
  const attempt = openPayment && automaticAttempt(openPayment);
  const endWithoutPayment = openPayment && planEnd(openPayment, license);
  return [
    {
      label: 'Billed',
      text: price ? [price, license.interval].filter(Boolean).join(', ') : intervalText(license),
    },
    ...optionalDetail('Trial ends', trialEnd && longDateOf(trialEnd)),
    ...optionalDetail(
      'Invoice due',
      invoiced && !(trialEnd && ends_at) && dueText(invoiced, config),
    ),
    ...optionalDetail(
      paysInvoices(config) || invoice_due_at ? 'Next invoice' : 'Next charge',
      chargeDate && `${longDate(chargeDate)}${condition}${invoiceDueText}`,
      true,
    ),
    ...optionalDetail('Next automatic attempt', attempt && longDate(new Date(attempt))),
    ...optionalDetail(
      'Plan ends without payment',
      endWithoutPayment && longDate(new Date(endWithoutPayment)),
    ),
    ...optionalDetail('Payments', pause && pauseText(pause)),
    ...optionalDetail(
      'Next plan',
      scheduled_change && scheduledChangeText(scheduled_change, config),
    ),
    ...optionalDetail('Plan ends', ends_at && longDate(new Date(ends_at))),
  ];
}

/** Returns a list with the detail; an empty list if the detail has no text. */
function optionalDetail(
  label: string,
  text?: string | false | number | null,
  isNextCharge = false,
): LicenseDetail[] {
  return text ? [{ label, text: String(text), isNextCharge }] : [];
}

/** Returns the interval and the currency, 'yearly, in AUD', without the parts that the server does not report. */
export const intervalText = ({ interval, currency }: License): string =>
  [interval, currency && `in ${currency.toUpperCase()}`].filter(Boolean).join(', ');

/**
 * Returns the date of the next charge; null for none. Also null if a change is scheduled, because the change is shown
 * with the same date. If the server reports no date, as the specification allows, the trial or period determines it.
 */
function nextChargeDate({ raw, ends_at, scheduled_change, next_charge_at }: License): Date | null {
  if (scheduled_change) return null;
  if (next_charge_at !== undefined) return next_charge_at ? new Date(next_charge_at) : null;
  const renewal = (raw.status === 'trialing' ? raw.trial_end : null) ?? raw.current_period_end;
  const isCharged = ['trialing', 'active'].includes(raw.status) && !ends_at;
  return isCharged && renewal ? new Date(renewal * 1000) : null;
}

/** Returns 'paused until 21 November 2027', or 'paused' without an end. */
const pauseText = ({ until }: NonNullable<License['pause']>): string =>
  until ? `paused until ${longDate(new Date(until))}` : 'paused';

/** Returns the new plan and its date, 'Standard, monthly, from 21 November 2027'. */
function scheduledChangeText(
  { priceId, interval, at }: NonNullable<License['scheduled_change']>,
  config: Config,
): string {
  return `${planText({ priceId, interval }, config)}, from ${longDate(new Date(at))}`;
}
