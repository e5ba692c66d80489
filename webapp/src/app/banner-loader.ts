import type { UserDetail } from '@/api';
import { withTimeLimit } from '@/lib/time-limit';
import type { Banners } from './Banners';

/** How long the page waits for the banners, in milliseconds. */
const timeLimit = 10_000;

let banners: typeof Banners | null = null;

/** Returns the component with the banners, or null if `loadBanners` has not loaded it. */
export const loadedBanners = () => banners;

/** Loads the code of the banners for a user who has one. If that fails or takes too long, the page has no banner. */
export async function loadBanners({ openPayment, hold }: UserDetail): Promise<void> {
  if (!openPayment && !hold) return;
  try {
    banners = (await withTimeLimit(import('./Banners'), timeLimit)).Banners;
  } catch {
    // Showing the session without a banner is better than waiting for it.
  }
}
