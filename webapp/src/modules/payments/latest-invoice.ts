import { accessStorage } from '@/lib/access-storage';

/** The keys under which local storage keeps an invoice with a declined payment across reloads and sign-ins. */
const storageKeys = { id: 'latestInvoiceId', status: 'latestInvoicePaymentIntentStatus' } as const;

interface UnpaidInvoice {
  id: string;
  payment_intent: { status: string } | null;
}

/** Stores an invoice after its payment was declined. */
export function rememberInvoice(invoice: UnpaidInvoice): void {
  accessStorage(() => {
    localStorage.setItem(storageKeys.id, invoice.id);
    localStorage.setItem(storageKeys.status, invoice.payment_intent?.status ?? '');
  });
}

/** Returns the id of the invoice for which an earlier card was declined; undefined if there is none. */
export function declinedInvoiceId(): string | undefined {
  const status = accessStorage(() => localStorage.getItem(storageKeys.status));
  const id = accessStorage(() => localStorage.getItem(storageKeys.id));
  return status === 'requires_payment_method' && id ? id : undefined;
}

/** Whether an earlier card was declined for this invoice, so that paying it is a retry. */
export const isRetry = (invoice: { id: string } | null): boolean =>
  invoice !== null && declinedInvoiceId() === invoice.id;

/** Removes the stored invoice, after a payment or when its plan change was canceled. */
export function forgetInvoice(): void {
  accessStorage(() => {
    for (const key of Object.values(storageKeys)) localStorage.removeItem(key);
  });
}
