import { withTabStorage } from '@/lib/tab-storage';

const key = 'paidBeforeSignOut';

/** Remembers in this tab who is signed out after a successful payment, for the sign-in form. */
export function rememberPaid(email: string): void {
  withTabStorage((storage) => storage.setItem(key, email));
}

/** The email of the user who was signed out after a payment in this tab; null for none. */
export const paidEmail = (): string | null => withTabStorage((storage) => storage.getItem(key));

export function forgetPaid(): void {
  withTabStorage((storage) => storage.removeItem(key));
}
