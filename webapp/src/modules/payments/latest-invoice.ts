/** The storage keys of the invoice whose payment was declined, which survive reloads and sign-ins. */
const keys = { id: 'latestInvoiceId', status: 'latestInvoicePaymentIntentStatus' } as const;

interface OpenInvoice {
  id: string;
  payment_intent: { status: string } | null;
}

/** Remembers an invoice whose payment did not go through. */
export function rememberInvoice(invoice: OpenInvoice): void {
  attempt(() => {
    localStorage.setItem(keys.id, invoice.id);
    localStorage.setItem(keys.status, invoice.payment_intent?.status ?? '');
  });
}

/** The invoice that an earlier card was declined for. */
export function declinedInvoice(): string | undefined {
  const status = attempt(() => localStorage.getItem(keys.status));
  const id = attempt(() => localStorage.getItem(keys.id));
  return status === 'requires_payment_method' && id ? id : undefined;
}

/** Whether an earlier card was declined for this invoice, so that paying it is a retry. */
export const isRetry = (invoice: { id: string } | null): boolean =>
  invoice !== null && declinedInvoice() === invoice.id;

export function forgetInvoice(): void {
  attempt(() => {
    for (const key of Object.values(keys)) localStorage.removeItem(key);
  });
}

/** Returns undefined in a browser that allows no storage: the payment must continue. */
function attempt<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
