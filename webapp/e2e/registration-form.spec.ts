import type { Page } from '@playwright/test';
import { signedIn } from './support/api';
import { newPerson } from './support/person';
import { fillRegistration, register } from './support/registration';
import { expect, test } from './support/test';

const regform =
  '/vc-admin/diy/regform?product=professional&currency=AUD&interval=yearly&debug=true';

const submit = (page: Page) => page.getByRole('button', { name: 'Submit' }).click();

/** The field says what is wrong with it, to eyes and to a screen reader. */
async function expectProblem(page: Page, label: string, message: string) {
  const field = page.getByLabel(label, { exact: true });
  await expect(field, label).toHaveAccessibleDescription(
    new RegExp(message.replaceAll('.', '\\.')),
  );
  await expect(field, label).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText(message)).toBeVisible();
}

test.beforeEach(async ({ page }) => {
  await page.goto(regform);
});

test('an empty form says at every field what is missing, and goes to the first', async ({
  page,
}) => {
  await page.getByLabel('Country').selectOption('');
  await submit(page);
  for (const [label, message] of [
    ['First name', 'First name is required'],
    ['Last name', 'Last name is required'],
    ['Organization', 'Org name is required'],
    ['Email', 'email is required'],
    ['Password', 'Password policy not followed'],
    ['Confirm Password', 'Confirmation of Password is required'],
    ['Country', 'Country is required'],
    ['State/Province', 'state is required'],
    ['Billing address line 1', 'Billing address line 1 is required'],
    ['City', 'City is required'],
    ['Zip/Postal code', 'Zip/Postal code is required'],
    ['Phone no.', 'Phone no. required'],
  ] as const) {
    await expectProblem(page, label, message);
  }
  await expect(page.getByLabel('First name')).toBeFocused();
});

for (const [label, text, message] of [
  ['First name', 'R2D2', 'Invalid first name'],
  ['Last name', "O'Neill", 'Invalid last name'],
  ['Email', 'mara@localhost', 'Invalid email address!'],
  ['Password', 'short1', 'Password policy not followed'],
  ['Confirm Password', 'Tide-And-Time-8', 'Passwords did not match'],
  ['Zip/Postal code', '   ', 'Invalid zipcode'],
  ['Phone no.', '12-34', 'Invalid contact details'],
] as const) {
  test(`${label} '${text}' is refused: ${message}`, async ({ page }) => {
    await fillRegistration(page, newPerson());
    await page.getByLabel(label, { exact: true }).fill(text);
    await submit(page);
    await expectProblem(page, label, message);
    await expect(page.getByLabel(label, { exact: true })).toBeFocused();
    await expect(page).toHaveURL(regform);
  });
}

test('the password checklist follows what is typed', async ({ page }) => {
  const conditions = [
    'at least 8 characters',
    'at least 1 upper-case letter',
    'at least 1 lower-case letter',
    'at least 1 number',
  ];
  const met = async () => {
    const items = conditions.map((text) => page.getByRole('listitem').filter({ hasText: text }));
    const texts = await Promise.all(items.map((item) => item.innerText()));
    return texts.map((text) => !/not met/i.test(text));
  };
  for (const [password, wanted] of [
    ['', [false, false, false, false]],
    ['a', [false, false, true, false]],
    ['aB', [false, true, true, false]],
    ['aB3', [false, true, true, true]],
    ['aB3defgh', [true, true, true, true]],
  ] as const) {
    await page.getByLabel('Password', { exact: true }).fill(password);
    await expect.poll(met, { message: `'${password}'` }).toEqual(wanted);
  }
});

test('a password can be looked at', async ({ page }) => {
  for (const label of ['Password', 'Confirm Password']) {
    const field = page.getByLabel(label, { exact: true });
    await field.fill('Tide-And-Time-7');
    await expect(field).toHaveAttribute('type', 'password');
    await page.getByRole('button', { name: `Show ${label}`, exact: true }).click();
    await expect(field).toHaveAttribute('type', 'text');
  }
});

test('a country without known regions takes any text for the state', async ({ page }) => {
  await page.getByLabel('Country').selectOption('NZ');
  await expect(page.getByLabel('State/Province')).toHaveRole('combobox');
  await page.getByLabel('Country').selectOption('SJ');
  await expect(page.getByLabel('State/Province')).toHaveRole('textbox');
});

test('an organisation and an e-mail that are taken are told at their fields', async ({
  page,
  guard,
  browser,
  baseURL,
}) => {
  const elsewhere = await browser.newContext({ baseURL });
  const taken = await signedIn(elsewhere.request);
  await elsewhere.close();
  guard.expect(400, '/vc-admin/signup');
  guard.expectLog(/^Signing up failed: ERRDUPLICATE/);

  await fillRegistration(page, { ...newPerson(), org: taken.org.toUpperCase() });
  await submit(page);
  await expect(page.getByLabel('Organization')).toHaveAttribute('aria-invalid', 'true');

  await fillRegistration(page, { ...newPerson(), email: taken.email.toUpperCase() });
  await submit(page);
  await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Organization')).not.toHaveAttribute('aria-invalid', 'true');

  await register(page, newPerson());
});
