import type { APIRequestContext } from '@playwright/test';
import { post, signedIn } from './support/api';
import { addCard } from './support/cards';
import { advanceClock } from './support/dev';
import { cards, fillCard, subscribe } from './support/payment';
import { newPerson } from './support/person';
import { fillRegistration } from './support/registration';
import { Server } from './support/server';
import { test as base, expect } from './support/test';

/** The test of the other suites, at a server that limits how often things are tried. */
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

/** Calls until the server says that it was too often. */
async function useUp(request: APIRequestContext, path: string, data: object = {}): Promise<void> {
  await request.get('/vc-admin/diy/config.json');
  const { cookies } = await request.storageState();
  const token = cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '';
  const headers = { 'X-Requested-With': 'XMLHttpRequest', 'X-XSRF-TOKEN': token };
  for (let calls = 0; calls < 50; calls++) {
    const answer = await request.post(path, { data, headers });
    if (answer.status() === 429) return;
  }
  throw new Error(`${path} has no limit`);
}

/** Waits until the budget of calls to the provider, which the calls before used up, admits pages again. */
async function untilPagesAreServed(request: APIRequestContext): Promise<void> {
  await expect
    .poll(async () => (await request.get('/vc-admin/org/customer/cards')).status())
    .toBe(200);
}

test.afterEach(({ request }) => advanceClock(request, '1h'));

test('signing in too often says how long to wait and keeps what was typed', async ({
  page,
  guard,
}) => {
  guard.expect(429, '/auth/login');
  guard.expectLog(/^Signing in failed/);
  await useUp(page.request, '/auth/login', { username: 'ada@clinic.example', password: 'x' });
  await page.goto('/vc-admin/dash');
  await page.getByLabel('Email').fill('ada@clinic.example');
  await page.getByLabel('Password', { exact: true }).fill('Tide-And-Time-7');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();

  await expect(page.getByRole('alert')).toHaveText(tooOften);
  await expect(page.getByLabel('Email')).toHaveValue('ada@clinic.example');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('Tide-And-Time-7');
});

test('whose browser is known gets in, whatever others guess', async ({
  page,
  playwright,
  server,
}) => {
  const { email, password } = await signedIn(page.request);
  await page.request.get('/vc-admin/auth/logout');
  const stranger = await playwright.request.newContext({ baseURL: server.url });
  await useUp(stranger, '/auth/login', { username: email, password: 'Wrong1horse' });
  await stranger.dispose();

  await post(page.request, '/auth/login', { username: email, password });
});

test('asking for the e-mail too often says how long to wait', async ({ page, guard }) => {
  guard.expect(429, '/vc-admin/auth/verify/resend');
  const email = 'ada@clinic.example';
  await useUp(page.request, '/vc-admin/auth/verify/resend', { email });
  await page.goto('/vc-admin/dash?verified=0');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send the e-mail again' }).click();
  await expect(page.getByText(tooOften)).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
});

test('registering too often says how long to wait and keeps the form', async ({ page, guard }) => {
  guard.expect(429, '/vc-admin/signup');
  guard.expectLog(/^Signing up failed/);
  const person = newPerson();
  await page.goto(
    '/vc-admin/diy/regform?product=professional&interval=yearly&currency=AUD&debug=true',
  );
  await fillRegistration(page, person);
  const taken = await signedIn(page.request);
  await page.request.get('/vc-admin/auth/logout');
  await useUp(page.request, '/vc-admin/signup', {
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
  await expect(page.getByLabel('Organization')).toHaveValue(person.org);
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(person.password);
  await expect(page.getByLabel('State/Province')).toHaveValue('New South Wales');
});

test('a common password is refused beside its field', async ({ page, guard }) => {
  guard.expect(400, '/vc-admin/signup');
  guard.expectLog(/^Signing up failed/);
  await page.goto(
    '/vc-admin/diy/regform?product=professional&interval=yearly&currency=AUD&debug=true',
  );
  await fillRegistration(page, { ...newPerson(), password: 'Passw0rd' });
  await page.getByRole('button', { name: 'Submit' }).click();

  const password = page.getByLabel('Password', { exact: true });
  await expect(password).toHaveAccessibleDescription(/This password is too common/);
  await expect(password).toBeFocused();
  await expect(password).toHaveValue('Passw0rd');
});

test('adding cards too often says how long to wait under the field', async ({ page, guard }) => {
  guard.expect(429, '/vc-admin/org/customer/cards/add');
  guard.expectLog(/^The card could not be added/);
  await signedIn(page.request);
  await post(page.request, '/vc-admin/user-diy/new-customer');
  await useUp(page.request, '/vc-admin/org/customer/cards/add', { paymentMethodId: 'pm_none' });
  await untilPagesAreServed(page.request);
  await page.goto('/vc-admin/diy/cards?debug=true');
  await addCard(page, cards.good);

  await expect(page.getByText(tooOften)).toBeVisible();
  await expect(page.getByLabel('Card number')).toHaveValue('4242 4242 4242 4242');
});

test('paying too often says how long to wait and that nothing was charged', async ({
  page,
  guard,
}) => {
  guard.expect(429, '/vc-admin/user-diy/subscribe');
  await signedIn(page.request);
  const { id } = await post<{ id: string }>(page.request, '/vc-admin/user-diy/new-customer');
  await useUp(page.request, '/vc-admin/user-diy/new-customer');
  await untilPagesAreServed(page.request);
  await page.goto(
    `/vc-admin/diy/payment?customer=${id}&product=professional&currency=AUD&interval=yearly&debug=true`,
  );
  await fillCard(page, cards.good);
  await subscribe(page);

  await expect(page.getByRole('alert')).toContainText(tooOften);
  await expect(page.getByRole('alert')).toContainText('Nothing was charged.');
  await expect(page.getByLabel('Card number')).toHaveValue('4242 4242 4242 4242');
});
