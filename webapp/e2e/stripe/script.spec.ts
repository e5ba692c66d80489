import { signInNewUser } from '../support/api';
import { cards, expectSuccessAndLogout, subscribe } from '../support/payment';
import { paymentPath, registrationPath } from '../support/plans';
import { delayRequests } from '../support/requests';
import { cardFrame, typeCard } from './support/card';
import { scriptUrlPattern } from './support/script';
import { startTrial } from './support/state';
import { expect, test } from './support/test';

test('a blocked script shows an error, and Try again loads the script without a page reload', async ({
  page,
  guard,
}) => {
  await signInNewUser(page.request);
  await page.route(scriptUrlPattern, (route) => route.abort('blockedbyclient'));
  await page.goto(paymentPath);
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('The card field could not be loaded');
  await expect(alert).toContainText('Nothing was charged.');
  await expect(page.getByText('$816 AUD').first()).toBeVisible();
  for (const problem of guard.problems.splice(0)) {
    expect(problem).toMatch(/ERR_BLOCKED_BY_CLIENT\S*: GET https:\/\/js\.stripe\.com\//);
  }

  await page.evaluate(() => document.body.setAttribute('data-same-page', ''));
  await page.unroute(scriptUrlPattern);
  await alert.getByRole('button', { name: 'Try again' }).click();
  await typeCard(page, cards.valid);
  await expect(page.locator('body[data-same-page]')).toBeAttached();
  await expectSuccessAndLogout(page, subscribe);
});

test('a script that never arrives shows an error, and Try again requests it again', async ({
  page,
  guard,
}) => {
  await signInNewUser(page.request);
  await page.clock.install();
  await page.route(scriptUrlPattern, () => {}); // never answered
  const request = page.waitForRequest(scriptUrlPattern);
  await page.goto(paymentPath, { waitUntil: 'commit' });
  await request;
  await page.clock.fastForward(20_000);
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('The card field could not be loaded');
  await expect(alert.getByRole('link', { name: /@/ })).toBeVisible();

  await page.unroute(scriptUrlPattern);
  await page.clock.resume();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(cardFrame(page).getByLabel('Card number')).toBeEnabled();
  // The request that was never answered ends with the route.
  for (const problem of guard.problems.splice(0)) expect(problem).toMatch(/js\.stripe\.com/);
});

test('the card field shows Loading... until a slow script arrives', async ({ page }) => {
  await signInNewUser(page.request);
  const release = await delayRequests(page, scriptUrlPattern);
  await page.goto('/vc-admin/diy/cards', { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Add card' }).click();
  const loading = page.getByRole('status').filter({ hasText: /^Loading\.\.\./ });
  await expect(loading).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add', exact: true })).toHaveCount(0);

  release();
  await expect(cardFrame(page).getByLabel('Card number')).toBeEnabled();
  await expect(loading).toHaveCount(0);
});

test('screens without a card field send no request to Stripe', async ({ page, stripe }) => {
  const urls: string[] = [];
  page.on('request', (request) => urls.push(request.url()));
  const heading = page.getByRole('main').getByRole('heading').first();
  const visit = async (path: string) => {
    await page.goto(path);
    await expect(heading).toBeVisible();
    await page.waitForLoadState('networkidle');
  };
  await visit('/vc-admin/diy/plans?debug=true');
  await visit(registrationPath);
  await visit('/vc-admin/dash');
  await visit('/vc-admin/diy/contact?product=enterprise&interval=yearly');
  await signInNewUser(page.request);
  await startTrial(page.request, stripe);
  await visit('/vc-admin/diy/plans?debug=true');
  await visit('/vc-admin/dash');
  await visit('/vc-admin/diy/contact?product=enterprise&interval=yearly');
  await visit('/vc-admin/diy/cards');
  expect(urls.length).toBeGreaterThan(20);
  expect(urls.filter((url) => url.includes('stripe.com'))).toEqual([]);
});
