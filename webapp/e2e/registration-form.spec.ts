import { signInNewUser } from './support/api';
import { fillRegistration } from './support/registration';
import { expect, test } from './support/test';
import { newUser } from './support/user';

const regform =
  '/vc-admin/diy/regform?product=professional&currency=AUD&interval=yearly&debug=true';

test('a taken organisation and email address are reported at their fields', async ({
  page,
  guard,
  browser,
  baseURL,
}) => {
  const elsewhere = await browser.newContext({ baseURL });
  const taken = await signInNewUser(elsewhere.request);
  await elsewhere.close();
  guard.expect(400, '/vc-admin/signup');
  guard.expectLog(/^Signing up failed: ERRDUPLICATE/);

  await page.goto(regform);
  await fillRegistration(page, { ...newUser(), org: taken.org.toUpperCase() });
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByLabel('Organization')).toHaveAttribute('aria-invalid', 'true');

  await fillRegistration(page, { ...newUser(), email: taken.email.toUpperCase() });
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Organization')).not.toHaveAttribute('aria-invalid', 'true');

  await page.getByRole('main').getByRole('link', { name: 'Forgotten password?' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(taken.email.toLowerCase());
});
