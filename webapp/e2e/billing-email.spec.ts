import { signInOnTrial } from './support/api';
import { billingEmailLink } from './support/dev';
import { expect, test } from './support/test';

test('a billing email is confirmed by its owner, in another browser', async ({
  page,
  browser,
  server,
}) => {
  const { email, org } = await signInOnTrial(page);
  const accounts = email.replace('@', '.accounts@');
  const unconfirmed = page.getByText('This address is not confirmed yet');

  await page.goto('/vc-admin/diy/details');
  await expect(page.getByLabel('State/Province')).toHaveValue('New South Wales');
  await page.getByLabel(/^Billing email/).fill(accounts);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(unconfirmed).toBeVisible();
  await page.reload();
  await expect(unconfirmed).toBeVisible();
  await expect(page.getByLabel(/^Billing email/)).toHaveValue(accounts);

  const context = await browser.newContext({ baseURL: server.url });
  const recipient = await context.newPage();
  await recipient.goto(await billingEmailLink(page.request, accounts));
  await expect(recipient).toHaveURL('/vc-admin/auth/billing-email');
  await expect(recipient.getByText(org)).toBeVisible();
  await recipient.getByRole('button', { name: 'Confirm this address' }).click();
  await expect(
    recipient.getByRole('heading', { name: 'Your email address is confirmed' }),
  ).toBeFocused();
  await context.close();

  await page.reload();
  await expect(page.getByLabel(/^Billing email/)).toHaveValue(accounts);
  await expect(unconfirmed).toHaveCount(0);
});
