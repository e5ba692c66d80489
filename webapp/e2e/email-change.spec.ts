import { signInNewUser } from './support/api';
import { expectAccessibleAt320 } from './support/axe';
import { emailChangeLink, undoLink } from './support/dev';
import { signIn, signOutLink, submitSignIn } from './support/session';
import { expect, test } from './support/test';
import { newUser } from './support/user';

test('the email is changed by link, and the old mailbox undoes the change', async ({
  page,
  browser,
  server,
}) => {
  const user = await signInNewUser(page.request);
  const newEmail = newUser().email;

  await page.goto('/vc-admin/diy/account');
  const section = page.getByRole('region', { name: 'Email', exact: true });
  await section.getByLabel('New email').fill(newEmail);
  await page.keyboard.press('Enter');
  await expect(section.getByText('Please check the inbox of your new email')).toBeVisible();
  await expect(section.getByText('Not confirmed yet')).toBeVisible();
  await expectAccessibleAt320(page);

  // The link is opened in another browser, such as that of a phone.
  const phone = await browser.newPage({ baseURL: server.url });
  await phone.goto(await emailChangeLink(page.request, newEmail));
  await expect(phone).toHaveURL('/vc-admin/auth/email');
  await expect(phone.getByText(/^Sign in as/)).toContainText('…@');
  await expectAccessibleAt320(phone);
  await submitSignIn(phone, user);
  await expect(phone.getByText(/^You will sign in with/)).toContainText(newEmail);
  await expectAccessibleAt320(phone);
  await phone.getByRole('button', { name: 'Confirm this address' }).focus();
  await phone.keyboard.press('Enter');
  await expect(phone.getByRole('heading', { name: 'Your new email is confirmed' })).toBeFocused();
  await expectAccessibleAt320(phone);
  await phone.getByRole('link', { name: 'Go to your account' }).click();
  await expect(
    phone.getByRole('region', { name: 'Email', exact: true }).getByText(newEmail),
  ).toBeVisible();

  const owner = await browser.newPage({ baseURL: server.url });
  await owner.goto(await undoLink(page.request, user.email, /account changed$/));
  await expect(owner).toHaveURL('/vc-admin/auth/undo');
  await expect(owner.getByText(/^Choose a new password for the account/)).toContainText(user.email);
  await expectAccessibleAt320(owner);
  await owner.getByLabel('New password', { exact: true }).fill('Low-And-Tide-8');
  await owner.getByLabel('Confirm new password', { exact: true }).fill('Low-And-Tide-8');
  await owner.keyboard.press('Enter');
  await expect(owner.getByText('Your password was changed')).toBeVisible();
  await expect(owner.getByLabel('Email')).toHaveValue(user.email);
  await signIn(owner, { ...user, password: 'Low-And-Tide-8' });
  await expect(signOutLink(owner)).toBeVisible();

  const detail = await phone.request.get('/vc-admin/user/detail');
  expect(await detail.json()).toEqual({ detail: null });
  await phone.close();
  await owner.close();
});
