import type { Page } from '@playwright/test';
import { getLicenses, post, signInNewUser, signInOnPaidPlan, signInOnTrial } from './support/api';
import { advanceClock } from './support/dev';
import { planCard } from './support/plans';
import { expect, test } from './support/test';

const plansPath = '/vc-admin/diy/plans?debug=true';

/** Expects the labels of the plans' buttons, in the plans' order. */
async function expectButtons(page: Page, ...labels: [string, string, string, string]) {
  const plans = ['Standard', 'Professional', 'Multi-User', 'Enterprise'];
  for (const [index, plan] of plans.entries()) {
    await expect(planCard(page, plan).getByRole('button')).toHaveText(String(labels[index]));
  }
}

test('a visitor and a user without a license are offered a trial', async ({ page }) => {
  await page.goto(plansPath);
  await expectButtons(
    page,
    'Start your free trial',
    'Start your free trial',
    'Contact us',
    'Contact us',
  );

  await signInNewUser(page.request);
  await page.reload();
  await planCard(page, 'Standard').getByRole('button', { name: 'Start your free trial' }).click();
  await expect(page).toHaveURL(
    /payment\?customer=[^&]+&product=standard&currency=AUD&interval=yearly&debug=true$/,
  );
});

test('a license presets interval and currency, and its holder is offered the other plans', async ({
  page,
}) => {
  await signInOnTrial(page);
  await page.goto(plansPath);

  await expectButtons(page, 'Update your plan', 'Your current plan', 'Contact us', 'Contact us');
  await expect(page.getByRole('radio', { name: 'Annual billing' })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'AUD' })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'EUR' })).toBeDisabled();

  await page.getByRole('radio', { name: 'Monthly billing' }).check();
  await expectButtons(page, 'Update your plan', 'Update your plan', 'Contact us', 'Contact us');

  await advanceClock(page.request, '192h');
  await page.goto(plansPath);
  await expectButtons(page, 'Update your plan', 'Your current plan', 'Contact us', 'Contact us');
  expect((await getLicenses(page.request)).license?.raw.status).toBe('active');
});

test('the plan buttons of an ending trial say that it has to be resumed first, and when it ends', async ({
  page,
}) => {
  await signInOnTrial(page);
  await post(page.request, '/vc-admin/org/subscription/cancel');
  await page.goto(plansPath);

  const button = planCard(page, 'Standard').getByRole('button');
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  await expect(button).toHaveAccessibleDescription(
    /Resume first: your subscription is ending\. Your plan ends on \d+ [A-Z]\w+ \d{4}\./,
  );
});

test('the plan buttons after a dispute say when the payment was disputed', async ({ page }) => {
  await signInOnPaidPlan(page);
  const invoices = await post<{ data: { number: string }[] }>(
    page.request,
    '/vc-admin/org/invoices/list',
  );
  await post(page.request, '/dev/disputes', { invoice: invoices.data[0]?.number, action: 'open' });
  await page.goto(plansPath);

  await expect(planCard(page, 'Standard').getByRole('button')).toHaveAccessibleDescription(
    /disputed.* The payment was disputed on \d+ [A-Z]\w+ \d{4}\./,
  );
});
