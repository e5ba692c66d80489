import { readItem, removeItem, writeItem } from '@/lib/storage';

/** The keys under which local storage keeps an invoice with a declined payment across reloads and sign-ins. */
const storageKeys = { id: 'latestInvoiceId', status: 'latestInvoicePaymentIntentStatus' } as const;

interface UnpaidInvoice {
  id: string;
  payment_intent: { status: string } | null;
}

/** Stores an invoice after its payment was declined. */
export function rememberInvoice(invoice: UnpaidInvoice): void {
  writeItem('localStorage', storageKeys.id, invoice.id);
  writeItem('localStorage', storageKeys.status, invoice.payment_intent?.status ?? '');
}

/** Returns the id of the invoice for which an earlier card was declined, or undefined if there is none. */
export function declinedInvoiceId(): string | undefined {
  const status = readItem('localStorage', storageKeys.status);
  const id = readItem('localStorage', storageKeys.id);
  return status === 'requires_payment_method' && id ? id : undefined;
}

/** Whether an earlier card was declined for this invoice, so that paying it is a retry. */
export const isRetry = (invoice: { id: string } | null): boolean =>
  invoice !== null && declinedInvoiceId() === invoice.id;

/** Removes the stored invoice, after a payment or when its plan change was canceled. */
export function forgetInvoice(): void {
  for (const key of Object.values(storageKeys)) removeItem('localStorage', key);
}
