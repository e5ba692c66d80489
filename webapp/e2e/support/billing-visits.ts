import { expect, type Page } from '@playwright/test';
import { deleteCards, signedIn } from './api';
import { addCard, cardRow, chooseOption, moreOptions } from './cards';
import { confirm, goToConfirm } from './confirm';
import { declinedChange, overdue } from './open-payment';
import { cards } from './payment';
import { standard } from './plans';
import { afterTrial, onTrial, type Visit } from './visit';

/** The cards of an organisation on its trial that has two of them. */
export async function twoCards(page: Page): Promise<void> {
  await onTrial(page);
  await page.goto('/vc-admin/diy/cards');
  await addCard(page, '5555555555554444');
  await expect(moreOptions(page, '4242')).toBeVisible();
}

/** Contact, cards and confirmation in the states that take some getting to. */
export const billingVisits: readonly Visit[] = [
  {
    name: 'contact-no-plan',
    async open(page) {
      await page.goto('/vc-admin/diy/contact');
      await expect(page.getByText('Send your query to us')).toBeVisible();
    },
  },
  {
    name: 'cards-empty',
    async open(page) {
      await signedIn(page.request);
      await page.goto('/vc-admin/diy/cards');
      await expect(page.getByText('No records found')).toBeVisible();
    },
  },
  {
    name: 'cards-add',
    async open(page) {
      await signedIn(page.request);
      await page.goto('/vc-admin/diy/cards');
      await page.getByRole('button', { name: 'Add card' }).click();
      await page.getByLabel('Card number').pressSequentially('4242424242424241');
      await expect(page.getByText('Your card number is invalid.')).toBeVisible();
    },
  },
  { name: 'cards-added', open: twoCards },
  {
    name: 'cards-menu',
    async open(page) {
      await twoCards(page);
      await moreOptions(page, '4242').click();
      await expect(page.getByRole('menu')).toBeVisible();
    },
  },
  {
    name: 'cards-delete',
    async open(page) {
      await twoCards(page);
      await chooseOption(page, '4242', 'Delete');
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'cards-from-confirm',
    async open(page) {
      await onTrial(page);
      await goToConfirm(page, standard);
      await page.getByRole('button', { name: 'Manage card(s)' }).click();
      await expect(cardRow(page, '4242')).toBeVisible();
    },
  },
  {
    name: 'confirm-no-card',
    async open(page) {
      await afterTrial(page);
      await deleteCards(page.request);
      await goToConfirm(page, standard);
      await expect(page.getByRole('link', { name: 'Add a payment method' })).toBeVisible();
    },
  },
  {
    name: 'pay-overdue',
    async open(page) {
      await overdue(page);
      await page.goto('/vc-admin/diy/pay');
      await page.getByRole('radio', { name: 'Another card' }).check();
      await expect(page.getByLabel('Card number')).toBeVisible();
    },
  },
  {
    name: 'pay-change',
    async open(page) {
      await declinedChange(page);
      await page.goto('/vc-admin/diy/pay');
      await expect(page.getByRole('button', { name: 'Drop the change' })).toBeVisible();
    },
  },
  {
    name: 'pay-done',
    async open(page) {
      await declinedChange(page);
      await page.goto('/vc-admin/diy/pay');
      await page.getByRole('button', { name: 'Drop the change' }).click();
      await expect(page.getByText('The change was dropped')).toBeVisible();
    },
  },
  {
    name: 'confirm-change-declined',
    async open(page) {
      await declinedChange(page);
      await expect(page.getByRole('button', { name: 'Drop the change' })).toBeVisible();
    },
  },
  {
    name: 'confirm-declined',
    async open(page) {
      await afterTrial(page);
      await goToConfirm(page, standard);
      await expect(page.getByText(`•••• ${cards.declinedWhenCharged.slice(-4)}`)).toBeVisible();
      await confirm(page);
      await expect(page.getByText('Your card was declined.')).toBeVisible();
    },
  },
];
