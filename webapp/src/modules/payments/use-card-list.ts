import { listCards } from '@/api';
import { useLoaded } from '@/modules/session/use-loaded';

const noCards = async () => [];

/** Loads the saved cards. Without `saved`, the provider saves none and none are requested. */
export function useCardList(saved = true) {
  const { loaded, reload } = useLoaded(saved ? listCards : noCards, 'The cards');
  return { list: loaded, reload };
}
