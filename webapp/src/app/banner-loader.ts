import type { UserDetail } from '@/api';
import type { Banners } from './Banners';

let banners: typeof Banners | null = null;

/** Returns the component with the banners; null if `loadBanners` has not loaded it. */
export const loadedBanners = () => banners;

/** Loads the code of the banners for a user who has one. If that fails, the page has no banner. */
export async function loadBanners({ openPayment, hold }: UserDetail): Promise<void> {
  if (!openPayment && !hold) return;
  try {
    banners = (await import('./Banners')).Banners;
  } catch {
    // The session is more important.
  }
}
