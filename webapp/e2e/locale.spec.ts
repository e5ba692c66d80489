import { licenses, signedIn, startTrial } from './support/api';
import { expect, test } from './support/test';

// The same instant, on both sides of the date line.
const visitors = [
  { locale: 'en-US', timezoneId: 'Pacific/Honolulu', looks: /^[A-Z][a-z]+ \d{1,2}, \d{4}$/ },
  { locale: 'de-DE', timezoneId: 'Pacific/Auckland', looks: /^\d{1,2}\. \p{L}+ \d{4}$/u },
];

for (const { locale, timezoneId, looks } of visitors) {
  test.describe(`a visitor from ${locale}, ${timezoneId}`, () => {
    test.use({ locale, timezoneId });

    test('reads dates as they are written and counted there, amounts as specified', async ({
      page,
    }) => {
      await signedIn(page.request);
      await startTrial(page.request);
      const { license } = await licenses(page.request);
      await page.goto('/vc-admin/dash');

      const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: timezoneId });
      const date = day.format(new Date(Number(license?.raw.trial_end) * 1000));
      expect(date).toMatch(looks);
      const fact = (label: string) =>
        page.locator('dl > div').filter({ hasText: label }).getByRole('definition');
      await expect(fact('Trial ends')).toHaveText(date);
      await expect(fact('Next payment')).toHaveText(`$816 AUD on ${date}`);
    });
  });
}
