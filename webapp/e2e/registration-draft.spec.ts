import type { Page } from '@playwright/test';
import { choosePlan, professional } from './support/plans';
import { fillRegistration } from './support/registration';
import { expect, test } from './support/test';
import { newUser, type User } from './support/user';

const start = async (page: Page) => {
  await page.goto('/vc-admin/diy/plans?debug=true');
  await choosePlan(page, professional, 'Start your free trial');
  await expect(page.getByLabel('First name')).toBeVisible();
};

async function expectDraft(page: Page, { org, email }: User): Promise<void> {
  await expect(page.getByLabel('Organization')).toHaveValue(org);
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await expect(page.getByLabel('State/Province')).toHaveValue('New South Wales');
  await expect(page.getByLabel('Phone no.')).toHaveValue('+61 2 5550 0142');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
}

const stored = (page: Page) => page.evaluate(() => JSON.stringify({ ...sessionStorage }));

test('the draft survives a reload and a change of plan, without the passwords', async ({
  page,
}) => {
  const user = newUser();
  await start(page);
  await fillRegistration(page, user);
  expect(await stored(page)).not.toContain(user.password);

  await page.reload();
  await expectDraft(page, user);

  await page.getByRole('link', { name: 'Change plan?' }).click();
  await expect(page).toHaveURL('/vc-admin/diy/plans?debug=true');
  await page.goBack();
  await expectDraft(page, user);

  await page.getByRole('link', { name: 'Change plan?' }).click();
  await choosePlan(page, { ...professional, plan: 'Standard' }, 'Start your free trial');
  await expectDraft(page, user);

  await test.step('the registration clears it, and Back leads to the plans', async () => {
    await fillRegistration(page, user);
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(page.getByRole('heading', { name: 'Registration Success!' })).toBeVisible();
    expect(await stored(page)).toBe('{}');
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Registration Success!' })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL('/vc-admin/diy/plans?debug=true');
  });
});
