import type { Page } from '@playwright/test';
import { licenses, signedIn, spendTrial, startTrial } from './support/api';
import { advanceClock } from './support/dev';
import { planCard } from './support/plans';
import { expect, test } from './support/test';

const address = '/vc-admin/diy/plans?debug=true';

/** The words on the four plans' buttons. */
async function expectButtons(page: Page, ...words: [string, string, string, string]) {
  const plans = ['Standard', 'Professional', 'Multi-User', 'Enterprise'];
  for (const [place, plan] of plans.entries()) {
    await expect(planCard(page, plan).getByRole('button')).toHaveText(String(words[place]));
  }
}

test('new: a visitor, and somebody without a license, can start a trial', async ({ page }) => {
  await page.goto(address);
  await expectButtons(
    page,
    'Start your free trial',
    'Start your free trial',
    'Contact us',
    'Contact us',
  );

  await signedIn(page.request);
  await page.reload();
  await planCard(page, 'Standard').getByRole('button', { name: 'Start your free trial' }).click();
  await expect(page).toHaveURL(
    /payment\?customer=[^&]+&product=standard&currency=AUD&interval=yearly&debug=true$/,
  );
});

test('update: who has a license keeps its interval and currency, and can change', async ({
  page,
}) => {
  await signedIn(page.request);
  await startTrial(page.request);
  await page.goto(address);

  await expectButtons(page, 'Update your plan', 'Your current plan', 'Contact us', 'Contact us');
  await expect(page.getByRole('radio', { name: 'Annual billing' })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'AUD' })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'EUR' })).toBeDisabled();

  await page.getByRole('radio', { name: 'Monthly billing' }).check();
  await expectButtons(page, 'Update your plan', 'Update your plan', 'Contact us', 'Contact us');
});

test('update: who had a license can come back, in the same currency', async ({ page }) => {
  await signedIn(page.request);
  await spendTrial(page.request);
  await page.goto(address);

  await expectButtons(page, 'Update your plan', 'Update your plan', 'Contact us', 'Contact us');
  await expect(page.getByRole('radio', { name: 'AUD' })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'USD' })).toBeDisabled();
});

test('update: a trial that has ended is an active license', async ({ page }) => {
  await signedIn(page.request);
  await startTrial(page.request);
  await advanceClock(page.request, '192h');
  await page.goto(address);

  await expectButtons(page, 'Update your plan', 'Your current plan', 'Contact us', 'Contact us');
  expect((await licenses(page.request)).license?.raw.status).toBe('active');
});

test('disabled: with a developer license the buttons do nothing', async ({ page, server }) => {
  await signedIn(page.request);
  const { orgId } = await licenses(page.request);
  await server.command('license', 'dev', '--org', orgId);
  await page.goto(address);

  const buttons = page.getByRole('main').getByRole('region').getByRole('button');
  await expect(buttons).toHaveCount(4);
  for (const button of await buttons.all()) await button.click({ force: true });
  await expect(page).toHaveURL(address);
});
