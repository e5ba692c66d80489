import type { Page } from '@playwright/test';
import { licenses, signedIn } from './support/api';
import { cards, expectSuccessAndLogout, fillCard, replaceCard, subscribe } from './support/payment';
import { signIn } from './support/session';
import { expect, test } from './support/test';

const payment =
  '/vc-admin/diy/payment?product=professional&interval=yearly&currency=AUD&debug=true';

/** Subscribes with the card that asks for authentication, and answers its dialog. */
async function authenticate(page: Page, answer: 'Complete' | 'Fail') {
  await subscribe(page);
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('authenticate');
  await dialog.getByRole('button', { name: answer }).click();
  await expect(dialog).toBeHidden();
}

test.describe('a trial with a card that asks for authentication', () => {
  test('runs when the authentication is completed', async ({ page }) => {
    const person = await signedIn(page.request);
    await page.goto(payment);
    await fillCard(page, cards.authenticates);
    await authenticate(page, 'Complete');
    await expectSuccessAndLogout(page);
    await signIn(page, person);
    await expect(page.getByText('in-trial')).toBeVisible();
  });

  test('says so when the authentication fails, and can be tried again', async ({ page }) => {
    await signedIn(page.request);
    await page.goto(payment);
    await fillCard(page, cards.authenticates);
    await authenticate(page, 'Fail');
    await expect(page.getByRole('alert')).toContainText(/unable to authenticate/i);
    await expect(page.getByText('Subscription update, success!')).toBeHidden();
    await expect(page.getByRole('button', { name: 'Subscribe' })).toBeEnabled();

    await authenticate(page, 'Complete');
    await expect(page.getByText('Subscription update, success!')).toBeVisible();
    const { license } = await licenses(page.request);
    expect(license?.raw.status).toBe('trialing');
  });

  test('can go on with another card when the authentication fails', async ({ page }) => {
    await signedIn(page.request);
    await page.goto(payment);
    await fillCard(page, cards.authenticates);
    await authenticate(page, 'Fail');
    await expect(page.getByRole('alert')).toBeVisible();

    await replaceCard(page, cards.good);
    await subscribe(page);
    await expectSuccessAndLogout(page);
  });
});
