import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { signInNewUser } from '../support/api';
import { cardRow } from '../support/cards';
import { expectSuccessAndLogout, subscribe } from '../support/payment';
import { paymentPath } from '../support/plans';
import { authenticate, typeCard } from './support/card';
import { expect, test } from './support/test';
import { Traffic } from './support/traffic';

const amex = '378282246310005';
const authenticates = '4000002500003155';
const expiry = '11/41';
// With a digit that does not occur in the ids of customers and cards.
const code = '8190';

/** Returns the violations of the content security policy, filled while the page runs. */
async function watchPolicy(page: Page): Promise<string[]> {
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
  const violations = await watchPolicy(page);
  const traffic = new Traffic(page);

  await test.step('on the cards screen', async () => {
    await page.goto('/vc-admin/diy/cards');
    await page.getByRole('button', { name: 'Add card' }).click();
    await typeCard(page, amex, expiry, code);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(cardRow(page, '0005')).toBeVisible();
  });

  await test.step('on the payment screen, with an authentication', async () => {
    await page.goto(paymentPath);
    await typeCard(page, authenticates, expiry, '819');
    await subscribe(page);
    await expectSuccessAndLogout(page, () => authenticate(page, 'Complete'));
  });

  expect(violations).toEqual([]);
  const to = ['https://api.stripe.com/v1/payment_methods'];
  expect(await traffic.urlsContaining(amex)).toEqual(to);
  expect(await traffic.urlsContaining(authenticates)).toEqual(to);
  expect(await traffic.urlsContaining(code)).toEqual(to);
  expect(await traffic.urlsContaining('exp_month')).toEqual(to);
  expect(await traffic.urlsContaining(expiry)).toEqual([]);
  const stripe = 'https://js.stripe.com';
  expect(traffic.scriptOrigins()).toEqual([server.url, stripe]);
  expect(traffic.documentOrigins()).toEqual([server.url, 'https://hooks.stripe.com', stripe]);
  await expectNothingStored(server.folder);
});

/** Expects no card number in the database and the files beside it. */
async function expectNothingStored(folder: string): Promise<void> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) =>
    each.isFile(),
  );
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const content = await readFile(join(file.parentPath, file.name), 'latin1');
    for (const number of [amex, authenticates])
      expect(content.includes(number), file.name).toBe(false);
  }
}
