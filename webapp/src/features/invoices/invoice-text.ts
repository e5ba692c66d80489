import type { Config, Invoice } from '@/api';
import { amountText, symbolText } from '@/lib/offer';

type Tone = 'success' | 'attention' | 'danger' | 'neutral';

const statuses: Record<Invoice['status'], { label: string; tone: Tone }> = {
  draft: { label: 'In preparation', tone: 'neutral' },
  open: { label: 'To be paid', tone: 'attention' },
  paid: { label: 'Paid', tone: 'success' },
  void: { label: 'Void', tone: 'neutral' },
  uncollectible: { label: 'Not paid', tone: 'danger' },
};

/** The status of an invoice in words. Nothing was paid for one of zero or that became credit. */
export function statusOf({ status, total }: Invoice): { label: string; tone: Tone } {
  if (status === 'paid' && total.amount === 0) return { label: 'No charge', tone: 'neutral' };
  if (status === 'paid' && total.amount < 0) return { label: 'Credited', tone: 'success' };
  return statuses[status];
}

/** An invoice of nothing, as at the beginning of a trial. */
export const isZero = ({ total }: Invoice): boolean => total.amount === 0;

/** 'includes $74.18 GST'; null without tax. */
export function taxText({ tax }: Invoice, config: Config): string | null {
  if (tax.amount === 0) return null;
  const name = config.catalogue.taxes?.[tax.currency]?.name ?? 'tax';
  return `includes ${symbolText(config, tax)} ${name}`;
}

/** What credit left of the total to pay; null when it did not change it. */
export function creditText({ total, amountDue }: Invoice, config: Config): string | null {
  if (total.amount <= 0 || amountDue.amount === total.amount) return null;
  return `${amountText(config, amountDue)} after credit`;
}
