import type { APIRequestContext } from '@playwright/test';
import { getLicenses, signInOnTrial } from './support/api';
import { advanceClock } from './support/dev';
import { expect, test } from './support/test';

/** Settings of browsers, with the locale in which they show dates. */
const browsers = [
  { locale: 'en-AU', timezoneId: 'Australia/Sydney', dateLocale: 'en-AU' },
  { locale: 'de-DE', timezoneId: 'Europe/London', dateLocale: 'en-AU' },
  { locale: 'ar-EG', timezoneId: 'Africa/Cairo', dateLocale: 'en-AU' },
  { locale: 'en-US', timezoneId: 'America/Los_Angeles', dateLocale: 'en-US' },
];

/** The screens with dates and amounts, except the dashboard. */
const screens = ['diy/plans?debug=true', 'dash', 'diy/invoices', 'diy/cards', 'diy/details'];

/** Matches Arabic letters and digits, and German months, days ("28. November") and amounts ("816,00"). */
const nonEnglish =
  /[\u0600-\u06ff]|\b(Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember)\b|\d\. [A-Z][a-z]+ \d{4}|\d,\d\d\b/;

/** Moves the clock to 2:30 in the morning in Sydney, which is the previous day in London and Los Angeles. */
async function advanceToNight(request: APIRequestContext) {
  const { now } = await (await request.get('/dev/clock')).json();
  const night = new Date(now);
  night.setUTCHours(24 + 15, 30);
  await advanceClock(request, `${Math.round((night.getTime() - Date.parse(now)) / 1000)}s`);
}

test('dates and amounts are in English, and dates in the zone of the organisation, in any browser', async ({
  page,
  browser,
  server,
}) => {
  await advanceToNight(page.request);
  await signInOnTrial(page);
  const { license } = await getLicenses(page.request);
  const trialEnd = new Date(Number(license?.raw.trial_end) * 1000);
  expect([15, 16]).toContain(trialEnd.getUTCHours());
  const storageState = await page.context().storageState();
  for (const { locale, timezoneId, dateLocale } of browsers) {
    const context = await browser.newContext({
      baseURL: server.url,
      storageState,
      locale,
      timezoneId,
    });
    const tab = await context.newPage();
    await tab.goto('/vc-admin/dash');

    const dateFormat = new Intl.DateTimeFormat(dateLocale, {
      dateStyle: 'long',
      timeZone: 'Australia/Sydney',
    });
    const date = dateFormat.format(trialEnd);
    await expect(tab.getByText('Yearly, $816 AUD per year')).toBeVisible();
    await expect(tab.getByText(`Free trial until ${date}`)).toBeVisible();
    await expect(tab.getByText(`on ${date} from Visa •••• 4242`)).toBeVisible();
    for (const screen of screens) {
      await tab.goto(`/vc-admin/${screen}`);
      await expect(tab.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(tab.locator('[data-loading]')).toHaveCount(0);
      await expect(tab.locator('body'), `${screen} in ${locale}`).toContainText(/\d/);
      await expect(tab.locator('body'), `${screen} in ${locale}`).not.toContainText(nonEnglish);
    }
    await context.close();
  }
});
