import { useSyncExternalStore } from 'react';
import { matchesMedia, watchMedia } from './media-query';

/** Returns whether a media query matches, and renders again when that changes. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => watchMedia(query, onChange),
    () => matchesMedia(query),
  );
}
