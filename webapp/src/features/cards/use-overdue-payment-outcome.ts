import { type Card, defaultCardIdOf, type OverduePayment } from '@/api';
import { useConfig } from '@/modules/config/config-store';
import { approveOverduePayment } from '@/modules/payments/pay-open-payment';
import type { ConfirmationResult } from '@/modules/payments/payment-types';
import { cardsQuery } from '@/modules/payments/queries';
import { queryClient, reloadData } from '@/modules/session/query-client';
import { refreshUntil, type Session, useSessionStore } from '@/modules/session/session-store';
import { type CardOutcome, type CardsMessage, overduePaymentMessage } from './overdue-payment-text';

/**
 * Returns a function that shows the outcome of an overdue invoice, which the server charges to a card that was added or made
 * the default. If the bank requires an approval, the function asks for it and then shows the final outcome.
 */
export function useOverduePaymentOutcome(showMessage: (message: CardsMessage) => void) {
  const config = useConfig();

  return async function showOverduePaymentOutcome(
    card: Card,
    isNew: boolean,
    overduePayment: OverduePayment,
  ) {
    showMessage(
      overduePaymentMessage(await loadOutcome(card, isNew, overduePayment), overduePayment, config),
    );
    if (overduePayment.status !== 'requires_action') return;
    const result = await approveOverduePayment(overduePayment, config.provider);
    await showOverduePaymentOutcome(card, isNew, { ...overduePayment, ...statusOf(result) });
  };
}

function statusOf(result: ConfirmationResult): Pick<OverduePayment, 'status' | 'message'> {
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
  overduePayment: OverduePayment,
): Promise<CardOutcome> {
  if (overduePayment.status === 'paid') {
    await refreshUntil((session) => openInvoiceId(session) !== overduePayment.invoiceId);
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
