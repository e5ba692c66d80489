import { useState } from 'react';
import { type BillPayment, type Card, deleteCard, setDefaultCard } from '@/api';
import { logFailure } from '@/lib/log';
import { refreshIfSessionOver, useSessionStore } from '@/modules/session/session-store';

/** The actions of a saved card, one at a time. */
export interface CardActions {
  /** The id of the card with a running action; null without one. */
  busy: string | null;
  makeDefault: (card: Card) => Promise<void>;
  remove: (card: Card) => Promise<void>;
}

interface Outcomes {
  /** Called when a card has become the default, with the outcome of an overdue bill. */
  onDefault: (card: Card, bill: BillPayment | null) => Promise<void>;
  onDeleted: (card: Card) => Promise<void>;
}

/** Returns the actions. A failure is logged and not shown, as specified. */
export function useCardActions({ onDefault, onDeleted }: Outcomes): CardActions {
  const [busy, setBusy] = useState<string | null>(null);
  const setCustomer = useSessionStore((store) => store.setCustomer);

  async function act(card: Card, failure: string, action: () => Promise<void>) {
    setBusy(card.id);
    try {
      await action();
    } catch (error) {
      logFailure(failure, error);
      void refreshIfSessionOver(error);
    } finally {
      setBusy(null);
    }
  }

  return {
    busy,
    makeDefault: (card) =>
      act(card, 'The default card could not be set', async () => {
        const { customer, payment } = await setDefaultCard(card.id);
        setCustomer(customer);
        await onDefault(card, payment);
      }),
    remove: (card) =>
      act(card, 'The card could not be deleted', async () => {
        await deleteCard(card.id);
        await onDeleted(card);
      }),
  };
}
