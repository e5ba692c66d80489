import type { Page } from '@playwright/test';
import { signInNewUser } from './support/api';
import { injectAxe, violations } from './support/axe';
import { advanceClock } from './support/dev';
import { tabTo, tabToLabel } from './support/keyboard';
import { expect, test } from './support/test';
import { newUser } from './support/user';

const accountPath = '/vc-admin/diy/account';

/** Requires that axe finds nothing and that the page does not scroll sideways. */
async function expectAccessible(page: Page): Promise<void> {
  await injectAxe(page);
  expect(await violations(page)).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
}

test('a user changes the password by keyboard after confirming who they are, and ends other sessions', async ({
  page,
  browser,
  server,
  guard,
}) => {
  await page.setViewportSize({ width: 320, height: 800 });
  const user = await signInNewUser(page.request, newUser());
  const otherBrowser = await browser.newContext({ baseURL: server.url });
  const signIn = async (password: string) => {
    await otherBrowser.request.get('/vc-admin/diy/config.json');
    const { cookies } = await otherBrowser.storageState();
    const token = cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '';
    return otherBrowser.request.post('/auth/login', {
      data: { username: user.email, password },
      headers: { 'X-Requested-With': 'XMLHttpRequest', 'X-XSRF-TOKEN': token },
    });
  };
  expect((await signIn(user.password)).ok()).toBe(true);

  await page.goto(accountPath);
  const sessions = page.getByRole('region', { name: 'Sessions' });
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await expectAccessible(page);

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
  await expectAccessible(page);
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
  await expectAccessible(page);
  await otherBrowser.close();
});
