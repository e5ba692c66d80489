import { getLicenses, post, signInNewUser } from '../support/api';
import { advanceClock } from '../support/dev';
import { advanceClocks, getSubscriptions, startTrial } from './support/state';
import { expect, test } from './support/test';

test('an invoice.paid event makes a license on trial active', async ({
  page,
  stripe,
  webhooks,
}) => {
  await signInNewUser(page.request);
  await startTrial(page.request, stripe);
  expect((await getLicenses(page.request)).license?.raw.status).toBe('trialing');
  const acceptedCount = webhooks.acceptedTypes.length;

  // The clock of the application is not advanced, so only the event can end the trial.
  await stripe.advance('169h');
  expect(webhooks.acceptedTypes.slice(acceptedCount)).toContain('invoice.paid');
  expect((await getLicenses(page.request)).license?.raw.status).toBe('active');

  await advanceClock(page.request, '169h');
  await page.goto('/vc-admin/dash');
  await expect(page.getByText('active', { exact: true })).toBeVisible();
});

test('a subscription canceled at Stripe ends the license', async ({ page, stripe }) => {
  await signInNewUser(page.request);
  await startTrial(page.request, stripe);
  const [subscription] = await getSubscriptions(page, stripe);

  await stripe.request('DELETE', `/v1/subscriptions/${subscription?.id}`);

  await expect
    .poll(async () => (await getLicenses(page.request)).license, {
      message: 'the event is processed',
    })
    .toBeNull();
  expect((await getLicenses(page.request)).pastLicense?.raw.status).toBe('canceled');
});

test('a dispute puts the account on hold, and a banner reports it', async ({ page, stripe }) => {
  await signInNewUser(page.request);
  await startTrial(page.request, stripe);
  await advanceClocks(page.request, stripe, '169h');
  const { data } = await post<{ data: { number: string }[] }>(
    page.request,
    '/vc-admin/org/invoices/list',
  );

  await stripe.request('POST', '/local/disputes', {
    invoice: data[0]?.number ?? '',
    action: 'open',
  });

  await expect(async () => {
    await page.goto('/vc-admin/diy/cards');
    const banner = page.getByRole('region', { name: 'Disputed payment' });
    await expect(banner).toContainText('you can’t subscribe or change your plan', {
      timeout: 1000,
    });
  }).toPass();
});
