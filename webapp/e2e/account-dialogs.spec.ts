import type { Locator, Page } from '@playwright/test';
import { post, signInNewUser } from './support/api';
import { Authenticator } from './support/authenticator';
import { advanceClock, invitationLink } from './support/dev';
import { expectVisibleFocus, tabTo, tabToLabel } from './support/keyboard';
import { expect, test } from './support/test';
import { newUser } from './support/user';

const membersPath = '/vc-admin/diy/members';
const accountPath = '/vc-admin/diy/account';

/** Presses Tab and Shift+Tab, and expects that the focus stays in the dialog or is outside of the page. */
async function expectTrappedFocus(page: Page, dialog: Locator): Promise<void> {
  await expectFocusInside(dialog);
  await expectVisibleFocus(page);
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let presses = 0; presses < 8; presses++) {
      await page.keyboard.press(key);
      const isTrapped = await dialog.evaluate(
        (element) =>
          document.activeElement === document.body || element.contains(document.activeElement),
      );
      expect(isTrapped, `the focus after ${key}`).toBe(true);
    }
  }
}

const expectFocusInside = (dialog: Locator) =>
  expect.poll(() => dialog.evaluate((element) => element.matches(':focus-within'))).toBe(true);

/** Presses Escape in a dialog, and expects that it closes and the control that opened it has the focus. */
async function expectEscapeReturns(page: Page, dialog: Locator, opener: Locator): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
}

/** Signs an owner in, whose organisation has another owner of another organisation, and returns both. */
async function signInWithColleague(page: Page, colleaguePage: Page) {
  const owner = await signInNewUser(page.request, newUser());
  const colleague = await signInNewUser(colleaguePage.request, {
    ...newUser(),
    firstName: 'Sam',
  });
  await post(page.request, '/vc-admin/org/members/invite', {
    email: colleague.email,
    role: 'owner',
  });
  await colleaguePage.goto(await invitationLink(page.request, colleague.email));
  await colleaguePage.getByRole('button', { name: 'Join' }).click();
  await expect(colleaguePage).toHaveURL(/\/vc-admin\/dash/);
  return { owner, colleague, name: `${colleague.firstName} ${colleague.lastName}` };
}

test('keyboard: the dialogs of the members screen keep the focus and return it', async ({
  page,
  browser,
  server,
  guard,
}) => {
  const context = await browser.newContext({ baseURL: server.url });
  const colleaguePage = await context.newPage();
  const { owner, colleague, name } = await signInWithColleague(page, colleaguePage);
  await advanceClock(page.request, '20m');
  await page.goto(membersPath);

  const remove = page.getByRole('button', { name: `Remove ${name}` });
  const removal = page.getByRole('dialog', { name: `Remove ${name}?` });
  const confirmation = page.getByRole('dialog', { name: "Confirm it's you" });
  await tabTo(page, 'button', `Remove ${name}`);
  await page.keyboard.press('Enter');
  await expectTrappedFocus(page, removal);
  await expectEscapeReturns(page, removal, remove);

  const leave = page.getByRole('button', { name: `Leave ${owner.org}` });
  const leaving = page.getByRole('dialog', { name: `Leave ${owner.org}?` });
  await leave.focus();
  await page.keyboard.press('Enter');
  await expectTrappedFocus(page, leaving);
  await expectEscapeReturns(page, leaving, leave);

  const changeRole = page.getByRole('button', { name: `Change the role of ${name}` });
  await changeRole.focus();
  await page.keyboard.press('Enter');
  const roles = page.getByRole('group', { name: `Role of ${name}` });
  await expect(roles.getByRole('radio', { name: /^Owner/ })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(roles.getByRole('radio', { name: /^Billing/ })).toBeChecked();
  guard.expect(403, '/vc-admin/org/members/edit');
  guard.expectLog(/A member could not be changed/);
  await page.keyboard.press('Enter');
  await expect(confirmation.getByLabel('Password', { exact: true })).toBeFocused();
  await expectTrappedFocus(page, confirmation);
  await page.keyboard.press('Escape');
  await expect(confirmation).toBeHidden();
  await expect(page.getByText('The member was not changed')).toBeVisible();
  await expectFocusInside(roles);
  guard.expect(403, '/vc-admin/org/members/edit');
  await page.keyboard.press('Enter');
  await expect(confirmation.getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.type(owner.password);
  await page.keyboard.press('Enter');
  await expect(page.getByText(`The role of ${name} is now Billing`)).toBeVisible();
  await expect(changeRole).toBeFocused();

  await tabToLabel(page, 'Email');
  await page.keyboard.type('kim@harbour.example');
  await page.keyboard.press('Enter');
  await expect(page.getByText('An invitation is on its way to kim@harbour.example')).toBeVisible();

  const switcher = colleaguePage.getByRole('button', { name: `Organisation: ${owner.org}` });
  await switcher.focus();
  await colleaguePage.keyboard.press('Enter');
  const other = colleaguePage.getByRole('button', { name: colleague.org, exact: true });
  await colleaguePage.keyboard.press('Tab');
  await expect(other).toBeFocused();
  await colleaguePage.keyboard.press('Escape');
  await expect(other).toBeHidden();
  await expect(switcher).toBeFocused();

  await remove.focus();
  await page.keyboard.press('Enter');
  await expectFocusInside(removal);
  await tabTo(page, 'button', 'Remove');
  await page.keyboard.press('Enter');
  await expect(page.getByText(`${name} was removed`)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Current members' })).toBeFocused();
  await context.close();
});

test('keyboard: the steps of the account screen take the focus and return it', async ({
  page,
  guard,
}) => {
  const user = await signInNewUser(page.request, newUser());
  await Authenticator.add(page);
  await page.goto(accountPath);
  await advanceClock(page.request, '20m');

  const confirmation = page.getByRole('dialog', { name: "Confirm it's you" });
  const add = page.getByRole('button', { name: 'Add a passkey' });
  await add.focus();
  guard.expect(403, '/vc-admin/user/passkeys/options');
  guard.expectLog(/The passkey could not be created/);
  await page.keyboard.press('Enter');
  await expectTrappedFocus(page, confirmation);
  await expectEscapeReturns(page, confirmation, add);
  guard.expect(403, '/vc-admin/user/passkeys/options');
  await page.keyboard.press('Enter');
  await expect(confirmation.getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.type(user.password);
  await page.keyboard.press('Enter');
  await expect(page.getByText('The passkey was added.')).toBeVisible();
  await expect(add).toBeFocused();

  for (const [action, back] of [
    ['Rename', 'Cancel'],
    ['Remove', 'Keep it'],
  ]) {
    const button = page.getByRole('button', { name: new RegExp(`^${action} `) });
    await button.focus();
    await page.keyboard.press('Enter');
    await tabTo(page, 'button', back as string);
    await page.keyboard.press('Enter');
    await expect(button).toBeFocused();
  }

  const section = page.getByRole('heading', { name: 'Two-step verification', exact: true });
  await tabTo(page, 'button', 'Turn on without an app');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Set up two-step verification' })).toBeFocused();
  const saved = page.getByRole('checkbox', { name: 'I saved these codes' });
  await expect(saved).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(saved).toBeFocused();
  await page.keyboard.press('Space');
  await tabTo(page, 'button', 'Turn on');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/Two-step verification is on/)).toBeVisible();
  await expect(section).toBeFocused();

  await tabTo(page, 'button', 'New recovery codes');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('checkbox', { name: 'I saved these codes' })).toBeVisible();
  await tabTo(page, 'button', 'Cancel');
  await page.keyboard.press('Enter');
  await expect(section).toBeFocused();

  await tabTo(page, 'button', 'Turn off');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Keep it on' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Two-step verification is off.')).toBeVisible();
  await expect(section).toBeFocused();
});
