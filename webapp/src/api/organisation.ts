import { get, post } from './client';
import type { Card, Customer, Organisation, WithBillPayment } from './types';

const defaultCard = 'invoice_settings.default_payment_method';

/** The caller's own organisation. */
export const getOrganisation = (id: string) =>
  get<Organisation>(`/vc-admin/org/detail/${encodeURIComponent(id)}`);

/** The organisation's customer at the payment provider; the default card is only named. */
export const getCustomer = () => post<Customer>('/vc-admin/org/customer');

/** The same with its default card in full: see `defaultCardOf`. */
export const getCustomerWithCard = () =>
  post<Customer>('/vc-admin/org/customer', { expand: [defaultCard] });

/** Makes the organisation's customer, once however often it is called, and returns it. */
export const newCustomer = () => post<Customer>('/vc-admin/user-diy/new-customer');

/**
 * Makes a saved card the one that gets charged; returns the customer with that card in full, and
 * what happened to an overdue bill.
 */
export const setDefaultCard = (cardId: string) =>
  post<Customer & WithBillPayment>('/vc-admin/org/customer/edit', {
    invoice_settings: { default_payment_method: cardId },
  });

/**
 * The saved cards, newest first. A bare array is accepted as well: the specification names both.
 */
export const listCards = async (): Promise<Card[]> => {
  const answer = await get<Card[] | { data: Card[] }>('/vc-admin/org/customer/cards');
  return Array.isArray(answer) ? answer : answer.data;
};

/** Saves a card that was made in the browser, makes it the default and tries an overdue bill. */
export const addCard = (paymentMethodId: string) =>
  post<Card & WithBillPayment>('/vc-admin/org/customer/cards/add', {
    paymentMethodId,
    set_default: true,
  });

/** Deletes a saved card. */
export const deleteCard = (paymentMethodId: string) =>
  post<object>('/vc-admin/org/customer/cards/del', { paymentMethodId });

/** The customer's default card when it came in full, else null. */
export function defaultCardOf(customer: Customer | null): Card | null {
  const card = customer?.invoice_settings.default_payment_method;
  return card && typeof card !== 'string' ? card : null;
}

/** The id of the customer's default card, however it came; null when there is none. */
export function defaultCardIdOf(customer: Customer | null): string | null {
  const card = customer?.invoice_settings.default_payment_method;
  return (typeof card === 'string' ? card : card?.id) || null;
}
