import { createCard } from '../../stripe/support/state';
import type { StripeServer } from '../../stripe/support/stripe-server';
import { newUser, type User } from '../../support/user';
import type { Account } from './back-end';
import type { SpecOnlyServer } from './spec-only-server';
import { StripeAccount } from './stripe-account';

/** Registers and verifies a user without the web app. */
export function registerUser({ backEnd }: SpecOnlyServer): { user: User; account: Account } {
  const user = newUser();
  backEnd.register({ ...user, metadata: { currency: 'AUD' } });
  const account = backEnd.account(user.email);
  account.verified = true;
  return { user, account };
}

/** Registers a user with a default card and a trial of the yearly Professional plan. */
export async function registerCustomer(server: SpecOnlyServer, stripe: StripeServer, card: string) {
  const { user, account } = registerUser(server);
  const stripeAccount = new StripeAccount(stripe);
  const { id } = await stripeAccount.createCustomer();
  account.stripeCustomerId = id;
  await stripeAccount.addCard(id, await createCard(stripe, card));
  const trial = { currency: 'aud', trial_period_days: '7' };
  const subscription = await stripeAccount.subscribe(id, 'professional_yearly', trial);
  return { user, cancel: () => stripeAccount.cancel(subscription) };
}

/** Registers a user with a default card and cancels the trial of the yearly Professional plan. */
export async function registerFormerCustomer(
  server: SpecOnlyServer,
  stripe: StripeServer,
  card: string,
): Promise<User> {
  const { user, cancel } = await registerCustomer(server, stripe, card);
  await cancel();
  return user;
}
