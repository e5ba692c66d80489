import { get, post } from './client';
import type { Card, Customer, Organisation, WithBillPayment } from './types';

const defaultCard = 'invoice_settings.default_payment_method';

/** Returns the user's organisation. */
export const getOrganisation = (id: string) =>
  get<Organisation>(`/vc-admin/org/detail/${encodeURIComponent(id)}`);

/** Returns the organisation's customer at the payment provider, with the id of its default card. */
export const getCustomer = () => post<Customer>('/vc-admin/org/customer');

/** Returns the customer with its whole default card; see `defaultCardOf`. */
export const getCustomerWithCard = () =>
  post<Customer>('/vc-admin/org/customer', { expand: [defaultCard] });

/** Creates the organisation's customer unless it exists, and returns it. */
export const newCustomer = () => post<Customer>('/vc-admin/user-diy/new-customer');

/**
 * Makes a saved card the default one. Returns the customer with that card, and the outcome for an
 * overdue bill.
 */
export const setDefaultCard = (cardId: string) =>
  post<Customer & WithBillPayment>('/vc-admin/org/customer/edit', {
    invoice_settings: { default_payment_method: cardId },
  });

/**
 * Returns the saved cards, newest first. A bare array is accepted too: the specification has both.
 */
export const listCards = async (): Promise<Card[]> => {
  const response = await get<Card[] | { data: Card[] }>('/vc-admin/org/customer/cards');
  return Array.isArray(response) ? response : response.data;
};

/** Saves a card that was created in the browser, makes it the default and charges an overdue bill. */
export const addCard = (paymentMethodId: string) =>
  post<Card & WithBillPayment>('/vc-admin/org/customer/cards/add', {
    paymentMethodId,
    set_default: true,
  });

/** Deletes a saved card. */
export const deleteCard = (paymentMethodId: string) =>
  post<object>('/vc-admin/org/customer/cards/del', { paymentMethodId });

/** Returns the customer's default card if the response contains it, else null. */
export function defaultCardOf(customer: Customer | null): Card | null {
  const card = customer?.invoice_settings.default_payment_method;
  return card && typeof card !== 'string' ? card : null;
}

/** Returns the id of the customer's default card; null when there is none. */
export function defaultCardIdOf(customer: Customer | null): string | null {
  const card = customer?.invoice_settings.default_payment_method;
  return (typeof card === 'string' ? card : card?.id) || null;
}
