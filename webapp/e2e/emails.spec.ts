import { caniemail } from 'caniemail';
import { editBillingEmail, signInNewUser } from './support/api';
import { injectAxe, violations } from './support/axe';
import { emulate, layoutProblems } from './support/layout';
import { expect, test } from './support/test';

interface Example {
  name: string;
  variant: string;
  html: string;
}

/** The mail programs that most recipients use, by the names of caniemail.com. */
const clients: Parameters<typeof caniemail>[0]['clients'] = [
  'apple-mail.*',
  'gmail.desktop-webmail',
  'gmail.ios',
  'gmail.android',
  'outlook.*',
  'samsung-email.*',
  'thunderbird.*',
  'yahoo.*',
];

/** Features without which an email is as readable, and what it looks like then. */
const decoration: Record<string, string> = {
  '@media': 'light colours, and wider margins on phones',
  '<style> element': 'as without @media',
  '<body> element': 'the same, because a table repeats its styles',
  'border-radius': 'square corners',
  'white-space': 'amounts and dates may wrap',
  'word-break': 'the window scrolls to the end of a very long word',
  'role attribute': 'screen readers mention tables',
  'aria-hidden attribute': 'screen readers read the letter that stands for a logo',
  'height property': 'other distances between lines',
};

test('emails need only what mail programs support, and fit in light and dark', async ({
  page,
  request,
}) => {
  const examples: Example[] = await (await request.get('/dev/emails.json')).json();
  expect(examples.length).toBeGreaterThan(100);
  // Currencies differ in nothing but the amount.
  const layouts = examples.filter(({ variant }) => !variant.startsWith('in '));

  await test.step('are supported by mail programs', () => {
    for (const { name, variant, html } of layouts) {
      const { errors } = caniemail({ clients, html }).issues;
      const unsupported = [...errors]
        .flatMap(([client, issues]) => issues.map(({ title }) => ({ client, title })))
        .filter(({ title }) => !(title in decoration))
        .map(({ client, title }) => `${title} in ${client}`);
      expect.soft([...new Set(unsupported)], `${name}, ${variant}`).toEqual([]);
    }
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [375, 640]) {
      await test.step(`fit ${width} px in ${colorScheme} colours`, async () => {
        await page.emulateMedia({ colorScheme });
        await emulate(page, { width, height: 800 });
        for (const { name, variant, html } of layouts) {
          await page.setContent(html);
          const where = `${name}, ${variant}`;
          expect.soft(await layoutProblems(page), where).toEqual([]);
          if (variant === '') {
            await injectAxe(page);
            expect
              .soft(
                await violations(page, {
                  only: ['color-contrast', 'link-in-text-block', 'image-alt'],
                }),
                where,
              )
              .toEqual([]);
          }
        }
      });
    }
  }
});

test('the mailbox and the list of emails show text and HTML', async ({ page }) => {
  await page.goto('/dev/emails');
  const article = page.getByRole('article').filter({ hasText: 'invoice_overdue: ordinary data' });
  await expect(article).toContainText('Reference: INV-0001');
  await expect(
    article.frameLocator('iframe').getByRole('link', { name: 'Show how to pay' }),
  ).toBeVisible();

  await page.goto('/dev/mailbox');
  await expect(page.getByRole('heading', { name: 'Mailbox' })).toBeVisible();
});

test('an address that refuses emails is shown after signing in', async ({ page }) => {
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
