import { signInNewUser } from './support/api';
import { Authenticator } from './support/authenticator';
import { expectAccessibleAt320 } from './support/axe';
import { advanceClock } from './support/dev';
import { openSignOut, signOutLink, submitSignIn } from './support/session';
import { expect, test } from './support/test';
import { codeOf } from './support/totp';

test('two-step verification is turned on, and the sign-in asks for the code', async ({
  page,
  guard,
}) => {
  const user = await signInNewUser(page.request);
  await page.goto('/vc-admin/diy/account');
  await page.getByRole('button', { name: 'Turn on two-step verification' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
  const key = (await page.getByText('Key', { exact: true }).locator('..').innerText()).slice(3);
  const recoveryCode = await page
    .getByRole('list', { name: 'Recovery codes' })
    .locator('li')
    .first()
    .innerText();
  await expectAccessibleAt320(page);
  await page.getByRole('checkbox', { name: 'I saved these codes' }).focus();
  await page.keyboard.press('Space');
  await page.getByLabel('Code', { exact: true }).fill(await codeOf(page.request, key));
  await page.keyboard.press('Enter');
  await expect(page.getByText(/Two-step verification is on/)).toBeVisible();
  await expect(page.getByText(/You have 10 recovery codes left/)).toBeVisible();
  await expectAccessibleAt320(page);

  await advanceClock(page.request, '30s');
  await openSignOut(page);
  guard.expect(401, '/auth/login');
  guard.expectLog(/Signing in failed/);
  await submitSignIn(page, user);
  await expect(page.getByText('One more step')).toBeVisible();
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused();
  await expectAccessibleAt320(page);
  await page.keyboard.type(await codeOf(page.request, key));
  await page.keyboard.press('Enter');
  await expect(signOutLink(page)).toBeVisible();

  await openSignOut(page);
  guard.expect(401, '/auth/login');
  guard.expectLog(/Signing in failed/);
  await submitSignIn(page, user);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.keyboard.type(recoveryCode);
  await page.keyboard.press('Enter');
  await expect(signOutLink(page)).toBeVisible();
});

test('a passkey is added once per device, renamed and removed', async ({ page }) => {
  await signInNewUser(page.request);
  const authenticator = await Authenticator.add(page);
  await page.goto('/vc-admin/diy/account');
  const addButton = page.getByRole('button', { name: 'Add a passkey' });
  await addButton.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('The passkey was added.')).toBeVisible();
  expect(await authenticator.countPasskeys()).toBe(1);
  await expectAccessibleAt320(page);

  await addButton.click();
  await expect(page.getByText(/already has a passkey for your account/)).toBeVisible();

  await page.getByRole('button', { name: /^Rename/ }).click();
  await page.getByLabel('Name', { exact: true }).fill('My laptop');
  await page.keyboard.press('Enter');
  await expect(page.getByText('My laptop')).toBeVisible();
  await page.getByRole('button', { name: 'Remove My laptop' }).click();
  await page.getByRole('button', { name: 'Remove this passkey' }).click();
  await expect(page.getByText(/“My laptop” was removed/)).toBeVisible();
  await expect(addButton).toBeFocused();
});

test('a user with a passkey turns two-step verification on without an app', async ({
  page,
  guard,
}) => {
  const user = await signInNewUser(page.request);
  const authenticator = await Authenticator.add(page);
  await page.goto('/vc-admin/diy/account');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText('The passkey was added.')).toBeVisible();
  await page.getByRole('button', { name: 'Turn on without an app' }).focus();
  await page.keyboard.press('Enter');
  const codes = page.getByRole('list', { name: 'Recovery codes' }).locator('li');
  const recoveryCode = await codes.first().innerText();
  await expectAccessibleAt320(page);
  await page.getByRole('checkbox', { name: 'I saved these codes' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Turn on', exact: true }).click();
  await expect(page.getByText(/your password also needs a recovery code/)).toBeVisible();
  await expectAccessibleAt320(page);

  guard.expect(409, '/vc-admin/user/passkeys/del');
  guard.expectLog(/The passkeys could not be changed/);
  await page.getByRole('button', { name: /^Remove / }).click();
  await page.getByRole('button', { name: 'Remove this passkey' }).click();
  await expect(page.getByText(/Two-step verification needs this passkey/)).toBeVisible();

  await authenticator.setPresent(false);
  await openSignOut(page);
  guard.expect(401, '/auth/login');
  guard.expectLog(/Signing in failed/);
  await submitSignIn(page, user);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.keyboard.type(recoveryCode);
  await page.keyboard.press('Enter');
  await expect(signOutLink(page)).toBeVisible();

  await openSignOut(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).focus();
  await authenticator.setPresent(true);
  await page.keyboard.press('Enter');
  await expect(signOutLink(page)).toBeVisible();

  await page.goto('/vc-admin/diy/account');
  await page.getByRole('button', { name: 'Add an authenticator app' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
  await expect(page.getByText('I saved these codes')).toBeHidden();
  await expectAccessibleAt320(page);
  const key = (await page.getByText('Key', { exact: true }).locator('..').innerText()).slice(3);
  await page.getByLabel('Code', { exact: true }).fill(await codeOf(page.request, key));
  await page.keyboard.press('Enter');
  await expect(page.getByText(/Your recovery codes stay valid/)).toBeVisible();
  await expect(page.getByText(/You have 9 recovery codes left/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add an authenticator app' })).toBeHidden();
});

test('no passkey is added when the authenticator does not verify the user', async ({ page }) => {
  await signInNewUser(page.request);
  const authenticator = await Authenticator.add(page);
  await authenticator.setVerified(false);
  await page.goto('/vc-admin/diy/account');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByRole('button', { name: 'Add a passkey' })).not.toHaveAttribute(
    'aria-busy',
  );
  await expect(page.getByText('The passkey was added.')).toBeHidden();
  expect(await authenticator.countPasskeys()).toBe(0);
});
