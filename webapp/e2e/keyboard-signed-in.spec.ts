import { signedIn, startTrial } from './support/api';
import { expectVisibleFocus, tabTo, tabToLabel, typeCard } from './support/keyboard';
import { cards, expectSuccessAndLogout } from './support/payment';
import { expect, test } from './support/test';

test('somebody signs in and changes the plan with the keyboard alone', async ({ page }) => {
  const { email, password, org } = await signedIn(page.request);
  await startTrial(page.request);
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
  await expect(page.getByRole('heading', { name: org })).toBeFocused();

  await page.getByRole('link', { name: /^Plans/ }).waitFor();
  await tabTo(page, 'link', 'Plans Compare plans, or change yours');
  await expectVisibleFocus(page);
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Plans for every practice' })).toBeFocused();
  await tabTo(page, 'button', 'Update your plan');
  await expectVisibleFocus(page);
  await keyboard.press('Enter');

  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.getByText('•••• 4242').waitFor();
  await tabTo(page, 'button', 'Manage card(s)');
  await expectVisibleFocus(page);
  await tabTo(page, 'button', 'Confirm');
  await expectVisibleFocus(page);
  await keyboard.press('Enter');
  await expectSuccessAndLogout(page);
});

test('a bank is answered with the keyboard alone', async ({ page }) => {
  await signedIn(page.request);
  const { keyboard } = page;
  await page.goto(
    '/vc-admin/diy/payment?product=professional&interval=yearly&currency=AUD&debug=true',
  );
  await page.getByLabel('Card number').waitFor();
  await typeCard(page, cards.authenticates);
  await keyboard.press('Enter');

  await expect(page.getByRole('button', { name: 'Complete' })).toBeFocused();
  await expectVisibleFocus(page);
  await keyboard.press('Enter');
  await expectSuccessAndLogout(page);
});

test('the menu of a small window opens, leads on and closes with the keyboard', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto('/vc-admin/diy/plans?debug=true');
  const menu = page.getByRole('button', { name: 'Menu' });
  const signIn = page.getByRole('link', { name: 'Sign In' });

  await tabTo(page, 'button', 'Menu');
  await expectVisibleFocus(page);
  await page.keyboard.press('Enter');
  await signIn.waitFor();
  await tabTo(page, 'link', 'Sign In');
  await page.keyboard.press('Escape');
  await expect(signIn).toBeHidden();
  await expect(menu).toBeFocused();

  await page.keyboard.press('Enter');
  await tabTo(page, 'link', 'Sign In');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeFocused();
  await expect(signIn).toBeHidden();
});

test('who needs a plan that is not sold here comes to the contact with the keyboard', async ({
  page,
}) => {
  await page.goto('/vc-admin/diy/plans?debug=true');
  await page.getByRole('button', { name: 'Contact us' }).first().waitFor();
  await tabTo(page, 'button', 'Contact us');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page.getByText('For Multi-User solutions')).toBeVisible();
});
