import { ApiError, addCard, type Card, type OverduePayment, setUpMethod } from '@/api';
import { serverMessageOf } from '@/lib/failure-message';
import { logFailure } from '@/lib/log';
import {
  type AuthenticatedCard,
  authenticateNewCard,
} from '@/modules/payments/authenticate-new-card';
import type { CardProvider } from '@/modules/payments/card-provider/port';
import {
  refreshIfSessionOver,
  sessionRenewedMessage,
  useSessionStore,
} from '@/modules/session/session-store';

/** A saved card with the payment of an overdue invoice. */
export interface SaveSuccess {
  ok: true;
  /** Null when the response does not contain it. */
  card: Card | null;
  /** Null when no invoice was charged to the card. */
  overduePayment: OverduePayment | null;
}

/** A card that was not saved. */
interface SaveFailure {
  ok: false;
  /** The reason. */
  message: string;
  isDeclined?: boolean;
  /** The page of the bank that saves the card when the customer has authenticated it there. */
  url?: string;
}

/** The result of saving a card. */
export type SaveResult = SaveSuccess | SaveFailure;

const genericMessage = 'Invalid request, please try again later';

/**
 * Saves the card in the page's card field and makes it the default one. The customer authenticates the card first if its
 * bank requires that. Never rejects.
 */
export async function saveCard(provider: CardProvider): Promise<SaveResult> {
  const method = await provider.createPaymentMethod();
  if (!method.ok) return method;
  const id = method.paymentMethodId;
  return save(() => addCard(id).catch((error) => authenticateNewCard(error, id, provider)));
}

/** Makes a method that was saved on the provider's page the default one. Never rejects. */
export const saveAsDefault = (methodId: string): Promise<SaveResult> =>
  save(() => addCard(methodId));

/** The response to a saved card. */
type AddedCard = Awaited<ReturnType<typeof addCard>>;

/** Calls `add`, which saves a card. Creates the organisation's customer first if there is none. Never rejects. */
async function save(add: () => Promise<AddedCard | AuthenticatedCard>): Promise<SaveResult> {
  try {
    await ensureCustomer();
    const added = await add();
    if ('kind' in added) {
      if (added.kind === 'failed') return { ok: false, message: added.message };
      if (added.kind === 'redirect') return { ok: false, message: '', url: added.url };
    }
    const { card, payment } = added;
    const overduePayment = card && payment;
    // After a charge the caller refreshes the whole session.
    if (!overduePayment) await updateDefaultCard(card);
    return { ok: true, card, overduePayment };
  } catch (error) {
    logFailure('The card could not be added', error);
    if (await refreshIfSessionOver(error)) return { ok: false, message: sessionRenewedMessage };
    const isDeclined =
      error instanceof ApiError && error.hasServerMessage && error.name === 'ERRCARD';
    return { ok: false, message: serverMessageOf(error, genericMessage), isDeclined };
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

/** Creates the organisation's customer if there is none. Rejects with the error of the session store on failure. */
async function ensureCustomer(): Promise<void> {
  const { session, createCustomer } = useSessionStore.getState();
  if (session.status !== 'signedIn' || session.user.org.stripeCustomerId) return;
  if (await createCustomer()) return;
  const { session: newSession } = useSessionStore.getState();
  throw (newSession.status !== 'loading' && newSession.error) || new Error(genericMessage);
}

/** Stores the new default card in the session. Refreshes the session instead if the card or the customer is unknown. */
async function updateDefaultCard(card: Card | null): Promise<void> {
  const { session, setCustomer, refresh } = useSessionStore.getState();
  if (!card || session.status !== 'signedIn' || !session.customer) return refresh();
  setCustomer({ ...session.customer, invoice_settings: { default_payment_method: card } });
}
