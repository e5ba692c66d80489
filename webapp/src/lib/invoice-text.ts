import type { Config, Invoice, Money } from '@/api';
import { amountText, symbolText } from './offer';
import { dateText } from './plan-text';

type Tone = 'success' | 'attention' | 'danger' | 'neutral';

const statuses: Record<Invoice['status'], { label: string; tone: Tone }> = {
  draft: { label: 'In preparation', tone: 'neutral' },
  open: { label: 'To be paid', tone: 'attention' },
  paid: { label: 'Paid', tone: 'success' },
  void: { label: 'Cancelled bill', tone: 'neutral' },
  uncollectible: { label: 'Not paid', tone: 'danger' },
};

/** The displayed status of an invoice. One with a total of zero or less needed no payment. */
export function statusOf({ status, total }: Invoice): { label: string; tone: Tone } {
  if (status === 'paid' && total.amount === 0) return { label: 'No charge', tone: 'neutral' };
  if (status === 'paid' && total.amount < 0) return { label: 'Credited', tone: 'success' };
  return statuses[status];
}

/** Whether the total of an invoice is zero, such as that of a trial. */
export const isZero = ({ total }: Invoice): boolean => total.amount === 0;

/**
 * Replaces the list when it is empty. `onlyZero` says that there are only invoices whose total is zero, which
 * the list leaves out.
 */
export function noInvoicesText(onlyZero: boolean, next: { at: string } | null): string {
  if (next) {
    return `Your first invoice ${onlyZero ? 'with a charge ' : ''}comes on ${dateText(next.at)}`;
  }
  return onlyZero ? 'You have only invoices without a charge' : 'You have no invoices yet';
}

/** The name of the tax in a currency's prices: 'GST'. */
export const taxName = ({ currency }: Money, { catalogue }: Pick<Config, 'catalogue'>): string =>
  catalogue.taxes?.[currency]?.name ?? 'tax';

/** 'includes $74.18 GST'; null without tax. */
export function taxText({ tax }: Invoice, config: Config): string | null {
  return tax.amount === 0 ? null : `includes ${symbolText(config, tax)} ${taxName(tax, config)}`;
}

/** The amount due after credit; null when no credit was used. */
export function creditText({ total, amountDue }: Invoice, config: Config): string | null {
  if (total.amount <= 0 || amountDue.amount === total.amount) return null;
  return `${amountText(config, amountDue)} after credit`;
}
