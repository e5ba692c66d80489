import { useState } from 'react';
import { type Card, deleteCard, setDefaultCard } from '@/api';
import { logFailure } from '@/app/log';
import { noticeEnd } from '@/features/session/notice-end';
import { useSessionStore } from '@/features/session/session-store';
import { cardName } from './card-words';

/** What can be done with a saved card, one thing at a time. */
export interface CardActions {
  /** The id of the card something is being done with; null when nothing is. */
  busy: string | null;
  makeDefault: (card: Card) => Promise<void>;
  remove: (card: Card) => Promise<void>;
}

/**
 * The actions. A success is told to `done`, in a sentence, once everything shows it; a failure is
 * logged and nothing else, as the specification wants it.
 */
export function useCardActions(
  reload: () => Promise<void>,
  done: (what: string) => void,
): CardActions {
  const [busy, setBusy] = useState<string | null>(null);
  const setCustomer = useSessionStore((store) => store.setCustomer);

  async function act(card: Card, failure: string, action: () => Promise<string>) {
    setBusy(card.id);
    try {
      done(await action());
    } catch (error) {
      logFailure(failure, error);
      noticeEnd(error);
    } finally {
      setBusy(null);
    }
  }

  return {
    busy,
    makeDefault: (card) =>
      act(card, 'The default card could not be set', async () => {
        setCustomer(await setDefaultCard(card.id));
        return `${cardName(card)} is your default card now.`;
      }),
    remove: (card) =>
      act(card, 'The card could not be deleted', async () => {
        await deleteCard(card.id);
        await reload();
        return `${cardName(card)} was deleted.`;
      }),
  };
}
