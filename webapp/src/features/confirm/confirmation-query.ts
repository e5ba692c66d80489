import { queryOptions } from '@tanstack/react-query';
import {
  type Card,
  defaultCardOf,
  getCustomerWithCard,
  getUserDetail,
  type License,
  listSubscriptions,
  type OpenPayment,
  type UserDetail,
} from '@/api';
import type { PricedOffer } from '@/modules/billing/offer';
import { actionWithInstructions } from '@/modules/config/capabilities';
import type { ConfirmState } from '@/modules/session/navigation-state';
import { addLicenseCurrency, type User } from '@/modules/session/session-store';

/** The change to confirm, from the navigation state. */
export interface ChangeToConfirm {
  user: User;
  change: ConfirmState;
  /** The plan and price of `change.to`. */
  target: PricedOffer;
}

/** The loaded data of the confirmation. */
export interface ConfirmationData {
  /** The default card, which is charged. */
  card: Card | null;
  /** The current license. It is loaded again because a trial may have ended since the plans page was opened. */
  license: License | null;
  openPayment: OpenPayment | null;
  /** Whether a payment was disputed; the plan can't be changed then. */
  isOnHold: boolean;
  /** The reasons why prices can't be chosen now, by price id. */
  planObstacles: UserDetail['planObstacles'];
  /** Whether an invoice waits for a bank transfer. */
  awaitsTransfer: boolean;
  /** Whether there was an earlier subscription; a new one has no trial then. */
  noTrial: boolean;
}

interface LoadOptions {
  /** Whether the organisation has a customer at the payment provider. */
  hasCustomer: boolean;
  /** Whether a new subscription is started. */
  isNew: boolean;
}

/** Loads the data of the confirmation. It is not cached, because the charge depends on it. */
export const confirmationQuery = (options: LoadOptions) =>
  queryOptions({
    queryKey: ['confirmation', options],
    queryFn: () => loadData(options),
    gcTime: 0,
    meta: { failure: 'The confirmation could not be loaded' },
  });

async function loadData({ hasCustomer, isNew }: LoadOptions): Promise<ConfirmationData> {
  const [user, customer, canceledSubscriptions] = await Promise.all([
    getUserDetail(),
    hasCustomer ? getCustomerWithCard() : null,
    isNew ? listSubscriptions('canceled') : [],
  ]);
  return {
    card: defaultCardOf(customer),
    license: user && addLicenseCurrency(user, customer).license,
    openPayment: user?.openPayment ?? null,
    isOnHold: user?.hold != null,
    planObstacles: user?.planObstacles,
    awaitsTransfer: actionWithInstructions(user?.next) !== null,
    noTrial: canceledSubscriptions.length > 0,
  };
}
