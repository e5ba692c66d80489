import { useCallback, useEffect, useState } from 'react';
import { type Card, listCards } from '@/api';
import { logFailure } from '@/app/log';
import { noticeEnd } from '@/features/session/notice-end';

/** The saved cards, or how far the asking has come. */
export type CardList =
  | { status: 'loading' }
  | { status: 'failed' }
  | { status: 'ready'; cards: readonly Card[] };

/** Loads the saved cards. A reload keeps showing what is known until the answer is there. */
export function useCardList(): { list: CardList; reload: () => Promise<void> } {
  const [list, setList] = useState<CardList>({ status: 'loading' });
  const reload = useCallback(async () => {
    try {
      setList({ status: 'ready', cards: await listCards() });
    } catch (error) {
      logFailure('The cards could not be loaded', error);
      setList({ status: 'failed' });
      noticeEnd(error);
    }
  }, []);
  useEffect(() => {
    void reload();
  }, [reload]);
  return { list, reload };
}
