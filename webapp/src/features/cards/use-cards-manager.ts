import { type RefObject, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { methodNoun, methodText } from '@/modules/billing/method-text';
import { useGo } from '@/modules/session/navigation';
import { reloadData } from '@/modules/session/query-client';
import { useMethodPageReturn, type VisitResult } from './method-page-visit';
import type { CardsMessage } from './overdue-payment-text';
import { redirectOf } from './redirect-to';
import type { SaveSuccess } from './save-card';
import { type CardActions, useCardActions } from './use-card-actions';
import { useOverduePaymentOutcome } from './use-overdue-payment-outcome';

interface CardsManager {
  /** The message about the last action; null before the first one. */
  message: CardsMessage | null;
  actions: CardActions;
  /** Shows that a card was saved, or goes back to the screen that requested the card. */
  onAdd: (result: SaveSuccess) => Promise<void>;
  /** Whether the result of a visit to the provider's page is being determined. */
  isCheckingVisit: boolean;
}

/**
 * Returns the actions on the saved cards and the message about the last one. Each action reloads the data of the
 * screen; each message moves the focus to the heading.
 */
export function useCardsManager(heading: RefObject<HTMLElement | null>): CardsManager {
  const [message, setMessage] = useState<CardsMessage | null>(null);
  const goBack = useGoBack();
  const showOverduePaymentOutcome = useOverduePaymentOutcome(showMessageOrGoBack);
  const actions = useCardActions({
    onDefaultChange: async (card, overduePayment) => {
      if (overduePayment) return showOverduePaymentOutcome(card, false, overduePayment);
      void reloadData();
      showMessage({
        tone: 'success',
        text: `${methodText(card)} is your default ${methodNoun(card)} now.`,
      });
    },
    onDelete: async (card) => {
      await reloadData();
      showMessage({ tone: 'success', text: `${methodText(card)} was deleted.` });
    },
  });
  const isCheckingVisit = useMethodPageReturn(showVisitResult);

  async function onAdd({ card, overduePayment }: SaveSuccess) {
    if (card && overduePayment) return showOverduePaymentOutcome(card, true, overduePayment);
    const reload = reloadData();
    if (goBack) return goBack();
    await reload;
    showMessage({
      tone: 'success',
      text: card
        ? `${methodText(card)} was added and is your default ${methodNoun(card)} now.`
        : 'Your card was added and is your default card now.',
    });
  }

  function showVisitResult(result: VisitResult) {
    if (result === 'nothing_saved') {
      return showMessage({
        tone: 'attention',
        title: 'No new payment method yet',
        text: 'If you saved one, it is not confirmed yet. It appears here as soon as it is. Otherwise nothing changes, and you can add one at any time.',
      });
    }
    if (result.ok) return void onAdd(result);
    void reloadData();
    showMessage({ tone: 'danger', title: result.message, text: 'Please try again.' });
  }

  /** Goes back with a success message if another screen requested the card. Shows all other messages here. */
  function showMessageOrGoBack(message: CardsMessage) {
    if (goBack && message.tone === 'success') goBack(message.text);
    else showMessage(message);
  }

  /** Shows the message and focuses the heading, because the focused element may have been removed. */
  function showMessage(message: CardsMessage) {
    setMessage(message);
    heading.current?.focus();
  }

  return { message, actions, onAdd, isCheckingVisit };
}

/**
 * Returns a function that goes back to the screen that requested a card and shows a notice there, or null if no screen
 * requested one.
 */
function useGoBack() {
  const go = useGo();
  const { state } = useLocation();
  const path = redirectOf(state);
  if (!path) return null;
  return (notice?: string) =>
    go(path, { state: notice ? { ...state, notice } : state, replace: true });
}
