import { get, post, postWithoutBody } from './client';
import {
  type Decoder,
  id,
  ignored,
  nullable,
  object,
  optional,
  orEmpty,
  text,
  timeZone,
} from './decode';
import { card, interval } from './parts';
import type { Card, Customer, Organisation } from './types';

/** Returns the user's organisation. */
export const getOrganisation = (orgId: string) =>
  get(`/vc-admin/org/detail/${encodeURIComponent(orgId)}`, organisation);

/** Returns the organisation's customer at the payment provider, with the id of its default card. */
export const getCustomer = () => postWithoutBody('/vc-admin/org/customer', customer);

/** Returns the customer with its default card, not only the card's id; see `defaultCardOf`. */
export const getCustomerWithCard = () =>
  post('/vc-admin/org/customer', customer, {
    expand: ['invoice_settings.default_payment_method'],
  });

/** Creates the organisation's customer unless it exists. */
export const createCustomer = () => postWithoutBody('/vc-admin/user-diy/new-customer', ignored);

export const organisation = object<Organisation>({
  name: optional(text, ''),
  stripeCustomerId: optional(id),
  timeZone: optional(timeZone),
  metadata: optional(
    object<Organisation['metadata']>({
      currency: optional(text),
      product: optional(text),
      interval: optional(interval),
    }),
    {},
  ),
});

type DefaultMethod = Customer['invoice_settings']['default_payment_method'];

/** Decodes the default card or its id. */
const defaultMethod: Decoder<DefaultMethod> = (value, path) =>
  typeof value === 'string' ? value || null : card(value, path);

/** Decodes a customer. Without a default payment method the customer has no card yet. */
export const customer = object<Customer>({
  id,
  currency: optional(nullable(text), null),
  metadata: optional(object({ currency: optional(text) }), {}),
  invoice_settings: orEmpty(object({ default_payment_method: nullable(defaultMethod) })),
});

/** Returns the customer's default card if the response contains it, else null. */
export function defaultCardOf(customer: Customer | null): Card | null {
  const card = customer?.invoice_settings.default_payment_method;
  return card && typeof card !== 'string' ? card : null;
}

/** Returns the id of the customer's default card, or null when there is none. */
export function defaultCardIdOf(customer: Customer | null): string | null {
  const card = customer?.invoice_settings.default_payment_method;
  return (typeof card === 'string' ? card : card?.id) || null;
}
