import { signInNewUser, signInOnTrial } from './support/api';
import { expectVisibleFocus, tabTo, tabToLabel, typeCard } from './support/keyboard';
import { cards, expectSuccessAndLogout } from './support/payment';
import { expect, test } from './support/test';
import { newUser } from './support/user';

test('keyboard: a visitor chooses a plan and registers', async ({ page }) => {
  const user = newUser();
  const { keyboard } = page;
  await page.goto('/vc-admin/diy/plans?debug=true');
  await page.getByRole('radio', { name: 'Annual billing' }).waitFor();

  await keyboard.press('Tab');
  await expect(page.getByRole('link', { name: /skip/i })).toBeFocused();
  await expectVisibleFocus(page);
  await page.getByRole('radio', { name: 'Annual billing' }).focus();
  await keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Monthly billing' })).toBeChecked();
  await keyboard.press('ArrowLeft');
  await tabTo(page, 'button', 'Start your free trial');
  await expectVisibleFocus(page);
  await keyboard.press('Enter');
  await expect(page).toHaveURL(/regform\?product=standard/);

  const fields: [string, string][] = [
    ['First name', user.firstName],
    ['Last name', user.lastName],
    ['Organization', user.org],
    ['Email', user.email],
  ];
  await page.getByLabel('First name').waitFor();
  for (const [label, text] of fields) {
    await tabTo(page, 'textbox', label);
    await expectVisibleFocus(page);
    await keyboard.type(text);
  }
  for (const label of ['Password', 'Confirm Password']) {
    await tabToLabel(page, label);
    await keyboard.type(user.password);
  }
  await tabTo(page, 'combobox', 'State/Province');
  await keyboard.type('New South');
  await tabTo(page, 'textbox', 'Billing address line 1');
  await keyboard.type('12 Harbour Street');
  await tabTo(page, 'textbox', 'City');
  await keyboard.type('Sydney');
  await tabTo(page, 'textbox', 'Zip/Postal code');
  await keyboard.type('2000');
  await tabTo(page, 'textbox', 'Phone no.');
  await keyboard.type('+61 2 5550 0142');
  await keyboard.press('Enter');

  await expect(page.getByRole('heading', { name: 'Registration Success!' })).toBeVisible();
});

test('keyboard: a customer pays with a card that needs authentication', async ({ page }) => {
  await signInNewUser(page.request);
  await page.goto('/vc-admin/dash');
  await page.getByRole('link', { name: 'Go on to payment' }).waitFor();
  await tabTo(page, 'link', 'Go on to payment');
  await page.keyboard.press('Enter');
  await page.getByLabel('Card number').waitFor();
  await typeCard(page, cards.needsAuthentication);
  await tabTo(page, 'button', 'Subscribe');
  await page.keyboard.press('Enter');

  await expect(page.getByRole('button', { name: 'Complete' })).toBeFocused();
  await expectVisibleFocus(page);
  await expectSuccessAndLogout(page, () => page.keyboard.press('Enter'));
});

test('keyboard: a customer signs in and changes the plan', async ({ page }) => {
  const { email, password } = await signInOnTrial(page);
  await page.context().clearCookies();
  const { keyboard } = page;

  await page.goto('/vc-admin/dash?debug=true');
  await page.getByLabel('Email').waitFor();
  await tabTo(page, 'textbox', 'Email');
  await keyboard.type(email);
  await tabToLabel(page, 'Password');
  await expectVisibleFocus(page);
  await keyboard.type(password);
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeFocused();

  await page.getByRole('link', { name: 'Change plan' }).waitFor();
  await tabTo(page, 'link', 'Change plan');
  await expectVisibleFocus(page);
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Plans for every practice' })).toBeFocused();
  await tabTo(page, 'button', 'Update your plan');
  await expectVisibleFocus(page);
  await keyboard.press('Enter');

  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.getByText('•••• 4242', { exact: true }).waitFor();
  await tabTo(page, 'button', 'Manage card(s)');
  await expectVisibleFocus(page);
  await tabTo(page, 'button', 'Confirm');
  await expectVisibleFocus(page);
  await expectSuccessAndLogout(page, () => keyboard.press('Enter'));
});

test('keyboard: in a small window Escape closes the menu, and Sign In opens the sign-in form', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto('/vc-admin/diy/plans?debug=true');
  const menuButton = page.getByRole('button', { name: 'Menu' });
  const signInLink = page.getByRole('link', { name: 'Sign In' });

  await tabTo(page, 'button', 'Menu');
  await expectVisibleFocus(page);
  await page.keyboard.press('Enter');
  await signInLink.waitFor();
  await tabTo(page, 'link', 'Sign In');
  await page.keyboard.press('Escape');
  await expect(signInLink).toBeHidden();
  await expect(menuButton).toBeFocused();

  await page.keyboard.press('Enter');
  await tabTo(page, 'link', 'Sign In');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeFocused();
  await expect(signInLink).toBeHidden();
});

test('keyboard: Contact us opens the contact screen', async ({ page }) => {
  await page.goto('/vc-admin/diy/plans?debug=true');
  await page.getByRole('button', { name: 'Contact us' }).first().waitFor();
  await tabTo(page, 'button', 'Contact us');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page.getByText('For Multi-User solutions')).toBeVisible();
});
