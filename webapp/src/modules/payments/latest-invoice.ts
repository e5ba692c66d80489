/** The keys in local storage of the invoice whose payment was declined. It survives reloads and sign-ins. */
const keys = { id: 'latestInvoiceId', status: 'latestInvoicePaymentIntentStatus' } as const;

interface UnpaidInvoice {
  id: string;
  payment_intent: { status: string } | null;
}

/** Remembers an invoice whose payment did not go through. */
export function rememberInvoice(invoice: UnpaidInvoice): void {
  accessStorage(() => {
    localStorage.setItem(keys.id, invoice.id);
    localStorage.setItem(keys.status, invoice.payment_intent?.status ?? '');
  });
}

/** Returns the id of the invoice that an earlier card was declined for. */
export function declinedInvoice(): string | undefined {
  const status = accessStorage(() => localStorage.getItem(keys.status));
  const id = accessStorage(() => localStorage.getItem(keys.id));
  return status === 'requires_payment_method' && id ? id : undefined;
}

/** Whether an earlier card was declined for this invoice, so that paying it is a retry. */
export const isRetry = (invoice: { id: string } | null): boolean =>
  invoice !== null && declinedInvoice() === invoice.id;

export function forgetInvoice(): void {
  accessStorage(() => {
    for (const key of Object.values(keys)) localStorage.removeItem(key);
  });
}

/** Returns undefined in a browser that allows no storage, because the payment must continue without it. */
function accessStorage<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
