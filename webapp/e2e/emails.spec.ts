import { caniemail } from 'caniemail';
import { createCard, editBillingEmail, post, signInNewUser, signInOnTrial } from './support/api';
import { injectAxe, violations } from './support/axe';
import { advanceClock, readEmail } from './support/dev';
import { emulateViewport, layoutProblems } from './support/layout';
import { cards } from './support/payment';
import { submitSignIn } from './support/session';
import { expect, test } from './support/test';

interface Example {
  name: string;
  variant: string;
  html: string;
}

/** The mail programs that most recipients use, by the names of caniemail.com. */
const mailPrograms: Parameters<typeof caniemail>[0]['clients'] = [
  'apple-mail.*',
  'gmail.desktop-webmail',
  'gmail.ios',
  'gmail.android',
  'outlook.*',
  'samsung-email.*',
  'thunderbird.*',
  'yahoo.*',
];

/** The features without which an email is still readable, with the effect of their absence. */
const optionalFeatures: Record<string, string> = {
  '@media': 'light colours, and wider margins on phones',
  '<style> element': 'the same as without @media',
  '<body> element': 'none, because a table repeats its styles',
  'border-radius': 'square corners',
  'white-space': 'amounts and dates may wrap',
  'word-break': 'the window scrolls to the end of a very long word',
  'role attribute': 'screen readers mention tables',
  'aria-hidden attribute': 'screen readers read the letter in place of the logo',
  'height property': 'other distances between lines',
};

test('emails are readable in common mail programs, on phones and in dark colours', async ({
  page,
  request,
}) => {
  const examples: Example[] = await (await request.get('/dev/emails.json')).json();
  expect(examples.length).toBeGreaterThan(100);
  // The variants of other currencies differ only in the amount.
  const layouts = examples.filter(({ variant }) => !variant.startsWith('in '));

  await test.step('mail programs support all required features', () => {
    for (const { name, variant, html } of layouts) {
      const { errors } = caniemail({ clients: mailPrograms, html }).issues;
      const unsupportedFeatures = [...errors]
        .flatMap(([client, issues]) => issues.map(({ title }) => ({ client, title })))
        .filter(({ title }) => !(title in optionalFeatures))
        .map(({ client, title }) => `${title} in ${client}`);
      expect.soft([...new Set(unsupportedFeatures)], `${name}, ${variant}`).toEqual([]);
    }
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [375, 640]) {
      await test.step(`emails fit ${width} px in ${colorScheme} colours`, async () => {
        await page.emulateMedia({ colorScheme });
        await emulateViewport(page, { width, height: 800 });
        for (const { name, variant, html } of layouts) {
          await page.setContent(html);
          const title = `${name}, ${variant}`;
          expect.soft(await layoutProblems(page), title).toEqual([]);
          if (variant === '') {
            await injectAxe(page);
            expect
              .soft(
                await violations(page, {
                  only: ['color-contrast', 'link-in-text-block', 'image-alt'],
                }),
                title,
              )
              .toEqual([]);
          }
        }
      });
    }
  }
});

test('the list of emails shows an example as text and HTML, and the mailbox opens', async ({
  page,
}) => {
  await page.goto('/dev/emails');
  await page.locator('summary', { hasText: 'invoice_overdue' }).click();
  const article = page.getByRole('article').filter({ hasText: 'invoice_overdue: ordinary data' });
  await expect(article).toContainText('Reference: INV-0001');
  await expect(
    article.frameLocator('iframe').getByRole('link', { name: 'Show how to pay' }),
  ).toBeVisible();

  await page.goto('/dev/mailbox');
  await expect(page.getByRole('heading', { name: 'Mailbox' })).toBeVisible();
});

test('the dashboard names a billing email address that refuses emails', async ({ page }) => {
  await signInNewUser(page.request);
  await editBillingEmail(page.request, 'accounts@unreachable.example');
  await expect(async () => {
    await page.goto('/vc-admin/dash');
    await expect(page.getByText('We can’t reach accounts@unreachable.example')).toBeVisible({
      timeout: 1000,
    });
  }).toPass();
  await page.getByRole('link', { name: 'enter another billing email' }).click();
  await expect(page).toHaveURL('/vc-admin/diy/details');
});

test('a card reminder is turned off with one click, and turned on again on the page of its link', async ({
  page,
  playwright,
  baseURL,
}) => {
  const { email } = await signInNewUser(page.request);
  const now = new Date((await (await page.request.get('/dev/clock')).json()).now);
  const expiry = { exp_month: now.getUTCMonth() + 1, exp_year: now.getUTCFullYear() };
  const customer = await post<{ id: string }>(page.request, '/vc-admin/user-diy/new-customer');
  await post(page.request, '/vc-admin/user-diy/subscribe', {
    customerId: customer.id,
    paymentMethodId: await createCard(page.request, cards.valid, expiry),
    priceId: 'professional_monthly',
    interval: 'monthly',
    currency: 'AUD',
    no_trial: true,
  });
  await advanceClock(page.request, '192h'); // every plan is checked once a week, by a worker that runs every 30 s
  const subject = /expires before your next charge/;
  const reminder = await readEmail(page.request, email, subject, 60_000);
  const link = reminder.unsubscribe as string;
  expect(reminder.text).toContain(link);

  await test.step('a mail program turns the email off with a POST to the link, without cookies or a token', async () => {
    const mailProgram = await playwright.request.newContext({ baseURL });
    const response = await mailProgram.post(link, { form: { 'List-Unsubscribe': 'One-Click' } });
    expect(response.status(), await response.text()).toBe(200);
    expect((await mailProgram.storageState()).cookies).toEqual([]);
    await mailProgram.dispose();
  });

  await test.step('the link opens the preferences, where the email is turned on again', async () => {
    await page.context().clearCookies();
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'Emails you receive' })).toBeVisible();
    const preference = page.getByRole('checkbox', { name: /Your card expires/ });
    await expect(preference).not.toBeChecked();
    await preference.check();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Your choice is saved.')).toBeVisible();
    await page.goto(link);
    await expect(preference).toBeChecked();
  });
});

test('emails announce the first charge, and the receipt leads a signed-out customer to the invoice', async ({
  page,
  request,
}) => {
  const user = await signInOnTrial(page);
  const trialEmail = await readEmail(request, user.email, /^Your trial has started/);
  expect(trialEmail.subject).toContain('then $816 AUD');
  expect(trialEmail.text).toContain('Then $816 AUD is charged to Visa •••• 4242');

  await advanceClock(page.request, '169h');
  const receipt = await readEmail(request, user.email, /^Payment received: \$816 AUD$/);
  const [link] = receipt.text.match(/http\S+\/vc-admin\/diy\/invoices\/\S+/) ?? [];
  const [, number] = receipt.text.match(/^Receipt for invoice (\S+)$/m) ?? [];
  await page.context().clearCookies();
  await page.goto(link as string);
  await submitSignIn(page, user);
  await expect(page.getByRole('heading', { name: `Invoice ${number}` })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('$816');
  await expect(page.getByRole('button', { name: /PDF/ })).toBeVisible();
});
