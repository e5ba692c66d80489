import { signUp } from './support/api';
import { expect, test } from './support/test';
import { newUser } from './support/user';

/** The longest notice about a purchase. */
const purchaseNotice = {
  title: 'You paid $1,569.27 AUD',
  text: 'Professional is your plan now. Next charge: $1,816.00 AUD on 26 September 2028. We email you the receipt.',
  email: 'ada@clinic.example',
};

for (const width of [1280, 375]) {
  test(`a notice about a purchase does not move the fields of the sign-in form, at ${width} pixels`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/vc-admin/dash');
    const field = page.getByLabel('Email', { exact: true });
    const initialTop = (await field.boundingBox())?.y;
    await page.evaluate(
      (notice) => sessionStorage.setItem('purchaseNotice', JSON.stringify(notice)),
      purchaseNotice,
    );
    await page.reload();
    await expect(page.getByText(purchaseNotice.text)).toBeVisible();
    expect((await field.boundingBox())?.y).toBe(initialTop);
  });

  test(`a notice with a button does not move the fields of the sign-in form, at ${width} pixels`, async ({
    page,
    guard,
  }) => {
    const user = newUser();
    await signUp(page.request, user);
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/vc-admin/dash');
    const field = page.getByLabel('Email', { exact: true });
    await field.fill(user.email);
    const fieldTop = async () => (await field.boundingBox())?.y;
    const initialTop = await fieldTop();

    guard.expect(403, '/auth/login');
    guard.expectLog(/Signing in failed/);
    await page.getByLabel('Password', { exact: true }).fill(user.password);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page.getByText('Please verify your email address first')).toBeVisible();
    expect(await fieldTop()).toBe(initialTop);

    await page.getByRole('button', { name: 'Send the email again' }).click();
    await expect(page.getByText(/a new link is on its way/)).toBeVisible();
    expect(await fieldTop()).toBe(initialTop);
  });
}
