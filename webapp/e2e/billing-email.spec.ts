import { signInOnTrial } from './support/api';
import { billingEmailLink } from './support/dev';
import { expect, test } from './support/test';

test('a billing email stays unconfirmed until its owner confirms it in another browser', async ({
  page,
  browser,
  server,
}) => {
  const { email, org } = await signInOnTrial(page);
  const billingEmail = email.replace('@', '.accounts@');
  const unconfirmedNotice = page.getByText('This address is not confirmed yet');

  await page.goto('/vc-admin/diy/details');
  await expect(page.getByLabel('State/Province')).toHaveValue('New South Wales');
  await page.getByLabel(/^Billing email/).fill(billingEmail);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(unconfirmedNotice).toBeVisible();
  await page.reload();
  await expect(unconfirmedNotice).toBeVisible();
  await expect(page.getByLabel(/^Billing email/)).toHaveValue(billingEmail);

  const context = await browser.newContext({ baseURL: server.url });
  const recipient = await context.newPage();
  await recipient.goto(await billingEmailLink(page.request, billingEmail));
  await expect(recipient).toHaveURL('/vc-admin/auth/billing-email');
  await expect(recipient.getByText(org)).toBeVisible();
  await recipient.getByRole('button', { name: 'Confirm this address' }).click();
  await expect(
    recipient.getByRole('heading', { name: 'Your email address is confirmed' }),
  ).toBeFocused();
  await context.close();

  await page.reload();
  await expect(page.getByLabel(/^Billing email/)).toHaveValue(billingEmail);
  await expect(unconfirmedNotice).toHaveCount(0);
});
