import { type BillPayment, type Card, defaultCardIdOf } from '@/api';
import { useConfig } from '@/modules/config/config-store';
import { approveBill } from '@/modules/payments/pay-open-payment';
import type { ConfirmationResult } from '@/modules/payments/payment-types';
import { cardsQuery } from '@/modules/payments/queries';
import { queryClient, reloadData } from '@/modules/session/query-client';
import { refreshUntil, type Session, useSessionStore } from '@/modules/session/session-store';
import { billMessage, type CardOutcome, type CardsMessage } from './bill-text';

/**
 * Returns a function that shows the outcome of an overdue bill, which the server charged to a card when the card was
 * added or made the default. If the bank requires an approval, the customer is asked for it before the final outcome.
 */
export function useBillOutcome(showMessage: (message: CardsMessage) => void) {
  const config = useConfig();

  return async function showBillOutcome(card: Card, isNew: boolean, billPayment: BillPayment) {
    showMessage(billMessage(await loadOutcome(card, isNew, billPayment), billPayment, config));
    if (billPayment.status !== 'requires_action') return;
    const result = await approveBill(billPayment, config.provider);
    await showBillOutcome(card, isNew, { ...billPayment, ...billStatusOf(result) });
  };
}

function billStatusOf(result: ConfirmationResult): Pick<BillPayment, 'status' | 'message'> {
  if (result.kind === 'failed') return { status: 'failed', message: result.message };
  return { status: result.kind === 'succeeded' ? 'paid' : 'processing', message: '' };
}

/**
 * Loads the customer and the cards again, and returns the state of the card. The server removes a new card if the
 * payment with it fails.
 */
async function loadOutcome(
  card: Card,
  isNew: boolean,
  billPayment: BillPayment,
): Promise<CardOutcome> {
  if (billPayment.status === 'paid') {
    await refreshUntil((session) => openInvoiceId(session) !== billPayment.invoiceId);
  } else {
    await useSessionStore.getState().refresh();
  }
  await reloadData();
  const list = queryClient.getQueryState(cardsQuery.queryKey);
  const { session } = useSessionStore.getState();
  const customer = session.status === 'signedIn' ? session.customer : null;
  return {
    card,
    isNew,
    isSaved: list?.status !== 'success' || Boolean(list.data?.some(({ id }) => id === card.id)),
    isDefault: defaultCardIdOf(customer) === card.id,
  };
}

function openInvoiceId(session: Session): string | undefined {
  return session.status === 'signedIn' ? session.user.openPayment?.invoiceId : undefined;
}
