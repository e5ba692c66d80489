import { expect } from '@playwright/test';
import { signInNewUser, signInOnTrial } from '../api';
import { addCard, cardOptionsButton, chooseOption } from '../cards';
import { cards } from '../payment';
import { abandonRequests, failRequests, restoreRequests, stallRequests } from '../requests';
import { expectText, type Journey, openScreen } from './journey';

/** The screen of saved cards. */
export const cardJourneys: readonly Journey[] = [
  {
    name: 'cards of a new organisation',
    async run(page, context) {
      await signInNewUser(page.request);
      await stallRequests(page, '/vc-admin/org/customer/cards');
      await openScreen(page, '/vc-admin/diy/cards');
      await expectText(page, 'Loading your cards...');
      await context.show('cards-loading');
      await abandonRequests(page, '/vc-admin/org/customer/cards');
      await failRequests(page, context, '/vc-admin/org/customer/cards', 502);
      await openScreen(page, '/vc-admin/diy/cards');
      await expectText(page, 'Please try again later!');
      await context.show('cards-failed');
      await restoreRequests(page, context, '/vc-admin/org/customer/cards');

      await openScreen(page, '/vc-admin/diy/cards');
      await expectText(page, 'No records found');
      await context.show('cards-empty');
      await page.getByRole('button', { name: 'Add card' }).click();
      await page.getByLabel('Card number').pressSequentially('4242424242424241');
      await expectText(page, 'Your card number is invalid.');
      await context.show('cards-add');
      await openScreen(page, '/vc-admin/diy/cards');
      await stallRequests(page, '/vc-admin/org/customer/cards/add');
      await addCard(page, cards.valid);
      await expect(page.getByRole('button', { name: 'Add', exact: true })).toBeDisabled();
      await context.show('cards-adding');
    },
  },
  {
    name: 'two cards',
    async run(page, context) {
      await signInOnTrial(page);
      await page.goto('/vc-admin/diy/cards');
      await addCard(page, cards.mastercard);
      await expect(cardOptionsButton(page, '4242')).toBeVisible();
      await context.show('cards-added');
      await cardOptionsButton(page, '4242').click();
      await expect(page.getByRole('menu')).toBeVisible();
      await context.show('cards-menu');
      await page.reload();
      await chooseOption(page, '4242', 'Delete');
      await expect(page.getByRole('dialog')).toBeVisible();
      await context.show('cards-delete');
      await page.reload();
      await stallRequests(page, '/vc-admin/org/customer/edit');
      await chooseOption(page, '4242', 'Set as default');
      await expect(page.getByRole('button', { name: /^More options/ })).toBeDisabled();
      await context.show('cards-busy');
    },
  },
];
