import { expect, type Page } from '@playwright/test';
import {
  createCard,
  endTrialUnpaid,
  expectStatus,
  post,
  signInNewUser,
  signInOnTrial,
  startPlan,
  startTrial,
} from './api';
import { addCard } from './cards';
import { confirm, goToConfirm } from './confirm';
import { advanceClock } from './dev';
import { authenticate, cards, expectSuccessAndLogout, fillCard, subscribe } from './payment';
import { paymentPath, standard } from './plans';
import { signIn } from './session';
import type { User } from './user';

/** Signs in a new user whose first charge, at the end of the trial, was declined. */
export async function signInWithOverdueInvoice(page: Page): Promise<User> {
  const user = await signInNewUser(page.request);
  await startTrial(page.request, cards.declinedWhenCharged);
  await advanceClock(page.request, '169h');
  await expectStatus(page.request, 'past_due');
  return user;
}

/**
 * Signs in a new user who owes the last invoice, $39 for a month of Standard, after ending an overdue plan twice within 12
 * months.
 */
export async function signInWithOwedInvoice(page: Page): Promise<User> {
  const user = await signInWithOverdueInvoice(page);
  await post(page.request, '/vc-admin/org/subscription/cancel');
  const validCard = await createCard(page.request, cards.valid);
  await startPlan(page.request, validCard, 'standard', 'monthly');
  await post(page.request, '/vc-admin/org/customer/cards/add', {
    paymentMethodId: await createCard(page.request, cards.declinedWhenCharged),
    set_default: true,
  });
  await advanceClock(page.request, '768h');
  await expectStatus(page.request, 'past_due');
  await post(page.request, '/vc-admin/org/subscription/cancel');
  return user;
}

/** Signs in a new user on the trial of Professional whose change to Standard was declined. */
export async function signInWithDeclinedChange(page: Page): Promise<User> {
  const user = await signInOnTrial(page);
  await goToConfirm(page, standard);
  await page.getByRole('button', { name: 'Manage card(s)' }).click();
  await addCard(page, cards.insufficientFunds);
  await expect(page.getByText('•••• 9995', { exact: true })).toBeVisible();
  await confirm(page);
  await expect(page.getByRole('alert')).toContainText('Your card was declined.');
  return user;
}

/** Signs in a new user on a trial whose bank has not approved the card. */
export async function signInWithUnapprovedTrial(page: Page): Promise<User> {
  const user = await signInNewUser(page.request);
  await page.goto(paymentPath);
  await fillCard(page, cards.needsAuthentication);
  await subscribe(page);
  await authenticate(page, 'Fail');
  await expect(page.getByRole('alert')).toContainText('Your trial has started');
  return user;
}

/** Signs in a new user who buys Professional, yearly, with a bank account. The payment takes days. */
export async function buyWithBankAccount(page: Page, account: string): Promise<User> {
  const user = await signInNewUser(page.request);
  await endTrialUnpaid(page.request);
  await page.goto(paymentPath);
  await fillCard(page, account);
  await subscribe(page);
  await expect(page.getByRole('heading', { name: 'Your payment is on its way' })).toBeFocused();
  await expect(page.getByText(/^\$816(\.00)? AUD from bank account/)).toContainText(
    /expected by .*Your Professional plan starts when it has arrived\./,
  );
  return user;
}

/** Signs in a new user who starts the trial of Professional on the payment screen. */
export async function buyTrial(page: Page, card: string): Promise<User> {
  const user = await signInNewUser(page.request);
  await page.goto(paymentPath);
  await fillCard(page, card);
  await expectSuccessAndLogout(page, subscribe);
  await signIn(page, user);
  await expectStatus(page.request, 'trialing');
  return user;
}

/** Pays the open invoice on the pay screen with another card, which the customer authenticates. */
export async function payWithAnotherCard(page: Page, card: string): Promise<void> {
  await page.getByRole('radio', { name: 'Another card' }).check();
  await fillCard(page, card);
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await authenticate(page, 'Complete');
  await expect(page.getByRole('heading', { name: 'Your invoice is paid' })).toBeFocused();
  await expectStatus(page.request, 'active');
}

/** Returns the banner about an open payment. */
export const openPaymentBanner = (page: Page) => page.getByRole('region', { name: 'Open payment' });
