import { withTabStorage } from '@/lib/tab-storage';

const key = 'paidBeforeSignOut';

/** Stores for this tab's sign-in form the email of a user who is signed out after a successful payment. */
export function rememberPaidEmail(email: string): void {
  withTabStorage((storage) => storage.setItem(key, email));
}

/** The email of the user who was signed out after a payment in this tab; null for none. */
export const paidEmail = (): string | null => withTabStorage((storage) => storage.getItem(key));

export function forgetPaidEmail(): void {
  withTabStorage((storage) => storage.removeItem(key));
}
