import { getLicenses, post, signInOnPaidPlan, signInOnTrial } from './support/api';
import { chooseChangeAtRenewal, confirm, goToConfirm, summary } from './support/confirm';
import { tabTo } from './support/keyboard';
import { expectSuccessAndLogout } from './support/payment';
import { professional, standard } from './support/plans';
import { signIn } from './support/session';
import { expect, test } from './support/test';

test('a plan is ended by keyboard from the dashboard, and is then resumed', async ({ page }) => {
  await signInOnTrial(page);
  await page.goto('/vc-admin/dash');
  const planRegion = page.getByRole('region', { name: 'Professional' });
  await expect(planRegion).toContainText(/Next charge\$816 AUDon .* from Visa.*4242/);
  await expect(page.getByText('Free trial: 7 days left')).toBeVisible();

  await tabTo(page, 'link', 'End plan');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^You keep your Professional trial until .* Nothing/)).toBeVisible();
  await tabTo(page, 'button', 'End Professional');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: /^Professional ends on/ })).toBeFocused();
  expect((await getLicenses(page.request)).license).toMatchObject({
    ends_at: expect.stringMatching(/T/),
  });

  await page.getByRole('link', { name: 'Go to your dashboard' }).click();
  await page.getByRole('button', { name: 'Resume Professional' }).click();
  await expect(page.getByText('You keep Professional.')).toBeVisible();
  expect((await getLicenses(page.request)).license).toMatchObject({ ends_at: null });
});

test('Keep Professional drops a change that is scheduled for the renewal', async ({ page }) => {
  const user = await signInOnPaidPlan(page);
  await goToConfirm(page, standard);
  await chooseChangeAtRenewal(page);
  await expect(summary(page)).toContainText('Due now $0.00 AUD');
  await expectSuccessAndLogout(page, confirm);

  await signIn(page, user);
  await page.goto('/vc-admin/dash');
  await expect(page.getByText(/^Standard from/)).toBeVisible();
  await page.getByRole('button', { name: 'Keep Professional' }).click();
  await expect(page.getByText('You keep Professional.')).toBeVisible();
  await expect(page.getByText(/^Standard from/)).toBeHidden();
});

test('an immediate plan change replaces a scheduled change', async ({ page }) => {
  const user = await signInOnPaidPlan(page);
  await goToConfirm(page, standard);
  await chooseChangeAtRenewal(page);
  await expectSuccessAndLogout(page, confirm);

  await signIn(page, user);
  await page.goto('/vc-admin/diy/plans?debug=true');
  await expect(page.getByText('Your next plan, billed yearly')).toBeVisible();
  await goToConfirm(page, { ...professional, interval: 'monthly' });
  await expect(page.getByText(/^Your plan changes to Standard, yearly, on/)).toBeVisible();
  await expectSuccessAndLogout(page, confirm);

  await signIn(page, user);
  expect((await getLicenses(page.request)).license).toMatchObject({
    interval: 'monthly',
    scheduled_change: null,
    raw: { metadata: { name: 'professional' } },
  });
});

test('the invoice of a plan change has the quoted amount', async ({ page }) => {
  const user = await signInOnPaidPlan(page);
  const quoteResponse = page.waitForResponse(
    (response) =>
      response.url().endsWith('/org/subscription/quote') && !response.request().postDataJSON().when,
  );
  await goToConfirm(page, { ...professional, interval: 'monthly' });
  const { lines } = (await (await quoteResponse).json()) as { lines: { amount: number }[] };
  await expectSuccessAndLogout(page, confirm);

  await signIn(page, user);
  const { data } = await post<{ data: { total: { amount: number } }[] }>(
    page.request,
    '/vc-admin/org/invoices/list',
  );
  expect(data[0]?.total.amount).toBe(lines.reduce((sum, { amount }) => sum + amount, 0));
  await page.goto('/vc-admin/dash');
  await expect(page.getByText(/AUD is left after that/)).toBeVisible();
});

test('a phone shows the tabs about billing, and its menu does not repeat them', async ({
  page,
}) => {
  await signInOnTrial(page);
  await page.setViewportSize({ width: 375, height: 812 });
  const menu = page.getByRole('navigation', { name: 'Main' });
  const tabs = page.getByRole('navigation', { name: 'Account', exact: true });
  const pages = ['Invoices', 'Payment methods', 'Billing details', 'Members', 'Your account'];

  await page.goto('/vc-admin/dash');
  for (const width of [375, 320]) {
    await page.setViewportSize({ width, height: 812 });
    for (const name of ['Dashboard', ...pages]) {
      await expect(tabs.getByRole('link', { name }), name).toBeInViewport({ ratio: 1 });
    }
  }
  await page.setViewportSize({ width: 375, height: 812 });
  for (const path of ['dash', 'diy/invoices', 'diy/end', 'diy/account']) {
    await page.goto(`/vc-admin/${path}`);
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(menu.getByRole('link', { name: 'Sign Out' })).toBeVisible();
    for (const name of pages) {
      const tab = tabs.getByRole('link', { name });
      await expect(async () => {
        await tab.scrollIntoViewIfNeeded(); // a loaded page replaces the tabs
        await expect(tab, `${path}: ${name}`).toBeInViewport({ ratio: 1 });
      }).toPass();
      await expect(menu.getByRole('link', { name }), `${path}: ${name}`).toBeHidden();
    }
  }

  await page.goto('/vc-admin/diy/plans');
  await page.getByRole('button', { name: 'Menu' }).click();
  for (const name of pages) await expect(menu.getByRole('link', { name })).toBeVisible();
});

test('a large text on a phone scrolls the tab of the current page into view', async ({ page }) => {
  await signInOnTrial(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => {
      document.documentElement.style.fontSize = '200%';
    });
  });
  const tabs = page.getByRole('navigation', { name: 'Account', exact: true });
  await page.goto('/vc-admin/dash');
  await expect(tabs.getByRole('link', { name: 'Your account' })).not.toBeInViewport({ ratio: 1 });
  await page.goto('/vc-admin/diy/account');
  await expect(tabs.getByRole('link', { name: 'Your account' })).toBeInViewport({ ratio: 1 });
  await expect(tabs.getByRole('link', { name: 'Dashboard' })).not.toBeInViewport({ ratio: 1 });
});

test('a link to the former billing page opens the dashboard', async ({ page }) => {
  await signInOnTrial(page);
  await page.goto('/vc-admin/diy/billing?debug=true#method');
  await expect(page.getByRole('region', { name: 'Professional' })).toBeVisible();
  await expect(page).toHaveURL('/vc-admin/dash?debug=true#method');
});
