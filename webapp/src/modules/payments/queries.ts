import { queryOptions } from '@tanstack/react-query';
import { listCards } from '@/api';

/** The saved cards, newest first. */
export const cardsQuery = queryOptions({
  queryKey: ['cards'],
  queryFn: listCards,
  meta: { failure: 'The cards could not be loaded' },
});
