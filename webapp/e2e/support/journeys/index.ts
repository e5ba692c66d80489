import { accountJourneys } from './account';
import { billingJourneys } from './billing';
import { cardJourneys } from './cards';
import { customerJourneys } from './customer';
import { invoiceJourneys } from './invoice';
import type { Journey } from './journey';
import { paymentJourneys } from './payment';
import { planJourneys } from './plan';
import { securityJourneys } from './security';
import { visitorJourneys } from './visitor';

/** Every screen, in every state that looks different. */
export const journeys: readonly Journey[] = [
  ...visitorJourneys,
  ...paymentJourneys,
  ...customerJourneys,
  ...cardJourneys,
  ...planJourneys,
  ...billingJourneys,
  ...invoiceJourneys,
  ...accountJourneys,
  ...securityJourneys,
];
