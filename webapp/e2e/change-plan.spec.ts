import type { Page, Route } from '@playwright/test';
import { expectStatus, getLicenses, signInOnTrial } from './support/api';
import { confirm, goToConfirm, planPanel, summary } from './support/confirm';
import { advanceClock } from './support/dev';
import { expectSuccessAndLogout } from './support/payment';
import { professional, standard } from './support/plans';
import { signIn } from './support/session';
import { expect, test } from './support/test';

/** Waits for the next request to this URL and returns its route. The test has to continue it. */
const interceptCall = (page: Page, url: string) =>
  new Promise<Route>((resolve) => void page.route(url, resolve, { times: 1 }));

test('a plan change during the trial ends the trial and takes effect immediately', async ({
  page,
}) => {
  const user = await signInOnTrial(page);
  await goToConfirm(page, standard);

  await expect(planPanel(page, 'CURRENT PLAN')).toContainText('CURRENT PLAN (in-trial)');
  await expect(planPanel(page, 'CURRENT PLAN')).toContainText('Professional');
  await expect(planPanel(page, 'CURRENT PLAN')).toContainText('$816.00 AUD per year');
  await expect(planPanel(page, 'CHANGING TO')).toContainText('Standard');
  await expect(planPanel(page, 'CHANGING TO')).toContainText('$420.00 AUD per year');
  await expect(page.getByText('•••• 4242', { exact: true })).toBeVisible();
  await expect(page.getByText('Expires 12/2034')).toBeVisible();
  await expect(page.getByText('Updating your plan ends your active trial.')).toBeVisible();

  await test.step('a reload keeps the choice', async () => {
    await page.reload();
    await expect(planPanel(page, 'CHANGING TO')).toContainText('Standard');
    await expect(page.getByRole('radio', { name: 'Now', exact: true })).toBeChecked();
    await expect(summary(page)).toContainText('$420.00 AUD');
  });

  await test.step('the page shows that it is busy until the server responds', async () => {
    const [updateRoute] = await Promise.all([
      interceptCall(page, '**/org/subscription/update*'),
      confirm(page),
    ]);
    await expect(page.getByText('Please wait...')).toBeVisible();
    await expect(page.getByText('Updating your subscription')).toBeVisible();
    await expectSuccessAndLogout(page, () => updateRoute.continue());
  });

  await signIn(page, user);
  const { license } = await getLicenses(page.request);
  expect(license).toMatchObject({
    interval: 'yearly',
    raw: { status: 'active', metadata: { name: 'standard' } },
  });

  await test.step('Back shows that the new plan is the current plan', async () => {
    await page.goBack();
    await expect(page).toHaveURL(/\/vc-admin\/diy\/confirm/);
    await expect(page.getByRole('heading', { name: 'Standard is your plan' })).toBeVisible();
  });
});

test('an active plan is changed to monthly billing, to a cheaper plan and back', async ({
  page,
}) => {
  const user = await signInOnTrial(page);
  await advanceClock(page.request, '169h');
  await expectStatus(page.request, 'active');

  await test.step('change to monthly', async () => {
    await goToConfirm(page, { ...professional, interval: 'monthly' });
    await expect(planPanel(page, 'CURRENT PLAN')).toContainText('CURRENT PLAN (active)');
    await expect(planPanel(page, 'CHANGING TO')).toContainText('$76.00 AUD per month');
    await expect(page.getByText(/ends your active trial/)).toBeHidden();
    await expect(summary(page)).toContainText('Unused time on Professional −$');
    await expectSuccessAndLogout(page, confirm);
  });

  await test.step('change to Standard', async () => {
    await signIn(page, user);
    await goToConfirm(page, { ...standard, interval: 'monthly' });
    await expect(summary(page)).toContainText('Due now $0.00 AUD');
    await expect(page.getByText(/AUD is used for your next charges/)).toBeVisible();
    await expectSuccessAndLogout(page, confirm);
  });

  await test.step('change back to Professional', async () => {
    await signIn(page, user);
    await goToConfirm(page, { ...professional, interval: 'monthly' });
    await expect(page.getByRole('radio', { name: 'Now', exact: true })).toBeChecked();
    await expectSuccessAndLogout(page, confirm);
  });

  await signIn(page, user);
  const { license } = await getLicenses(page.request);
  expect(license).toMatchObject({
    interval: 'monthly',
    raw: { status: 'active', metadata: { name: 'professional' } },
  });
});
