import type { Registration as Payload } from '@/api';
import { cleanPhone, cleanPostalCode, normalizeEmail } from '@/rules/codes';
import { asciiUpper } from '@/rules/letter-case';
import type { Registration as Form } from '@/rules/registration';
import { clean } from '@/rules/text';
import { isInterval } from '@/rules/types';

/** The plan, interval and currency that the visitor chose on the plans page. */
export interface PlanChoice {
  product: string;
  interval: string;
  currency: string;
}

/** Returns the body of the sign-up call for a form: with a nested address and without the repeated password. */
export function payloadOf(form: Form, { product, interval, currency }: PlanChoice): Payload {
  return {
    firstName: clean(form.firstName),
    lastName: clean(form.lastName),
    org: clean(form.org),
    email: normalizeEmail(form.email),
    password: form.password,
    contact: cleanPhone(form.contact),
    billing_address: billingAddressOf(form),
    ...(currency && { metadata: { currency: asciiUpper(currency) } }),
    ...(isInterval(interval) && { product, interval }),
  };
}

function billingAddressOf(form: Form): Payload['billing_address'] {
  return {
    line1: clean(form.line1),
    line2: clean(form.line2),
    country: form.country,
    state: clean(form.state),
    postal_code: cleanPostalCode(form.pincode),
    city: clean(form.district),
  };
}
