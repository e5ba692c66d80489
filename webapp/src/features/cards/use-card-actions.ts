import { useState } from 'react';
import { type Card, deleteCard, type OverduePayment, setDefaultCard } from '@/api';
import { logFailure } from '@/lib/log';
import { isRefused } from '@/modules/payments/execute-payment';
import { reloadData } from '@/modules/session/query-client';
import { refreshIfSessionOver, useSessionStore } from '@/modules/session/session-store';

/** The actions on the saved cards. Only one action runs at a time. */
export interface CardActions {
  /** The id of the card with a running action; null if none is running. */
  busyCardId: string | null;
  makeDefault: (card: Card) => Promise<void>;
  deleteCard: (card: Card) => Promise<void>;
}

interface CardActionHandlers {
  /** Called after a card became the default; `overduePayment` is the payment of an overdue invoice with it, if any. */
  onDefaultChange: (card: Card, overduePayment: OverduePayment | null) => Promise<void>;
  onDelete: (card: Card) => Promise<void>;
}

/** Returns the actions. As specified, a failure is logged but not shown. */
export function useCardActions({ onDefaultChange, onDelete }: CardActionHandlers): CardActions {
  const [busyCardId, setBusyCardId] = useState<string | null>(null);
  const setCustomer = useSessionStore((store) => store.setCustomer);

  async function run(card: Card, failureMessage: string, action: () => Promise<void>) {
    setBusyCardId(card.id);
    try {
      await action();
    } catch (error) {
      logFailure(failureMessage, error);
      void refreshIfSessionOver(error);
    } finally {
      setBusyCardId(null);
    }
  }

  return {
    busyCardId,
    makeDefault: (card) =>
      run(card, 'The default card could not be set', async () => {
        const { customer, payment } = await setDefaultCard(card.id);
        setCustomer(customer);
        await onDefaultChange(card, payment);
      }),
    deleteCard: (card) =>
      run(card, 'The card could not be deleted', async () => {
        await deleteCard(card.id).catch((error) => {
          if (!isRefused(error)) void reloadData(); // the card may have been deleted
          throw error;
        });
        await onDelete(card);
      }),
  };
}
