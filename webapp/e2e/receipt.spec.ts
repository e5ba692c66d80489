import { signInOnTrial } from './support/api';
import { advanceClock, readEmail } from './support/dev';
import { expect, test } from './support/test';

test('emails announce the first charge, and the receipt leads a signed-out customer to the invoice', async ({
  page,
  request,
}) => {
  const user = await signInOnTrial(page);
  const started = await readEmail(request, user.email, /^Your trial has started/);
  expect(started.subject).toContain('then $816 AUD');
  expect(started.text).toContain('Then $816 AUD is charged to Visa •••• 4242');

  await advanceClock(page.request, '169h');
  const receipt = await readEmail(request, user.email, /^Payment received: \$816 AUD$/);
  const [link] = receipt.text.match(/http\S+\/vc-admin\/diy\/invoices\/\S+/) ?? [];
  const [, number] = receipt.text.match(/^Receipt for invoice (\S+)$/m) ?? [];
  await page.context().clearCookies();
  await page.goto(link as string);
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('heading', { name: `Invoice ${number}` })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('$816');
  await expect(page.getByRole('button', { name: /PDF/ })).toBeVisible();
});
