import type { APIRequestContext } from '@playwright/test';
import { callHeaders, post, signInNewUser } from './support/api';
import { advanceClock } from './support/dev';
import { cards, fillCard, subscribe } from './support/payment';
import { paymentPath, registrationPath } from './support/plans';
import { fillRegistration } from './support/registration';
import { Server } from './support/server';
import { submitSignIn } from './support/session';
import { expect, testWithServer } from './support/test';
import { newUser } from './support/user';

const test = testWithServer(() => Server.start({ DIY_RATE_LIMITS: 'on' }));

const rateLimitMessage = /That was tried too often\. Please try again in \d+ (seconds?|minutes?)\./;

/** Repeats a call until its rate limit is reached. */
async function exhaustRateLimit(
  request: APIRequestContext,
  path: string,
  data: object = {},
): Promise<void> {
  const headers = await callHeaders(request);
  for (let calls = 0; calls < 50; calls++) {
    const response = await request.post(path, { data, headers });
    if (response.status() === 429) return;
  }
  throw new Error(`${path} has no limit`);
}

/** Waits until the rate limit of calls to the payment provider accepts requests again. */
async function waitForRateLimit(request: APIRequestContext): Promise<void> {
  await expect
    .poll(async () => (await request.get('/vc-admin/org/customer/cards')).status())
    .toBe(200);
}

test.afterEach(({ request }) => advanceClock(request, '1h'));

test('a visitor who signs in too often is asked to wait, and keeps the entered data', async ({
  page,
  guard,
}) => {
  guard.expect(429, '/auth/login');
  guard.expectLog(/^Signing in failed/);
  await exhaustRateLimit(page.request, '/auth/login', {
    username: 'ada@clinic.example',
    password: 'x',
  });
  await page.goto('/vc-admin/dash');
  await submitSignIn(page, { email: 'ada@clinic.example', password: 'Tide-And-Time-7' });

  await expect(page.getByRole('alert')).toHaveText(rateLimitMessage);
  await expect(page.getByLabel('Email')).toHaveValue('ada@clinic.example');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('Tide-And-Time-7');
});

test('a visitor who registers too often is asked to wait, and keeps the entered data', async ({
  page,
  guard,
}) => {
  guard.expect(429, '/vc-admin/signup');
  guard.expectLog(/^Signing up failed/);
  const user = newUser();
  await page.goto(registrationPath);
  await fillRegistration(page, user);
  const existingUser = await signInNewUser(page.request);
  await page.request.get('/vc-admin/auth/logout');
  await exhaustRateLimit(page.request, '/vc-admin/signup', {
    ...existingUser,
    email: user.email,
    contact: '+61 2 5550 0142',
    billing_address: {
      line1: '1',
      country: 'AU',
      state: 'NSW',
      postal_code: '2000',
      city: 'Sydney',
    },
  });
  await page.getByRole('button', { name: 'Submit' }).click();

  await expect(page.getByRole('alert')).toHaveText(rateLimitMessage);
  await expect(page.getByLabel('Organization')).toHaveValue(user.org);
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(user.password);
  await expect(page.getByLabel('State/Province')).toHaveValue('New South Wales');
});

test('a customer who pays too often is asked to wait, and is not charged', async ({
  page,
  guard,
}) => {
  guard.expect(429, '/vc-admin/user-diy/subscribe');
  await signInNewUser(page.request);
  const { id } = await post<{ id: string }>(page.request, '/vc-admin/user-diy/new-customer');
  await exhaustRateLimit(page.request, '/vc-admin/user-diy/new-customer');
  await waitForRateLimit(page.request);
  await page.goto(`${paymentPath}&customer=${id}`);
  await fillCard(page, cards.valid);
  await subscribe(page);

  await expect(page.getByRole('alert')).toContainText(rateLimitMessage);
  await expect(page.getByRole('alert')).toContainText('Nothing was charged.');
  await expect(page.getByLabel('Card number')).toHaveValue('4242 4242 4242 4242');
});
