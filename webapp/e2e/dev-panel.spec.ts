import type { Page } from '@playwright/test';
import { expectAccessiblePages } from './support/accessible-pages';
import { signInOnTrial } from './support/api';
import { expectVisibleFocus, tabTo } from './support/keyboard';
import { Server } from './support/server';
import { expect, testWithServer } from './support/test';

/** A test with the fake provider, which has all parts of the panel. */
const test = testWithServer(() => Server.start({ DIY_PAYMENTS: 'fake' }));

/** Submits the form of a button by keyboard, and expects its result. */
async function submit(page: Page, button: string, result: string): Promise<void> {
  await tabTo(page, 'button', button);
  await expectVisibleFocus(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toHaveText(result);
}

test('a developer ends a trial, makes events fail and returns money by keyboard', async ({
  page,
}) => {
  const user = await signInOnTrial(page);
  await page.goto('/dev');
  await expect(page.getByRole('region', { name: 'Newest emails' })).toContainText(user.email);

  await submit(page, 'Advance to the next', 'The clock was moved.');
  const invoice = page.getByRole('article').first();
  await expect(invoice).toContainText('paid');
  const number = await invoice.getByRole('heading').innerText();

  await tabTo(page, 'combobox', 'Deliver events');
  await page.keyboard.press('End');
  await submit(page, 'Set delivery', 'The delivery of events is set.');
  await page.goto('/dev');
  await submit(page, `Refund ${number}`, 'The refund was made.');
  await expect(invoice).toContainText('refunded');
  await expect(page.getByRole('region', { name: 'Events' })).toContainText('charge.refunded');
  await page.goto('/dev');
  await tabTo(page, 'combobox', 'Deliver events');
  await page.keyboard.press('Home');
  await submit(page, 'Set delivery', 'The delivery of events is set.');
  await expect(page.getByRole('region', { name: 'Events' })).toContainText('All events are');

  await page.goto('/dev');
  await invoice.getByText('Why not:').click();
  await expect(invoice).toContainText('The whole payment was refunded or disputed.');
});

test('the development panel is accessible on wide and small screens in both colour schemes', async ({
  page,
}) => {
  await signInOnTrial(page);
  await expectAccessiblePages(page, '/dev');
});
