import type { Page } from '@playwright/test';
import { signInNewUser } from './support/api';
import { injectAxe, violations } from './support/axe';
import { verificationLink } from './support/dev';
import { choosePlan, professional, registrationPath, standard } from './support/plans';
import { fillRegistration, register } from './support/registration';
import { signIn } from './support/session';
import { expect, test } from './support/test';
import { newUser, type User } from './support/user';

/** Chooses a plan and opens the registration form. */
const openForm = async (page: Page) => {
  await page.goto('/vc-admin/diy/plans?debug=true');
  await choosePlan(page, professional, 'Start your free trial');
  await expect(page.getByLabel('First name')).toBeVisible();
};

/** Expects the form with the input of `fillRegistration`, without the passwords. */
async function expectDraft(page: Page, { org, email }: User): Promise<void> {
  await expect(page.getByLabel('Organization')).toHaveValue(org);
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await expect(page.getByLabel('State/Province')).toHaveValue('New South Wales');
  await expect(page.getByLabel('Phone no.')).toHaveValue('+61 2 5550 0142');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
}

const readStoredData = (page: Page) => page.evaluate(() => JSON.stringify({ ...sessionStorage }));

test('the registration form keeps its input, except passwords, across a reload and a change of plan', async ({
  page,
}) => {
  const user = newUser();
  await openForm(page);
  await fillRegistration(page, user);
  expect(await readStoredData(page)).not.toContain(user.password);

  await page.reload();
  await expectDraft(page, user);

  await page.getByRole('link', { name: 'Change plan?' }).click();
  await expect(page).toHaveURL('/vc-admin/diy/plans?debug=true');
  await page.goBack();
  await expectDraft(page, user);

  await page.getByRole('link', { name: 'Change plan?' }).click();
  await choosePlan(page, standard, 'Start your free trial');
  await expectDraft(page, user);

  await test.step('registering deletes the stored input, and Back leads to the plans', async () => {
    await fillRegistration(page, user);
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(page.getByRole('heading', { name: 'Registration Success!' })).toBeVisible();
    expect(await readStoredData(page)).toBe('{}');
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Registration Success!' })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL('/vc-admin/diy/plans?debug=true');
  });
});

test('a mistyped email address is corrected on the form, and the corrected registration is verified', async ({
  page,
}) => {
  const user = newUser();
  const mistypedUser = { ...user, email: user.email.replace('.example', '.exmaple') };
  await openForm(page);
  const formURL = page.url();
  await register(page, mistypedUser);
  // The server drops the email of a replaced registration if it was not sent yet.
  const replacedLink = await verificationLink(page.request, mistypedUser.email);
  await page.reload();

  await page.getByRole('link', { name: 'Wrong address? Correct it' }).click();
  await expect(page).toHaveURL(formURL);
  await expectDraft(page, mistypedUser);
  expect(await readStoredData(page)).not.toContain(user.password);
  const email = page.getByLabel('Email');
  await expect(email).toBeFocused();
  await expect(email).toBeInViewport();
  await email.fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByLabel('Confirm Password', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('heading', { name: 'Registration Success!' })).toBeVisible();
  await expect(page.getByText(user.email)).toBeVisible();

  await test.step('the first link says that the registration was replaced', async () => {
    await page.goto(replacedLink);
    const heading = page.getByRole('heading', { name: 'This registration was replaced' });
    await expect(heading).toBeVisible();
  });

  await page.goto(await verificationLink(page.request, user.email));
  await expect(page).toHaveURL('/vc-admin/dash?verified=1');
  await signIn(page, user);
  await expect(page.getByRole('button', { name: user.org })).toBeVisible();
});

test('an organisation and an email address that are registered already are reported at their fields', async ({
  page,
  guard,
  browser,
  baseURL,
}) => {
  const otherBrowser = await browser.newContext({ baseURL });
  const existingUser = await signInNewUser(otherBrowser.request);
  await otherBrowser.close();
  guard.expect(400, '/vc-admin/signup');
  guard.expectLog(/^Signing up failed: ERRDUPLICATE/);

  await page.goto(registrationPath);
  await fillRegistration(page, { ...newUser(), org: existingUser.org.toUpperCase() });
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByLabel('Organization')).toHaveAttribute('aria-invalid', 'true');

  await fillRegistration(page, { ...newUser(), email: existingUser.email.toUpperCase() });
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Organization')).not.toHaveAttribute('aria-invalid', 'true');

  await page.getByRole('main').getByRole('link', { name: 'Forgotten password?' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(existingUser.email.toLowerCase());
});

test('the form says while the visitor types that a password is easy to guess', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto(registrationPath);
  await page.getByLabel('Organization').fill('Harbour Physiotherapy');
  const password = page.getByLabel('Password', { exact: true });
  await password.pressSequentially('Trustno1');
  await expect(page.getByText('This password is too common and easily guessed')).toBeVisible();

  await password.fill('');
  await password.pressSequentially('H4rb0ur-1');
  const message = page.getByText("Too easy to guess: contains your clinic's name.");
  await expect(message).toBeVisible();
  await injectAxe(page);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Tab');
  await expect(password).toHaveAccessibleDescription(/^Too easy to guess/);
  await expect(message).toHaveCount(1);

  await password.pressSequentially('-Tide');
  await expect(message).toBeHidden();
});
