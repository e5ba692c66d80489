import { accessStorage } from '@/lib/access-storage';

const key = 'paidBeforeSignOut';

/** Stores the email of a user who is signed out after a successful payment, for the sign-in form of this tab. */
export function rememberPayerEmail(email: string): void {
  accessStorage(() => sessionStorage.setItem(key, email));
}

/** Returns the email of the user who was signed out after a payment in this tab; null for none. */
export const payerEmail = (): string | null => accessStorage(() => sessionStorage.getItem(key));

/** Removes the stored email, after a sign-in. */
export function forgetPayerEmail(): void {
  accessStorage(() => sessionStorage.removeItem(key));
}
