import { licenses, signInOnTrial } from './support/api';
import { expect, test } from './support/test';

// The same instant, on both sides of the date line.
const locales = [
  { locale: 'en-US', timezoneId: 'Pacific/Honolulu', shown: 'en-US' },
  { locale: 'de-DE', timezoneId: 'Pacific/Auckland', shown: 'en-AU' },
];

test('dates are in English, as the browser writes it, in its time zone; amounts as specified', async ({
  page,
  browser,
  server,
}) => {
  await signInOnTrial(page);
  const { license } = await licenses(page.request);
  const storageState = await page.context().storageState();
  for (const { locale, timezoneId, shown } of locales) {
    const context = await browser.newContext({
      baseURL: server.url,
      storageState,
      locale,
      timezoneId,
    });
    const abroad = await context.newPage();
    await abroad.goto('/vc-admin/dash');

    const day = new Intl.DateTimeFormat(shown, { dateStyle: 'long', timeZone: timezoneId });
    const date = day.format(new Date(Number(license?.raw.trial_end) * 1000));
    const fact = (label: string) =>
      abroad.locator('dl > div').filter({ hasText: label }).getByRole('definition');
    await expect(fact('Trial ends')).toHaveText(date);
    await expect(fact('Next payment')).toHaveText(`$816 AUD on ${date}`);
    await context.close();
  }
});
