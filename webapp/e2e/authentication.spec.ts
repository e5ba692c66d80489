import { licenses, signInNewUser } from './support/api';
import { cards, expectSuccessAndLogout, fillCard, subscribe } from './support/payment';
import { paymentPath } from './support/plans';
import { signIn } from './support/session';
import { expect, test } from './support/test';

test('a trial starts when a failed authentication of the card succeeds on the second attempt', async ({
  page,
}) => {
  const user = await signInNewUser(page.request);
  await page.goto(paymentPath);
  await fillCard(page, cards.authenticates);
  await subscribe(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Fail' }).click();
  await expect(page.getByRole('alert')).toContainText(/unable to authenticate/i);
  await expect(page.getByText('Subscription update, success!')).toBeHidden();

  await subscribe(page);
  const complete = page.getByRole('dialog').getByRole('button', { name: 'Complete' });
  await expectSuccessAndLogout(page, () => complete.click());
  await signIn(page, user);
  expect((await licenses(page.request)).license?.raw.status).toBe('trialing');
});
