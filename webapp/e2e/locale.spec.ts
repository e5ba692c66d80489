import { licenses, signedIn, startTrial } from './support/api';
import { expect, test } from './support/test';

// The same instant, on both sides of the date line.
const locales = [
  { locale: 'en-US', timezoneId: 'Pacific/Honolulu', format: /^[A-Z][a-z]+ \d{1,2}, \d{4}$/ },
  { locale: 'de-DE', timezoneId: 'Pacific/Auckland', format: /^\d{1,2}\. \p{L}+ \d{4}$/u },
];

test('dates follow the locale and time zone of the browser, amounts the specification', async ({
  page,
  browser,
  server,
}) => {
  await signedIn(page.request);
  await startTrial(page.request);
  const { license } = await licenses(page.request);
  const storageState = await page.context().storageState();
  for (const { locale, timezoneId, format } of locales) {
    const context = await browser.newContext({
      baseURL: server.url,
      storageState,
      locale,
      timezoneId,
    });
    const abroad = await context.newPage();
    await abroad.goto('/vc-admin/dash');

    const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: timezoneId });
    const date = day.format(new Date(Number(license?.raw.trial_end) * 1000));
    expect(date).toMatch(format);
    const fact = (label: string) =>
      abroad.locator('dl > div').filter({ hasText: label }).getByRole('definition');
    await expect(fact('Trial ends')).toHaveText(date);
    await expect(fact('Next payment')).toHaveText(`$816 AUD on ${date}`);
    await context.close();
  }
});
