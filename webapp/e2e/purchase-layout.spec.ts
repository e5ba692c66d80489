import { signInNewUser, signInOnPaidPlan, signInOnTrial } from './support/api';
import { goToConfirm } from './support/confirm';
import { readPaints, recordPaints } from './support/paints';
import { paymentPath, standard } from './support/plans';
import { delayRequests } from './support/requests';
import { expect, test } from './support/test';

const quoteCallPattern = '**/vc-admin/org/subscription/quote';
const loadingText = 'Loading the amount...';

test('on a phone the payment screen shows the plan and the card field without scrolling and collapses the charges', async ({
  page,
}) => {
  await signInNewUser(page.request);
  await page.setViewportSize({ width: 375, height: 667 });
  await page.goto(paymentPath);

  for (const label of ['Card number', 'Expiry', 'CVC']) {
    await expect(page.getByLabel(label)).toBeInViewport({ ratio: 1 });
  }
  await expect(page.getByText('You are subscribing to a Professional plan')).toBeInViewport();
  await expect(page.getByRole('link', { name: 'Change plan?' })).toBeInViewport();
  const charge = page.getByText('Trial ends, first charge');
  await expect(charge).toBeHidden();
  await page.getByText('$816 AUD per year', { exact: true }).click();
  await expect(charge).toBeVisible();
});

test('on a phone the Confirm button is reached by scrolling less than a third of the window', async ({
  page,
}) => {
  await signInOnTrial(page);
  await goToConfirm(page, standard);
  await page.setViewportSize({ width: 375, height: 812 });
  await expect(page.getByText('Next charge')).toBeVisible();

  const button = await page.getByRole('button', { name: 'Confirm', exact: true }).boundingBox();
  expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThan(812 * 1.33);
});

test('the layout of payment and confirmation does not shift when the amounts arrive', async ({
  page,
}) => {
  await recordPaints(page);
  await signInNewUser(page.request);
  const releasePayment = await delayRequests(page, quoteCallPattern);
  await page.goto(paymentPath);
  await expect(page.getByText(loadingText)).toBeAttached();
  await page.getByLabel('Card number').waitFor();
  releasePayment();
  await expect(page.getByRole('region', { name: 'What you pay' })).toContainText('$816 AUD');
  expect((await readPaints(page)).shift).toBe(0);

  await signInOnTrial(page);
  await goToConfirm(page, standard);
  const releaseConfirmation = await delayRequests(page, quoteCallPattern);
  await page.reload();
  await expect(page.getByText(loadingText)).toBeAttached();
  releaseConfirmation();
  await expect(page.getByText('Next charge')).toBeVisible();
  expect((await readPaints(page)).shift).toBe(0);
});

for (const width of [1280, 375]) {
  test(`the layout of a prorated change does not shift when the amounts arrive, at ${width} pixels`, async ({
    page,
  }) => {
    await recordPaints(page);
    await signInOnPaidPlan(page);
    for (const interval of ['yearly', 'monthly'] as const) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await goToConfirm(page, { ...standard, interval });
      await page.setViewportSize({ width, height: 800 });
      const release = await delayRequests(page, quoteCallPattern);
      await page.reload();
      await expect(page.getByText(loadingText)).toBeAttached();
      release();
      await expect(page.getByText('Unused time on Professional')).toBeVisible();
      expect((await readPaints(page)).shift).toBe(0);
    }
  });
}
