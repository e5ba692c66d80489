import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { advanceClock, verificationLink } from './dev';
import { cards } from './payment';
import { newUser, type User } from './user';

/** Sends a POST with the headers of the web app and returns the JSON of the response. */
export async function post<T>(
  request: APIRequestContext,
  path: string,
  data: object = {},
): Promise<T> {
  const response = await request.post(path, { data, headers: await callHeaders(request) });
  expect(response.ok(), `${path}: ${await response.text()}`).toBe(true);
  return response.json();
}

/**
 * Returns the headers of the web app's calls: the request marker and the XSRF token, which config.json sets as a cookie.
 */
export async function callHeaders(request: APIRequestContext): Promise<Record<string, string>> {
  await request.get('/vc-admin/diy/config.json');
  const { cookies } = await request.storageState();
  const token = cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '';
  return { 'X-Requested-With': 'XMLHttpRequest', 'X-XSRF-TOKEN': token };
}

/** Registers a user who has chosen Professional, yearly, in AUD. */
export async function signUp(request: APIRequestContext, user: User): Promise<void> {
  await post(request, '/vc-admin/signup', {
    ...user,
    contact: '+61 2 5550 0142',
    billing_address: {
      line1: '12 Harbour Street',
      line2: '',
      city: 'Sydney',
      state: 'New South Wales',
      postal_code: '2000',
      country: 'AU',
    },
    metadata: { currency: 'AUD' },
    product: 'professional',
    interval: 'yearly',
  });
}

/** Registers, verifies and signs in a user who has chosen Professional, yearly, in AUD. */
export async function signInNewUser(
  request: APIRequestContext,
  user: User = newUser(),
): Promise<User> {
  await signUp(request, user);
  await request.get(await verificationLink(request, user.email));
  await post(request, '/auth/login', { username: user.email, password: user.password });
  return user;
}

/** Sets the billing email of the signed-in user's organisation. The server sends a confirmation link to the address. */
export async function editBillingEmail(request: APIRequestContext, billingEmail: string) {
  await post(request, '/vc-admin/org/billing/edit', { billingEmail });
}

/** Starts the trial of Professional, yearly, AUD for the signed-in user. */
export async function startTrial(request: APIRequestContext, card: string = cards.valid) {
  await startTrialWithMethod(request, await createCard(request, card));
}

/** Signs in a new user whose organisation is on the trial of Professional. */
export async function signInOnTrial({ request }: Page): Promise<User> {
  const user = await signInNewUser(request);
  await startTrial(request);
  return user;
}

/** Starts the trial of Professional with a payment method that was created at the provider. */
export async function startTrialWithMethod(request: APIRequestContext, paymentMethodId: string) {
  await startPlan(request, paymentMethodId, 'professional', 'yearly');
}

/** Subscribes the signed-in user to a plan in AUD, with a trial unless the trial was used. */
export async function startPlan(
  request: APIRequestContext,
  paymentMethodId: string,
  plan: 'standard' | 'professional',
  interval: 'monthly' | 'yearly',
): Promise<void> {
  const customer = await post<{ id: string }>(request, '/vc-admin/user-diy/new-customer');
  await post(request, '/vc-admin/user-diy/subscribe', {
    customerId: customer.id,
    paymentMethodId,
    priceId: `${plan}_${interval}`,
    interval,
    currency: 'AUD',
  });
}

/** Creates a card at the fake provider, as the card field does, and returns its id. */
export async function createCard(
  request: APIRequestContext,
  number: string,
  expiry = { exp_month: 12, exp_year: 2034 },
): Promise<string> {
  const response = await request.post('/dev/payments/payment_methods', {
    data: { card: { number, ...expiry, cvc: '123' } },
  });
  return (await response.json()).id;
}

interface License {
  raw: { status: string; trial_end: number | null };
}

/** Returns the current and past license of the signed-in user's organisation. */
export async function getLicenses(request: APIRequestContext): Promise<{
  orgId: string;
  license: License | null;
  pastLicense: License | null;
}> {
  const response = await request.get('/vc-admin/user/detail');
  return (await response.json()).detail;
}

/** Waits until the license of the signed-in user has this status. */
export const expectStatus = (request: APIRequestContext, status: string) =>
  expect
    .poll(async () => (await getLicenses(request)).license?.raw.status, {
      message: 'the status of the license',
    })
    .toBe(status);

/**
 * Starts a trial and lets it end unpaid. The first charge after 7 days is declined, and so are three retries, which
 * follow 3, 5 and 7 days after the previous attempt. Then the plan is canceled.
 */
export async function endTrialUnpaid(request: APIRequestContext): Promise<void> {
  await startTrial(request, cards.declinedWhenCharged);
  await advanceClock(request, '169h');
  await expectStatus(request, 'past_due');
  await advanceClock(request, '361h');
  await expect
    .poll(async () => (await getLicenses(request)).pastLicense?.raw.status, {
      message: 'the plan has ended',
    })
    .toMatch(/^(canceled|unpaid)$/);
}

/** Signs in a new user who has paid for Professional, yearly. */
export async function signInOnPaidPlan(page: Page): Promise<User> {
  const user = await signInOnTrial(page);
  await advanceClock(page.request, '169h');
  await expectStatus(page.request, 'active');
  return user;
}

/** Signs in a new user whose trial has ended unpaid. */
export async function signInAfterTrial(page: Page): Promise<void> {
  await signInNewUser(page.request);
  await endTrialUnpaid(page.request);
}

/** Returns the saved cards. */
export async function listCards(request: APIRequestContext): Promise<{ id: string }[]> {
  const response = await request.get('/vc-admin/org/customer/cards');
  return (await response.json()).data;
}

/** Deletes all saved cards. The default card can be deleted only without a subscription. */
export async function deleteCards(request: APIRequestContext): Promise<void> {
  for (const { id } of await listCards(request)) {
    await post(request, '/vc-admin/org/customer/cards/del', { paymentMethodId: id });
  }
}
