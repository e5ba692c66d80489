import { expect, type Page } from '@playwright/test';
import { callHeaders, post, signInNewUser } from '../api';
import { Authenticator } from '../authenticator';
import { advanceClock, emailChangeLink, undoLink } from '../dev';
import { abandonRequests, failRequests, restoreRequests, stallRequests } from '../requests';
import { openSignOut, submitSignIn } from '../session';
import { codeOf } from '../totp';
import { newUser } from '../user';
import { expectText, type Journey, openScreen } from './journey';

const accountPath = '/vc-admin/diy/account';
const accountCall = '/vc-admin/user/account';

/** The screens with which a user changes their own sign-in. */
export const securityJourneys: readonly Journey[] = [
  {
    name: 'the account of a user',
    async run(page, context) {
      await signInNewUser(page.request);
      await stallRequests(page, accountCall);
      await openScreen(page, accountPath);
      await expectText(page, 'Loading your account...');
      await context.show('account-loading');
      await abandonRequests(page, accountCall);
      await failRequests(page, context, accountCall, 500);
      await openScreen(page, accountPath);
      await expectText(page, 'Your account could not be loaded.');
      await context.show('account-failed');
      await restoreRequests(page, context, accountCall);
      await openScreen(page, accountPath);
      await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeVisible();
      await context.show('account');

      await page.getByLabel('First name').fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Change email' }).click();
      await page.getByLabel('New password', { exact: true }).fill('Physiotherapy-1');
      await page.getByRole('button', { name: 'Change password' }).click();
      await expectText(page, 'Password is required');
      await context.show('account-errors');
    },
  },
  {
    name: 'the account of a user with long texts',
    async run(page, context) {
      const user = await signInNewUser(page.request);
      await signInInOtherBrowser(page, user);
      await advanceClock(page.request, '20m');
      await signInInOtherBrowser(page, user);
      await openScreen(page, accountPath);
      await page.getByLabel('First name').fill('Wilhelmina Alexandrina Konstantinopolitana');
      await page.getByLabel('Last name').fill('Wolfeschlegelsteinhausenbergerdorff');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectText(page, 'Saved');
      context.guard.expect(403, '/vc-admin/user/email');
      const longEmail = `wilhelmina.alexandrina.konstantinopolitana.${newUser().email}`;
      await page.getByLabel('New email').fill(longEmail);
      await page.getByRole('button', { name: 'Change email' }).click();
      await expect(page.getByRole('dialog', { name: "Confirm it's you" })).toBeVisible();
      await context.show('account-confirm-identity');
      await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(user.password);
      await page.keyboard.press('Enter');
      await expectText(page, 'Not confirmed yet');
      await context.show('account-email-pending');
    },
  },
  {
    name: 'passkeys',
    async run(page, context) {
      await signInNewUser(page.request);
      await Authenticator.add(page);
      await openScreen(page, accountPath);
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await expectText(page, 'The passkey was added.');
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await expectText(page, /already has a passkey/);
      await page.getByRole('button', { name: /^Rename/ }).click();
      await page
        .getByLabel('Name', { exact: true })
        .fill('Reception laptop of the clinic in Banksia Street');
      await page.keyboard.press('Enter');
      await expectText(page, 'The name was changed.');
      await page.getByRole('button', { name: /^Remove Reception/ }).click();
      await context.show('account-passkey-remove');
    },
  },
  {
    name: 'two-step verification',
    async run(page, context) {
      const user = await signInNewUser(page.request);
      await openScreen(page, accountPath);
      await page.getByRole('button', { name: 'Turn on two-step verification' }).click();
      await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
      const key = (await page.getByText('Key', { exact: true }).locator('..').innerText()).slice(3);
      await page.getByRole('checkbox', { name: 'I saved these codes' }).check();
      await page.getByRole('button', { name: 'Turn on', exact: true }).click();
      await expectText(page, 'Code is required');
      await context.show('account-two-step-errors');
      await page.getByLabel('Code', { exact: true }).fill(await codeOf(page.request, key));
      await page.keyboard.press('Enter');
      await expectText(page, /Two-step verification is on/);
      await page.getByRole('button', { name: 'Turn off' }).click();
      await context.show('account-two-step-off-question');

      context.guard.expect(401, '/auth/login');
      context.guard.expectLog(/Signing in failed/);
      await openSignOut(page);
      await submitSignIn(page, user);
      await expectText(page, 'One more step');
      await page.keyboard.type('000000');
      await page.keyboard.press('Enter');
      await expectText(page, /code is/i);
      await page.getByRole('button', { name: 'Use a recovery code' }).click();
      await context.show('sign-in-recovery-code');
    },
  },
  {
    name: 'a change of the email, and its undo',
    async run(page, context) {
      const user = await signInNewUser(page.request);
      const newEmail = newUser().email;
      await post(page.request, '/vc-admin/user/email', { email: newEmail });
      const link = await emailChangeLink(page.request, newEmail);
      await openScreen(page, link);
      await expectText(page, /^You will sign in with/);
      await context.show('confirm-email');
      await page.context().clearCookies();
      await signInNewUser(page.request);
      await openScreen(page, link);
      await expectText(page, /^You are signed in as/);
      await context.show('confirm-email-other-account');
      await page.context().clearCookies();
      await openScreen(page, link);
      await expectText(page, /^Sign in as/);
      await context.show('confirm-email-sign-in');
      const undo = await undoLink(page.request, user.email, /about to change$/);
      await openScreen(page, undo);
      await expectText(page, /^Choose a new password/);
      await page.getByLabel('New password', { exact: true }).fill('Physiotherapy-1');
      await page.getByRole('button', { name: 'Undo and change password' }).click();
      await expectText(page, 'Confirmation of Password is required');
      await context.show('undo-errors');
      await page.getByLabel('New password', { exact: true }).fill('Low-And-Tide-8');
      await page.getByLabel('Confirm new password', { exact: true }).fill('Low-And-Tide-8');
      await page.keyboard.press('Enter');
      await expectText(page, 'Your password was changed');
      context.guard.expect(404, '/vc-admin/auth/undo/show');
      await openScreen(page, undo);
      await expectText(page, 'This link is unknown or too old');
      await context.show('undo-unknown');
    },
  },
];

/** Signs the user in without a page, with separate cookies. */
async function signInInOtherBrowser(
  page: Page,
  { email, password }: { email: string; password: string },
) {
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await page.request.post('/auth/login', {
    data: { username: email, password },
    headers: await callHeaders(page.request),
  });
  await page.context().clearCookies();
  await page.context().addCookies(cookies);
}
