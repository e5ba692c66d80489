import type { APIRequestContext } from '@playwright/test';
import { post, signInNewUser } from './support/api';
import { advanceClock } from './support/dev';
import { cards, fillCard, subscribe } from './support/payment';
import { fillRegistration } from './support/registration';
import { Server } from './support/server';
import { test as base, expect } from './support/test';
import { newUser } from './support/user';

/** The test of the other suites, with a server that has rate limits. */
const test = base.extend<object, { server: Server }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's names
    async ({}, use) => {
      const server = await Server.start({ DIY_RATE_LIMITS: 'on' });
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
});

const tooOften = /That was tried too often\. Please try again in \d+ (seconds?|minutes?)\./;

/** Repeats a call until its rate limit is reached. */
async function exhaust(request: APIRequestContext, path: string, data: object = {}): Promise<void> {
  await request.get('/vc-admin/diy/config.json');
  const { cookies } = await request.storageState();
  const token = cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '';
  const headers = { 'X-Requested-With': 'XMLHttpRequest', 'X-XSRF-TOKEN': token };
  for (let calls = 0; calls < 50; calls++) {
    const response = await request.post(path, { data, headers });
    if (response.status() === 429) return;
  }
  throw new Error(`${path} has no limit`);
}

/** Waits until the rate limit of calls to the provider admits requests again. */
async function waitForRateLimit(request: APIRequestContext): Promise<void> {
  await expect
    .poll(async () => (await request.get('/vc-admin/org/customer/cards')).status())
    .toBe(200);
}

test.afterEach(({ request }) => advanceClock(request, '1h'));

test('signing in shows the wait when the rate limit is reached, and keeps the form', async ({
  page,
  guard,
}) => {
  guard.expect(429, '/auth/login');
  guard.expectLog(/^Signing in failed/);
  await exhaust(page.request, '/auth/login', { username: 'ada@clinic.example', password: 'x' });
  await page.goto('/vc-admin/dash');
  await page.getByLabel('Email').fill('ada@clinic.example');
  await page.getByLabel('Password', { exact: true }).fill('Tide-And-Time-7');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();

  await expect(page.getByRole('alert')).toHaveText(tooOften);
  await expect(page.getByLabel('Email')).toHaveValue('ada@clinic.example');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('Tide-And-Time-7');
});

test('registering shows the wait when the rate limit is reached, and keeps the form', async ({
  page,
  guard,
}) => {
  guard.expect(429, '/vc-admin/signup');
  guard.expectLog(/^Signing up failed/);
  const user = newUser();
  await page.goto(
    '/vc-admin/diy/regform?product=professional&interval=yearly&currency=AUD&debug=true',
  );
  await fillRegistration(page, user);
  const taken = await signInNewUser(page.request);
  await page.request.get('/vc-admin/auth/logout');
  await exhaust(page.request, '/vc-admin/signup', {
    ...taken,
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

  await expect(page.getByRole('alert')).toHaveText(tooOften);
  await expect(page.getByLabel('Organization')).toHaveValue(user.org);
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(user.password);
  await expect(page.getByLabel('State/Province')).toHaveValue('New South Wales');
});

test('paying shows the wait and that nothing was charged when the rate limit is reached', async ({
  page,
  guard,
}) => {
  guard.expect(429, '/vc-admin/user-diy/subscribe');
  await signInNewUser(page.request);
  const { id } = await post<{ id: string }>(page.request, '/vc-admin/user-diy/new-customer');
  await exhaust(page.request, '/vc-admin/user-diy/new-customer');
  await waitForRateLimit(page.request);
  await page.goto(
    `/vc-admin/diy/payment?customer=${id}&product=professional&currency=AUD&interval=yearly&debug=true`,
  );
  await fillCard(page, cards.good);
  await subscribe(page);

  await expect(page.getByRole('alert')).toContainText(tooOften);
  await expect(page.getByRole('alert')).toContainText('Nothing was charged.');
  await expect(page.getByLabel('Card number')).toHaveValue('4242 4242 4242 4242');
});
