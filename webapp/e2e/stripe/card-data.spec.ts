import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { signInNewUser } from '../support/api';
import { cardRow } from '../support/cards';
import { cards, expectSuccessAndLogout, subscribe } from '../support/payment';
import { paymentPath } from '../support/plans';
import { authenticate, typeCard } from './support/card';
import { expect, test } from './support/test';
import { Traffic } from './support/traffic';

const amex = '378282246310005';
const authenticatedCard = cards.needsAuthentication;
const expiry = '11/41';
/** A security code that does not occur in the ids of customers and cards. */
const securityCode = '8190';

/** Returns a list to which the page adds its violations of the content security policy. */
async function recordViolations(page: Page): Promise<string[]> {
  const violations: string[] = [];
  await page.exposeFunction('reportViolation', (violation: string) => violations.push(violation));
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      (window as unknown as { reportViolation: (violation: string) => void }).reportViolation(
        `${violatedDirective}: ${blockedURI}`,
      ),
    ),
  );
  return violations;
}

test('card data is sent to Stripe only', async ({ page, server }) => {
  await signInNewUser(page.request);
  const violations = await recordViolations(page);
  const traffic = new Traffic(page);

  await test.step('add a card on the cards screen', async () => {
    await page.goto('/vc-admin/diy/cards');
    await page.getByRole('button', { name: 'Add card' }).click();
    await typeCard(page, amex, expiry, securityCode);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(cardRow(page, '0005')).toBeVisible();
  });

  await test.step('pay on the payment screen, with an authentication', async () => {
    await page.goto(paymentPath);
    await typeCard(page, authenticatedCard, expiry, '819');
    await subscribe(page);
    await expectSuccessAndLogout(page, () => authenticate(page, 'Complete'));
  });

  expect(violations).toEqual([]);
  const cardUrls = ['https://api.stripe.com/v1/payment_methods'];
  expect(await traffic.urlsContaining(amex)).toEqual(cardUrls);
  expect(await traffic.urlsContaining(authenticatedCard)).toEqual(cardUrls);
  expect(await traffic.urlsContaining(securityCode)).toEqual(cardUrls);
  expect(await traffic.urlsContaining('exp_month')).toEqual(cardUrls);
  expect(await traffic.urlsContaining(expiry)).toEqual([]);
  const scriptOrigin = 'https://js.stripe.com';
  expect(traffic.scriptOrigins()).toEqual([server.url, scriptOrigin]);
  expect(traffic.documentOrigins()).toEqual([server.url, 'https://hooks.stripe.com', scriptOrigin]);
  await expectNoCardNumbers(server.folder);
});

/** Expects no card number in the files of the server's data, such as the database. */
async function expectNoCardNumbers(folder: string): Promise<void> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const content = await readFile(join(file.parentPath, file.name), 'latin1');
    for (const number of [amex, authenticatedCard])
      expect(content.includes(number), file.name).toBe(false);
  }
}
