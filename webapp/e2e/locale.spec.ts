import type { APIRequestContext } from '@playwright/test';
import { licenses, signInOnTrial } from './support/api';
import { advanceClock } from './support/dev';
import { expect, test } from './support/test';

/** Browsers, and the locale in which they show dates. */
const browsers = [
  { locale: 'en-AU', timezoneId: 'Australia/Sydney', shown: 'en-AU' },
  { locale: 'de-DE', timezoneId: 'Europe/London', shown: 'en-AU' },
  { locale: 'ar-EG', timezoneId: 'Africa/Cairo', shown: 'en-AU' },
  { locale: 'en-US', timezoneId: 'America/Los_Angeles', shown: 'en-US' },
];

/** The screens with dates and amounts, besides those with a check of their own. */
const screens = ['diy/plans?debug=true', 'diy/billing', 'diy/invoices', 'diy/cards', 'diy/details'];

/** Arabic letters and digits; German months, days ("28. November") and amounts ("816,00"). */
const foreign =
  /[\u0600-\u06ff]|\b(Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember)\b|\d\. [A-Z][a-z]+ \d{4}|\d,\d\d\b/;

/** Moves the clock to half past two at night in Sydney: it is the day before in London and Los Angeles. */
async function waitForNight(request: APIRequestContext) {
  const { now } = await (await request.get('/dev/clock')).json();
  const night = new Date(now);
  night.setUTCHours(24 + 15, 30);
  await advanceClock(request, `${Math.round((night.getTime() - Date.parse(now)) / 1000)}s`);
}

test('dates are in English, as the browser writes it, in the zone of the organisation; amounts as specified', async ({
  page,
  browser,
  server,
}) => {
  await waitForNight(page.request);
  await signInOnTrial(page);
  const { license } = await licenses(page.request);
  const trialEnd = new Date(Number(license?.raw.trial_end) * 1000);
  expect([15, 16]).toContain(trialEnd.getUTCHours());
  const storageState = await page.context().storageState();
  for (const { locale, timezoneId, shown } of browsers) {
    const context = await browser.newContext({
      baseURL: server.url,
      storageState,
      locale,
      timezoneId,
    });
    const abroad = await context.newPage();
    await abroad.goto('/vc-admin/dash');

    const day = new Intl.DateTimeFormat(shown, { dateStyle: 'long', timeZone: 'Australia/Sydney' });
    const date = day.format(trialEnd);
    const fact = (label: string) =>
      abroad.locator('dl > div').filter({ hasText: label }).getByRole('definition');
    await expect(fact('Billed')).toHaveText('$816 AUD, yearly');
    await expect(fact('Trial ends')).toHaveText(date);
    await expect(fact('Next payment')).toHaveText(date);
    await abroad.goto('/vc-admin/diy/billing');
    await expect(abroad.getByText(`on ${date} to Visa •••• 4242`)).toBeVisible();
    for (const screen of screens) {
      await abroad.goto(`/vc-admin/${screen}`);
      await expect(abroad.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(abroad.locator('[data-loading]')).toHaveCount(0);
      await expect(abroad.locator('body'), `${screen} in ${locale}`).toContainText(/\d/);
      await expect(abroad.locator('body'), `${screen} in ${locale}`).not.toContainText(foreign);
    }
    await context.close();
  }
});
