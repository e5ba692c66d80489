import type { Page } from '@playwright/test';
import { callHeaders, signInNewUser } from './support/api';
import { Authenticator } from './support/authenticator';
import { expectAccessibleAt320 } from './support/axe';
import { openSignOut, signOutLink } from './support/session';
import { expect, test } from './support/test';

/** Adds a passkey of the page's authenticator to the account of the signed-in user. */
async function addPasskey(page: Page) {
  await page.goto('/vc-admin/dash');
  const headers = { ...(await callHeaders(page.request)), 'Content-Type': 'application/json' };
  const status = await page.evaluate(async (headers) => {
    const call = (path: string, body: object) =>
      fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    const { options, state } = await (await call('/vc-admin/user/passkeys/options', {})).json();
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
    const added = { state, credential: credential.toJSON(), name: 'Laptop' };
    return (await call('/vc-admin/user/passkeys/add', added)).status;
  }, headers);
  expect(status).toBe(200);
}

async function openSignIn(page: Page) {
  await openSignOut(page);
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible();
}

test('a passkey signs in from the dialog, by keyboard', async ({ page }) => {
  await signInNewUser(page.request);
  const authenticator = await Authenticator.add(page);
  await addPasskey(page);
  await authenticator.setPresent(false);
  await openSignIn(page);

  await page.getByRole('button', { name: 'Sign In', exact: true }).focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeFocused();
  await authenticator.setPresent(true);
  await page.keyboard.press('Enter');

  await expect(signOutLink(page)).toBeVisible();
});

test('a passkey signs in from the list of the email field', async ({ page }) => {
  await signInNewUser(page.request);
  await Authenticator.add(page);
  await addPasskey(page);
  await openSignOut(page);
  // The virtual authenticator chooses the passkey as soon as the browser offers it.
  await expect(signOutLink(page)).toBeVisible();
});

test('a passkey does not sign in when the authenticator does not verify the user', async ({
  page,
}) => {
  await signInNewUser(page.request);
  const authenticator = await Authenticator.add(page);
  await addPasskey(page);
  await authenticator.setVerified(false);
  await openSignIn(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(signOutLink(page)).toBeHidden();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByLabel('Email')).toBeVisible();
});

test('the sign-in form fits 320 pixels and has no accessibility problems', async ({ page }) => {
  await page.goto('/vc-admin/dash');
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible();
  await expectAccessibleAt320(page);
});
