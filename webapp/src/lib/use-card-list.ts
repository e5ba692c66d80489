import { useCallback, useEffect, useState } from 'react';
import { type Card, listCards } from '@/api';
import { logFailure } from './log';
import { refreshIfSessionOver, useSession } from './session-store';

/** The saved cards, or the state of the request for them. */
export type CardList =
  | { status: 'loading' }
  | { status: 'failed' }
  | { status: 'ready'; cards: readonly Card[] };

/**
 * Loads the saved cards. `reload` keeps the present ones until the response arrives and returns the
 * cards, or null on failure. Without `saved`, the provider saves none and none are requested.
 */
export function useCardList(saved = true): {
  list: CardList;
  reload: () => Promise<readonly Card[] | null>;
} {
  const [list, setList] = useState<CardList>({ status: 'loading' });
  const reload = useCallback(async () => {
    if (!saved) {
      setList({ status: 'ready', cards: [] });
      return [];
    }
    try {
      const cards = await listCards();
      setList({ status: 'ready', cards });
      return cards;
    } catch (error) {
      logFailure('The cards could not be loaded', error);
      setList({ status: 'failed' });
      void refreshIfSessionOver(error);
      return null;
    }
  }, [saved]);
  const signedIn = useSession().status === 'signedIn';
  useEffect(() => {
    if (signedIn) void reload();
  }, [reload, signedIn]);
  return { list, reload };
}
