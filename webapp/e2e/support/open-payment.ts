import { expect, type Page } from '@playwright/test';
import { licenses, signedIn, startTrial } from './api';
import { addCard } from './cards';
import { chooseNow, confirm, goToConfirm } from './confirm';
import { advanceClock } from './dev';
import { choice } from './journeys/journey';
import { cards, fillCard, subscribe } from './payment';
import type { Person } from './person';
import { standard } from './plans';

/** A user whose renewal was declined: the trial's first charge. */
export async function overdue(page: Page): Promise<Person> {
  const person = await signedIn(page.request);
  await startTrial(page.request, cards.declinedWhenCharged);
  await advanceClock(page.request, '169h');
  await expect
    .poll(async () => (await licenses(page.request)).license?.raw.status)
    .toBe('past_due');
  return person;
}

/** A user on the trial of Professional whose change to Standard was declined. */
export async function declinedChange(page: Page): Promise<Person> {
  const person = await signedIn(page.request);
  await startTrial(page.request);
  await goToConfirm(page, standard);
  await chooseNow(page);
  await page.getByRole('button', { name: 'Manage card(s)' }).click();
  await addCard(page, cards.insufficientFunds);
  await expect(page.getByText('•••• 9995')).toBeVisible();
  await confirm(page);
  await expect(page.getByRole('alert')).toContainText('Your card was declined.');
  return person;
}

/** A user whose trial has started, but whose bank did not approve the card. */
export async function unapprovedTrial(page: Page): Promise<Person> {
  const person = await signedIn(page.request);
  await page.goto(`/vc-admin/diy/payment?${choice}`);
  await fillCard(page, cards.authenticates);
  await subscribe(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Fail' }).click();
  await expect(page.getByRole('alert')).toContainText('Your trial has started');
  return person;
}

export const banner = (page: Page) => page.getByRole('region', { name: 'Open payment' });
