import type { Browser, Page } from '@playwright/test';
import { expectAccessiblePages } from './support/accessible-pages';
import { getLicenses, signInOnTrial } from './support/api';
import { advanceClock, readEmail, resetLink } from './support/dev';
import { expectVisibleFocus, tabTo } from './support/keyboard';
import { Server } from './support/server';
import { expect, testWithServer } from './support/test';

/** A test with the fake provider, whose server gives every visitor of the console all roles. */
const test = testWithServer(() => Server.start({ DIY_PAYMENTS: 'fake' }));

/** Opens a page of the console in a browser without JavaScript. */
async function openWithoutScript(
  browser: Browser,
  server: Server,
  path = '/console/search',
): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${server.url}${path}`);
  return page;
}

/** Returns the path of the page of the signed-in user's organisation in the console. */
async function organisationPath(page: Page): Promise<string> {
  return `/console/organisations/${(await getLicenses(page.request)).orgId}`;
}

/** Opens the form of an action by keyboard. */
async function openForm(page: Page, action: string) {
  await tabTo(page, 'link', action);
  await expectVisibleFocus(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: action })).toBeVisible();
}

/** Fills in the form of an action by keyboard and confirms it. */
async function fillByKeyboard(page: Page, label: string, text: string, button: string) {
  await typeInto(page, label, text);
  await confirmByKeyboard(page, button);
}

/** Replaces the text of an input by keyboard. */
async function typeInto(page: Page, label: string, text: string) {
  await tabTo(page, 'textbox', label);
  await expectVisibleFocus(page);
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

/** Chooses the reason, enters the ticket and confirms a form by keyboard. */
async function confirmByKeyboard(page: Page, button: string) {
  await tabTo(page, 'combobox', 'Reason');
  await expectVisibleFocus(page);
  await page.keyboard.type('Goodwill');
  await tabTo(page, 'textbox', 'Ticket');
  await page.keyboard.type('T-4711');
  await pressButton(page, button);
}

/** Presses a button by keyboard. */
async function pressButton(page: Page, button: string) {
  await tabTo(page, 'button', button);
  await expectVisibleFocus(page);
  await page.keyboard.press('Enter');
}

test('support finds an organisation by keyboard and without JavaScript', async ({
  page,
  browser,
  server,
}) => {
  const user = await signInOnTrial(page);
  const support = await openWithoutScript(browser, server);

  await tabTo(support, 'searchbox', 'Search organisations');
  await expectVisibleFocus(support);
  await support.keyboard.type(user.email);
  await support.keyboard.press('Enter');
  await expect(support.getByRole('heading', { level: 1 })).toContainText('1 organisation');
  await support.getByRole('main').getByRole('link').first().press('Enter');

  await expect(support.getByRole('main')).toContainText('trial until');
  await expect(support.getByRole('region', { name: 'Timeline' })).toContainText('Plan started');
  await support.getByRole('link', { name: 'Account' }).press('Enter');
  await expect(support.getByRole('region', { name: 'Timeline' })).not.toContainText('Plan started');
  await expect(support.getByRole('region', { name: 'Timeline' })).toContainText('Signed up');
  await support.getByRole('link', { name: 'Operators' }).press('Enter');
  await expect(support.getByRole('region', { name: 'Timeline' })).toContainText('Viewed');
  await support.context().close();
});

test('an operator extends a trial and refunds its payment by keyboard and without JavaScript', async ({
  page,
  browser,
  server,
}) => {
  await signInOnTrial(page);
  const operator = await openWithoutScript(browser, server, await organisationPath(page));
  const timeline = operator.getByRole('region', { name: 'Timeline' });
  await expect(operator.getByText('There are no invoices.')).toHaveCount(0);
  await expect(operator.getByText('Nothing was paid.')).toBeVisible();

  await openForm(operator, 'Extend the trial');
  await fillByKeyboard(operator, 'Days', '31', 'Extend the trial');
  await expect(operator.getByRole('alert')).toContainText('Enter 1 to 30 days');
  await fillByKeyboard(operator, 'Days', '10', 'Extend the trial');
  await expect(timeline).toContainText('Trial extended');

  await advanceClock(page.request, '432h');
  await operator.reload();
  await expect(operator.getByText('There is no running trial.')).toBeVisible();
  await openForm(operator, 'Refund a payment');
  await fillByKeyboard(operator, 'Amount in AUD', '12.50', 'Refund');
  await expect(timeline).toContainText('Refund requested');
  await expect(operator.getByText('refunded $12.50 AUD')).toBeVisible();
  await operator.context().close();
});

test('support sends a link anew and verifies a caller by keyboard and without JavaScript', async ({
  page,
  browser,
  server,
}) => {
  const user = await signInOnTrial(page);
  const support = await openWithoutScript(browser, server, await organisationPath(page));
  const timeline = support.getByRole('region', { name: 'Timeline' });

  await openForm(support, 'Send an email again');
  await tabTo(support, 'combobox', 'Email');
  await expectVisibleFocus(support);
  await support.keyboard.type('Link for a new password');
  await confirmByKeyboard(support, 'Send the email');
  await expect(timeline).toContainText('Email sent again');
  await resetLink(page.request, user.email);

  await expect(support.getByText('No code was sent that can be entered.')).toBeVisible();
  await openForm(support, 'Verify the caller');
  await confirmByKeyboard(support, 'Send a code');
  await expect(support.getByRole('heading', { level: 1 })).toHaveText('Enter the caller’s code');
  const email = await readEmail(page.request, user.email, /^Your code for the support of/);
  const code = /asks for this code: (\d{6})\./.exec(email.text)?.[1] ?? '';
  await typeInto(support, 'Code', code === '000000' ? '000001' : '000000');
  await pressButton(support, 'Check the code');
  await expect(support.getByRole('alert')).toContainText('The code is wrong. Tries left: 2.');
  await typeInto(support, 'Code', code);
  await pressButton(support, 'Check the code');
  await expect(timeline).toContainText('Caller not verified: wrong code');
  await expect(timeline).toContainText('Caller verified');
  await support.context().close();
});

test('the forms of actions are accessible on wide and small screens in both colour schemes', async ({
  page,
  guard,
}) => {
  await signInOnTrial(page);
  const organisation = await organisationPath(page);
  const formPaths = (...forms: string[]) => forms.map((form) => `${organisation}/${form}`);
  await expectAccessiblePages(
    page,
    ...formPaths(
      'extend-trial',
      'end-plan',
      'free-month',
      'end-sessions',
      'resend',
      'verify-caller',
    ),
  );
  await page.goto(`${organisation}/verify-caller`);
  await page.getByLabel('Reason').selectOption({ index: 1 });
  await page.getByLabel('Ticket').fill('T-4711');
  await page.getByRole('button', { name: 'Send a code' }).click();
  await expectAccessiblePages(page, ...formPaths('caller-code'));
  await advanceClock(page.request, '192h');
  await expectAccessiblePages(page, ...formPaths('refund'), organisation);
  guard.expect(409, `${organisation}/extend-trial`);
  await expectAccessiblePages(page, ...formPaths('extend-trial'));
});
