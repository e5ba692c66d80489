import { readFileSync } from 'node:fs';
import { callHeaders, signInNewUser } from './support/api';
import { expectAccessibleAt320 } from './support/axe';
import { advanceClock, readEmail } from './support/dev';
import { tabTo, tabToLabel } from './support/keyboard';
import { expect, test } from './support/test';
import { newUser } from './support/user';

test('an owner downloads the data and requests the deletion by keyboard, after which the account is gone', async ({
  page,
  guard,
}) => {
  const user = await signInNewUser(page.request, newUser());
  await advanceClock(page.request, '20m');
  await page.goto('/vc-admin/diy/account');
  const data = page.getByRole('region', { name: "Your organisation's data" });
  await expect(data.getByRole('heading', { name: 'Deletion' })).toBeVisible();
  await expectAccessibleAt320(page);

  guard.expect(403, '/vc-admin/org/privacy/export');
  await tabTo(page, 'button', 'Download the data');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: "Confirm it's you" });
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.type(user.password);
  const download = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  expect((await download).suggestedFilename()).toBe('organisation-data.json');
  const file = JSON.parse(readFileSync(await (await download).path(), 'utf8'));
  expect(file.tables.organisations).toMatchObject([{ name: user.org }]);
  expect(file.tables.users).toMatchObject([{ email: user.email }]);
  await expect(data.getByText('The data was downloaded')).toBeVisible();

  const requestDeletion = async () => {
    await tabTo(page, 'button', 'Request the deletion');
    await page.keyboard.press('Enter');
    await tabToLabel(page, 'Name of your organisation');
    await page.keyboard.type(user.org);
    await page.keyboard.press('Enter');
    await expect(data.getByText(/^Your organisation is deleted on /)).toBeVisible();
    await expect(data.getByRole('heading', { level: 2 })).toBeFocused();
  };
  await requestDeletion();
  await readEmail(page.request, user.email, /delet/i);
  await page.reload();
  await expect(data.getByText(/^Your organisation is deleted on /)).toBeVisible();
  await expectAccessibleAt320(page);
  await tabTo(page, 'button', 'Withdraw the request for the deletion');
  await page.keyboard.press('Enter');
  await expect(data.getByText('The request is withdrawn')).toBeVisible();
  await requestDeletion();

  await advanceClock(page.request, '360h');
  await expect
    .poll(async () => (await (await page.request.get('/vc-admin/user/detail')).json()).detail)
    .toBeNull();
  const signIn = await page.request.post('/auth/login', {
    data: { username: user.email, password: user.password },
    headers: await callHeaders(page.request), // of a visitor
  });
  expect(signIn.status()).toBe(401);
});
