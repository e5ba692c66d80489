import { ApiError, addCard, type BillPayment, type Card } from '@/api';
import type { CardProvider } from '@/lib/card-provider/port';
import { logFailure } from '@/lib/log';
import { noticeEnd, sessionRenewed, useSessionStore } from '@/lib/session-store';

/** A saved card with the outcome of an overdue bill, or the reason why it was not saved. */
export type Saved =
  | { ok: true; card: Card; bill: BillPayment | null }
  | { ok: false; message: string; declined?: boolean };

const noWords = 'Invalid request, please try again later';

/**
 * Saves the card in the page's card field and makes it the default one. Creates the organisation's
 * customer first if there is none. Never rejects.
 */
export async function saveCard(provider: CardProvider): Promise<Saved> {
  const made = await provider.createPaymentMethod();
  if (!made.ok) return made;
  try {
    await ensureCustomer();
    const { payment: bill = null, ...card } = await addCard(made.paymentMethodId);
    // Charging a bill changes more than the default card: the caller fetches the identity.
    if (!bill) await noteDefault(card);
    return { ok: true, card, bill };
  } catch (error) {
    logFailure('The card could not be added', error);
    if (await noticeEnd(error)) return { ok: false, message: sessionRenewed };
    const answered = error instanceof ApiError && error.answered;
    const declined = answered && error.name === 'ERRCARD';
    return { ok: false, message: answered ? error.message : noWords, declined };
  }
}

async function ensureCustomer(): Promise<void> {
  const { session, newCustomer } = useSessionStore.getState();
  if (session.status !== 'signedIn' || session.user.org.stripeCustomerId) return;
  if (await newCustomer()) return;
  const { session: after } = useSessionStore.getState();
  throw (after.status !== 'loading' && after.error) || new Error(noWords);
}

/** Sets the default card in the session, because the server has made the new card the default. */
async function noteDefault(card: Card): Promise<void> {
  const { session, setCustomer, refresh } = useSessionStore.getState();
  if (session.status !== 'signedIn' || !session.customer) return refresh();
  setCustomer({ ...session.customer, invoice_settings: { default_payment_method: card } });
}
