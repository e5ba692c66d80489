import { readItem, removeItem, writeItem } from '@/lib/storage';

/** The key under which session storage keeps that a payment has an unknown outcome, across screens and reloads. */
const storageKey = 'unknownPaymentOutcome';

/** Stores that a payment has an unknown outcome, for example because the response was lost. */
export const rememberUnknownOutcome = (): void => writeItem('sessionStorage', storageKey, 'true');

/** Whether a payment has an unknown outcome. No screen may then say that nothing was charged. */
export const hasUnknownOutcome = (): boolean => readItem('sessionStorage', storageKey) !== null;

/** Removes the mark, after the server has reported the result of a payment. */
export const forgetUnknownOutcome = (): void => removeItem('sessionStorage', storageKey);
