import { withTabStorage } from '@/lib/tab-storage';

const key = 'paidBeforeSignOut';

/** Stores the email of a user who is signed out after a successful payment, for the sign-in form of this tab. */
export function rememberPaidEmail(email: string): void {
  withTabStorage((storage) => storage.setItem(key, email));
}

/** Returns the email of the user who was signed out after a payment in this tab; null for none. */
export const paidEmail = (): string | null => withTabStorage((storage) => storage.getItem(key));

export function forgetPaidEmail(): void {
  withTabStorage((storage) => storage.removeItem(key));
}
