import { ApiError, addCard, type BillPayment, type Card, setUpMethod } from '@/api';
import { serverMessageOf } from '@/lib/failure-message';
import { logFailure } from '@/lib/log';
import type { CardProvider } from '@/modules/payments/card-provider/port';
import {
  refreshIfSessionOver,
  sessionRenewedMessage,
  useSessionStore,
} from '@/modules/session/session-store';

/** A saved card with the outcome of an overdue bill, or the reason why it was not saved. */
export type Saved =
  | {
      ok: true;
      /** Null when the response does not contain it. */
      card: Card | null;
      bill: BillPayment | null;
    }
  | { ok: false; message: string; declined?: boolean };

const genericMessage = 'Invalid request, please try again later';

/** Saves the card in the page's card field and makes it the default one. Never rejects. */
export async function saveCard(provider: CardProvider): Promise<Saved> {
  const created = await provider.createPaymentMethod();
  if (!created.ok) return created;
  return makeDefault(created.paymentMethodId);
}

/**
 * Makes a method that was created in the browser, or saved on the provider's page, the default one. Creates the
 * organisation's customer first if there is none. Never rejects.
 */
export async function makeDefault(methodId: string): Promise<Saved> {
  try {
    await ensureCustomer();
    const { card, payment } = await addCard(methodId);
    const bill = card && payment;
    // Charging a bill changes more than the default card: the caller fetches the identity.
    if (!bill) await updateDefaultCard(card);
    return { ok: true, card, bill };
  } catch (error) {
    logFailure('The card could not be added', error);
    if (await refreshIfSessionOver(error)) return { ok: false, message: sessionRenewedMessage };
    const declined =
      error instanceof ApiError && error.hasServerMessage && error.name === 'ERRCARD';
    return { ok: false, message: serverMessageOf(error, genericMessage), declined };
  }
}

/**
 * Opens the provider's page that saves a payment method, and returns its URL or the message of a failure. Never rejects.
 */
export async function openMethodPage(): Promise<{ url: string } | { message: string }> {
  try {
    await ensureCustomer();
    return { url: await setUpMethod() };
  } catch (error) {
    logFailure('The page of the payment provider could not be opened', error);
    if (await refreshIfSessionOver(error)) return { message: sessionRenewedMessage };
    return { message: serverMessageOf(error, genericMessage) };
  }
}

async function ensureCustomer(): Promise<void> {
  const { session, newCustomer } = useSessionStore.getState();
  if (session.status !== 'signedIn' || session.user.org.stripeCustomerId) return;
  if (await newCustomer()) return;
  const { session: after } = useSessionStore.getState();
  throw (after.status !== 'loading' && after.error) || new Error(genericMessage);
}

/** Sets the default card in the session, because the server has made the new card the default. */
async function updateDefaultCard(card: Card | null): Promise<void> {
  const { session, setCustomer, refresh } = useSessionStore.getState();
  if (!card || session.status !== 'signedIn' || !session.customer) return refresh();
  setCustomer({ ...session.customer, invoice_settings: { default_payment_method: card } });
}
