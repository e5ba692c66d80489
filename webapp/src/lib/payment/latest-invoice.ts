/** The storage keys of the invoice whose payment was declined, which survive reloads and sign-ins. */
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

/** The invoice that an earlier card was declined for. */
export function declinedInvoice(store: Store): string | undefined {
  const status = attempt(() => store.getItem(keys.status));
  const id = attempt(() => store.getItem(keys.id));
  return status === 'requires_payment_method' && id ? id : undefined;
}

/** Whether an earlier card was declined for this invoice, so that paying it is a retry. */
export const isRetry = (store: Store, invoice: { id: string } | null): boolean =>
  invoice !== null && declinedInvoice(store) === invoice.id;

export function forgetInvoice(store: Store): void {
  attempt(() => {
    for (const key of Object.values(keys)) store.removeItem(key);
  });
}

/** Ignores the failure of a browser that allows no storage: the payment must continue. */
function attempt<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
