import { bringAxe, violations } from './support/axe';
import { failingPaymentVisits } from './support/failing-payment-visits';
import { failingVisits } from './support/failing-visits';
import { hiddenFocus } from './support/focus';
import { illegible, type Look, lookAt } from './support/legible';
import { licenseVisits } from './support/license-visits';
import { motion } from './support/motion';
import { settled } from './support/settled';
import { expect, test } from './support/test';
import { visits } from './support/visits';
import { waitingPaymentVisits } from './support/waiting-payment-visits';
import { waitingVisits } from './support/waiting-visits';

const looks: Record<string, Look> = {
  '320 pixels wide': { width: 320, height: 640 },
  'zoomed to 200 %': { width: 1280, height: 800, zoom: 2 },
  'with text of 200 %': { width: 1280, height: 800, text: 2 },
};

const everything = [
  ...waitingVisits,
  ...waitingPaymentVisits,
  ...failingVisits,
  ...failingPaymentVisits,
  ...visits,
  ...licenseVisits,
];

// What is wrong is said in words, and recording every look would take half as long again.
test.use({ trace: 'off' });

for (const { name, open } of everything) {
  test(`${name}: everybody can see, read and reach it`, async ({ page, server, guard }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open(page, { server, guard });
    await expect(page.locator('h1'), 'the screen itself is there').toBeAttached();
    await settled(page);

    await bringAxe(page);
    expect.soft(await violations(page), 'axe, light').toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await settled(page);
    expect.soft(await violations(page, 'color-contrast'), 'axe, dark').toEqual([]);
    expect.soft(await motion(page), 'what moves').toEqual([]);
    for (const [how, look] of Object.entries(looks)) {
      await lookAt(page, look);
      expect.soft(await illegible(page), how).toEqual([]);
    }
    expect.soft(await hiddenFocus(page), 'a focus that can not be seen').toEqual([]);
  });
}

for (const name of ['payment-success', 'payment-processing']) {
  test(`${name}: comes into view on a phone`, async ({ page, server, guard }) => {
    await page.setViewportSize({ width: 375, height: 700 });
    await everything.find((visit) => visit.name === name)?.open(page, { server, guard });

    await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
  });
}

test('where nobody asked for less motion, waiting shows by it', async ({ page, server, guard }) => {
  const [waiting] = waitingVisits;
  await waiting?.open(page, { server, guard });

  expect(await motion(page)).not.toEqual([]);
});
