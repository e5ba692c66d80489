import type { Browser, Page } from '@playwright/test';
import { signInNewUser } from './support/api';
import { verificationLink } from './support/dev';
import { registrationPath } from './support/plans';
import { register } from './support/registration';
import { expect, test } from './support/test';
import { newUser, type User } from './support/user';

/** Registers a user in another browser. */
async function registerInOtherBrowser(browser: Browser, baseURL: string, user: User) {
  const context = await browser.newContext({ baseURL });
  const registrationPage = await context.newPage();
  await registrationPage.goto(registrationPath);
  await register(registrationPage, user);
  await context.close();
}

/** Opens the link of the verification email in this browser and returns it. */
async function openLink(page: Page, user: User) {
  const link = await verificationLink(page.request, user.email);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Confirm your registration' })).toBeVisible();
  await expect(page.getByText(user.org)).toBeVisible();
  await expect(page).toHaveURL('/vc-admin/auth/confirm');
  return link;
}

test('the owner of an address deletes a registration by someone else, and can then register', async ({
  page,
  browser,
  server,
}) => {
  const user = newUser();
  await registerInOtherBrowser(browser, server.url, user);
  const previousLink = await openLink(page, user);

  await page.getByRole('button', { name: 'I did not register' }).click();

  await expect(page.getByRole('heading', { name: 'The registration was deleted' })).toBeFocused();
  await page.goto(registrationPath);
  await register(page, user);
  await page.goto(await verificationLink(page.request, user.email, previousLink));
  await expect(page).toHaveURL('/vc-admin/dash?verified=1');
});

test('a registration is confirmed by keyboard in another browser, with its password', async ({
  page,
  browser,
  server,
}) => {
  const user = newUser();
  await registerInOtherBrowser(browser, server.url, user);
  await test.step('mail scanners that fetch the link change nothing', async () => {
    const link = await verificationLink(page.request, user.email);
    const scanner = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false });
    const scannerPage = await scanner.newPage();
    for (let visits = 0; visits < 2; visits++) await scannerPage.goto(link);
    await scanner.close();
  });
  await openLink(page, user);
  await page.reload();
  await expect(page.getByText(user.org), 'the token survives a reload').toBeVisible();

  await page.getByRole('button', { name: 'Yes, this is me' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Password chosen at registration', { exact: true })).toBeFocused();
  await page.keyboard.type(user.password);
  await page.keyboard.press('Enter');

  await expect(page.getByRole('button', { name: user.org })).toBeVisible();
});

test('of two registrations with one name, the second one chooses another name', async ({
  page,
  browser,
  server,
}) => {
  const user = newUser();
  await page.goto(registrationPath);
  await register(page, user);
  const otherBrowser = await browser.newContext({ baseURL: server.url });
  await signInNewUser(otherBrowser.request, { ...newUser(), org: user.org.toUpperCase() });
  await otherBrowser.close();

  await openLink(page, user);
  await expect(page.getByText('Another organisation with this name')).toBeVisible();
  const newName = `${user.org} North`;
  await page.getByLabel('Organization').fill(newName);
  await page.getByLabel('Password chosen at registration', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();

  await expect(page.getByRole('button', { name: newName })).toBeVisible();
});
