import type { Page } from '@playwright/test';
import { post, signInOnPaidPlan } from './support/api';
import { readEmail } from './support/dev';
import { planCard } from './support/plans';
import { Server } from './support/server';
import { expect, testWithServer } from './support/test';

/** A test with the fake gateway, whose bank can settle a dispute either way. */
const test = testWithServer(() => Server.start({ DIY_PAYMENTS: 'fakegateway' }));

/** Changes the dispute of the payment of the newest invoice, as the bank does, and returns the hold of the account. */
async function changeDispute(
  page: Page,
  action: 'open' | 'won' | 'lost' | 'lift',
): Promise<string> {
  const invoices = await post<{ data: { number: string }[] }>(
    page.request,
    '/vc-admin/org/invoices/list',
  );
  const body = { invoice: invoices.data[0]?.number, action };
  return (await post<{ hold: string }>(page.request, '/dev/disputes', body)).hold;
}

const plansPath = '/vc-admin/diy/plans?debug=true';

/** The sentence on the dashboard of an account on hold. */
const holdText = (page: Page) => page.getByText('A payment of your organisation was disputed on');

test('the hold of an account ends when its dispute is won, and stays when another one is lost', async ({
  page,
}) => {
  const user = await signInOnPaidPlan(page);

  await test.step('an open dispute puts the account on hold', async () => {
    expect(await changeDispute(page, 'open')).toBe('disputed');
    await page.goto('/vc-admin/dash');
    await expect(holdText(page)).toBeVisible();
    await page.goto(plansPath);
    await expect(planCard(page, 'Standard').getByRole('button')).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await readEmail(page.request, user.email, /Your bank has taken back a payment of/);
  });

  await test.step('the hold ends when the dispute is won', async () => {
    expect(await changeDispute(page, 'won')).toBe('');
    await page.goto(plansPath);
    await expect(planCard(page, 'Standard').getByRole('button')).toBeEnabled();
    await page.goto('/vc-admin/dash');
    await expect(page.getByRole('link', { name: 'End plan' })).toBeVisible();
    await expect(holdText(page)).toBeHidden();
    await readEmail(page.request, user.email, /Your account is no longer on hold/);
  });

  await test.step('the hold stays when another dispute is lost', async () => {
    expect(await changeDispute(page, 'open')).toBe('disputed');
    expect(await changeDispute(page, 'lost')).toBe('disputed');
    await page.goto('/vc-admin/dash');
    await expect(holdText(page)).toBeVisible();
    await readEmail(page.request, user.email, /Dispute settled: /);
  });

  await test.step('the hold after the lost dispute ends when an operator lifts it', async () => {
    expect(await changeDispute(page, 'lift')).toBe('');
    await page.reload();
    await expect(holdText(page)).toBeHidden();
  });
});
