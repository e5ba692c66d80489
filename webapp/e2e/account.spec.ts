import { callHeaders, signInNewUser } from './support/api';
import { expectAccessibleAt320 } from './support/axe';
import { advanceClock } from './support/dev';
import { tabTo, tabToLabel } from './support/keyboard';
import { expect, test } from './support/test';
import { newUser } from './support/user';

const accountPath = '/vc-admin/diy/account';

test('a user changes the password by keyboard after confirming who they are, and ends other sessions', async ({
  page,
  browser,
  server,
  guard,
}) => {
  await page.setViewportSize({ width: 320, height: 800 });
  const user = await signInNewUser(page.request, newUser());
  const otherBrowser = await browser.newContext({ baseURL: server.url });
  const signIn = async (password: string) =>
    otherBrowser.request.post('/auth/login', {
      data: { username: user.email, password },
      headers: await callHeaders(otherBrowser.request),
    });
  expect((await signIn(user.password)).ok()).toBe(true);

  await page.goto(accountPath);
  const sessions = page.getByRole('region', { name: 'Sessions' });
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await expectAccessibleAt320(page);

  await advanceClock(page.request, '20m');
  guard.expect(403, '/vc-admin/user/password');
  await tabToLabel(page, 'Current password');
  await page.keyboard.type(user.password);
  await tabToLabel(page, 'New password');
  await page.keyboard.type('Low-And-Tide-8');
  await tabToLabel(page, 'Confirm new password');
  await page.keyboard.type('Low-And-Tide-8');
  await page.keyboard.press('Enter');

  const dialog = page.getByRole('dialog', { name: "Confirm it's you" });
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused();
  await expectAccessibleAt320(page);
  await page.keyboard.type(user.password);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Your password is changed')).toBeVisible();
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
  const detail = await otherBrowser.request.get('/vc-admin/user/detail');
  expect(await detail.json()).toEqual({ detail: null });

  expect((await signIn(user.password)).status()).toBe(401);
  expect((await signIn('Low-And-Tide-8')).ok()).toBe(true);
  await page.reload();
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await tabTo(page, 'button', 'Sign out everywhere else');
  await page.keyboard.press('Enter');
  await expect(sessions.getByText('Signed out', { exact: true })).toBeVisible();
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
  await expectAccessibleAt320(page);
  await otherBrowser.close();
});
