/** Where the invoice that a declined card left open is remembered, across reloads and sign-ins. */
const keys = { id: 'latestInvoiceId', status: 'latestInvoicePaymentIntentStatus' } as const;

export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

interface OpenInvoice {
  id: string;
  payment_intent: { status: string } | null;
}

/** Remembers an invoice whose payment did not go through. */
export function rememberInvoice(store: Store, invoice: OpenInvoice): void {
  attempt(() => {
    store.setItem(keys.id, invoice.id);
    store.setItem(keys.status, invoice.payment_intent?.status ?? '');
  });
}

/** Whether an earlier card was declined for this very invoice: paying it now is a retry. */
export function isRetry(store: Store, invoice: OpenInvoice | null): boolean {
  return (
    invoice !== null &&
    attempt(() => store.getItem(keys.id)) === invoice.id &&
    attempt(() => store.getItem(keys.status)) === 'requires_payment_method'
  );
}

export function forgetInvoice(store: Store): void {
  attempt(() => {
    for (const key of Object.values(keys)) store.removeItem(key);
  });
}

/** A browser may refuse to store anything. That is no reason to fail a payment. */
function attempt<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
