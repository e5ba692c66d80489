import { signInNewUser } from './support/api';
import { readEmail, resetLink } from './support/dev';
import { tabTo, tabToLabel } from './support/keyboard';
import { signIn } from './support/session';
import { expect, test } from './support/test';
import { newUser } from './support/user';

test('a password reset by keyboard ends every session, and its link works only once', async ({
  page,
  browser,
  server,
  guard,
}) => {
  const user = newUser();
  const otherBrowser = await browser.newContext({ baseURL: server.url });
  await signInNewUser(otherBrowser.request, user);

  await page.goto('/vc-admin/dash');
  await tabToLabel(page, 'Email');
  await page.keyboard.type(user.email);
  await tabTo(page, 'link', 'Forgotten password?');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/vc-admin/auth/forgot');
  await expect(page.getByLabel('Email')).toHaveValue(user.email);
  await tabTo(page, 'button', 'Send the link');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Please check your inbox')).toBeVisible();

  const link = await resetLink(page.request, user.email);
  await page.goto(link);
  await expect(page).toHaveURL('/vc-admin/auth/reset');
  await page.reload();
  await tabToLabel(page, 'New password');
  await page.keyboard.type('Low-And-Tide-8');
  await tabToLabel(page, 'Confirm new password');
  await page.keyboard.type('Low-And-Tide-8');
  await page.keyboard.press('Enter');

  await expect(page.getByText('Your password was changed')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(user.email);
  await signIn(page, { ...user, password: 'Low-And-Tide-8' });
  const detail = await otherBrowser.request.get('/vc-admin/user/detail');
  expect(await detail.json()).toEqual({ detail: null });
  await readEmail(page.request, user.email, /was changed$/);
  await otherBrowser.close();

  await test.step('the link is refused at its second use', async () => {
    guard.expect(404, '/vc-admin/auth/password/reset');
    guard.expectLog(/Changing the password failed/);
    await page.goto(link);
    await page.getByLabel('New password', { exact: true }).fill('Low-And-Tide-8');
    await page.getByLabel('Confirm new password', { exact: true }).fill('Low-And-Tide-8');
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByRole('heading', { name: 'This link can not be used' })).toBeVisible();
  });
});
