import { readJson, removeItem, writeItem } from '@/lib/storage';

/** The texts about a purchase or plan change that signed the user out. */
export interface PurchaseTexts {
  title: string;
  text: string;
}

/** What the sign-in form of this tab shows after a purchase. */
interface PurchaseNotice extends PurchaseTexts {
  /** The email of the user who was signed out. */
  email: string;
}

const key = 'purchaseNotice';

/** Stores the notice for the sign-in form of this tab. */
export function rememberPurchaseNotice(notice: PurchaseNotice): void {
  writeItem('sessionStorage', key, JSON.stringify(notice));
}

/** Returns the notice about the purchase after which the user was signed out in this tab, or null for none. */
export const purchaseNotice = (): PurchaseNotice | null =>
  readJson('sessionStorage', key) as PurchaseNotice | null;

/** Removes the notice. Call it when a user is signed in. */
export function forgetPurchaseNotice(): void {
  removeItem('sessionStorage', key);
}
