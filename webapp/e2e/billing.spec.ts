import { licenses, post, signInOnTrial } from './support/api';
import { chooseNow, confirm, goToConfirm } from './support/confirm';
import { signInOnPaidPlan } from './support/journeys/journey';
import { tabTo } from './support/keyboard';
import { expectSuccessAndLogout } from './support/payment';
import { professional, standard } from './support/plans';
import { signIn } from './support/session';
import { expect, test } from './support/test';

test('the plan is ended and resumed by keyboard, from the menu of the organisation', async ({
  page,
}) => {
  const { org } = await signInOnTrial(page);
  await page.goto('/vc-admin/dash');
  await page.getByRole('button', { name: org }).focus();
  await page.keyboard.press('Enter');
  await tabTo(page, 'link', 'Billing');
  await page.keyboard.press('Enter');
  await expect(
    page.getByText(/^Professional, yearly\. Next charge: \$816 AUD on .* to Visa •••• 4242\.$/),
  ).toBeVisible();
  await expect(page.getByText('Free trial: 7 days left')).toBeVisible();

  await tabTo(page, 'link', 'End plan');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^You keep your Professional trial until .* Nothing/)).toBeVisible();
  await tabTo(page, 'button', 'End Professional');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: /^Professional ends on/ })).toBeFocused();
  expect((await licenses(page.request)).license).toMatchObject({
    ends_at: expect.stringMatching(/T/),
  });

  await page.getByRole('link', { name: 'Go to billing' }).click();
  await page.getByRole('button', { name: 'Resume Professional' }).click();
  await expect(page.getByText('You keep Professional.')).toBeVisible();
  expect((await licenses(page.request)).license).toMatchObject({ ends_at: null });
});

test('a change is scheduled for the renewal and dropped again', async ({ page }) => {
  const user = await signInOnPaidPlan(page);
  await goToConfirm(page, standard);
  await expect(page.getByRole('radio', { name: /^At the next renewal/ })).toBeChecked();
  await expect(page.getByRole('region', { name: 'Standard', exact: true })).toContainText(
    'Due now $0 AUD',
  );
  await expectSuccessAndLogout(page, confirm);

  await signIn(page, user);
  await page.goto('/vc-admin/diy/billing');
  await expect(page.getByText(/^Standard from/)).toBeVisible();
  await page.getByRole('button', { name: 'Keep Professional' }).click();
  await expect(page.getByText('You keep Professional.')).toBeVisible();
  await expect(page.getByText(/^Standard from/)).toBeHidden();
});

test('the invoice of a change is exactly what was quoted', async ({ page }) => {
  const user = await signInOnPaidPlan(page);
  await goToConfirm(page, { ...professional, interval: 'monthly' });
  const quoted = page.waitForResponse(
    (response) =>
      response.url().endsWith('/org/subscription/quote') && !response.request().postDataJSON().when,
  );
  await chooseNow(page);
  const { lines } = (await (await quoted).json()) as { lines: { amount: number }[] };
  await expectSuccessAndLogout(page, confirm);

  await signIn(page, user);
  const { data } = await post<{ data: { total: { amount: number } }[] }>(
    page.request,
    '/vc-admin/org/invoices/list',
  );
  expect(data[0]?.total.amount).toBe(lines.reduce((sum, { amount }) => sum + amount, 0));
  await page.goto('/vc-admin/diy/billing');
  await expect(page.getByText(/AUD of credit pays for what comes next/)).toBeVisible();
});
