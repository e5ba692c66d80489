import { signInOnTrial } from './support/api';
import { addCard, cardRow } from './support/cards';
import { confirm, goToConfirm, planPanel } from './support/confirm';
import { cards, expectSuccessAndLogout } from './support/payment';
import { professional } from './support/plans';
import { expect, test } from './support/test';

const standard = { ...professional, plan: 'Standard', interval: 'monthly' } as const;

test('the confirmation keeps the chosen plan while a card is added on the cards screen', async ({
  page,
}) => {
  await signInOnTrial(page);
  await goToConfirm(page, standard);

  await page.getByRole('button', { name: 'Manage card(s)' }).click();
  await expect(page).toHaveURL('/vc-admin/diy/cards?debug=true');
  await expect(cardRow(page, '4242')).toBeVisible();

  await test.step('Go back returns to the confirmation, also after a reload', async () => {
    await page.reload();
    await page.getByRole('button', { name: '← Go back' }).click();
    await expect(page).toHaveURL('/vc-admin/diy/confirm?debug=true');
    await expect(planPanel(page, 'CHANGING TO')).toContainText('Standard$39.00 AUD per month');
    await page.getByRole('button', { name: 'Manage card(s)' }).click();
  });

  await addCard(page, cards.mastercard);
  await expect(page).toHaveURL('/vc-admin/diy/confirm?debug=true');
  await expect(page.getByText('•••• 4444', { exact: true })).toBeVisible();
  await expect(planPanel(page, 'CURRENT PLAN')).toContainText('Professional');
  await expect(planPanel(page, 'CHANGING TO')).toContainText('Standard$39.00 AUD per month');

  await expectSuccessAndLogout(page, confirm);
});
