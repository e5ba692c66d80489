import type { Page } from '@playwright/test';
import { mixedAmountFormats } from './support/amounts';
import { findMotion, waitForAnimations } from './support/animations';
import { type AxeRules, injectAxe, violations } from './support/axe';
import { controlsWithoutOutline } from './support/focus';
import { openScreen } from './support/journeys/journey';
import { openPaymentResult } from './support/journeys/payment';
import { testJourneys } from './support/journeys/test-journeys';
import { emulateViewport, layoutProblems, sidewaysScroll, type Viewport } from './support/layout';
import { stallRequests } from './support/requests';
import { expect, test } from './support/test';

const desktop = { width: 1280, height: 720 };

const viewports: Record<string, Viewport> = {
  '320 pixels wide': { width: 320, height: 640 },
  'zoomed to 200 %': { width: 1280, height: 800, zoom: 2 },
  'with text of 200 %': { width: 1280, height: 800, textZoom: 2 },
  '375 pixels wide with text of 200 %': { width: 375, height: 800, textZoom: 2 },
};

/** Long dates and amounts can exceed their box here, but the page must not scroll sideways. */
const smallestViewport: Viewport = { width: 320, height: 640, textZoom: 2 };

/** Checks a screen with axe, its contrast in dark colours, motion, reflow and focus outlines. Restores the window. */
async function checkScreen(page: Page, name: string, rules: AxeRules = {}): Promise<void> {
  await expect(page.locator('h1').first(), `${name}: heading`).toBeAttached();
  await waitForAnimations(page);
  await injectAxe(page);
  expect.soft(await violations(page, rules), `${name}: axe, light`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await waitForAnimations(page);
  expect
    .soft(await violations(page, { only: ['color-contrast'] }), `${name}: axe, dark`)
    .toEqual([]);
  expect.soft(await findMotion(page), `${name}: motion`).toEqual([]);
  for (const [label, viewport] of Object.entries(viewports)) {
    await emulateViewport(page, viewport);
    await waitForAnimations(page);
    expect.soft(await layoutProblems(page), `${name}: ${label}`).toEqual([]);
  }
  await emulateViewport(page, smallestViewport);
  expect.soft(await sidewaysScroll(page), `${name}: 320 pixels wide with text of 200 %`).toBe(0);
  expect.soft(await controlsWithoutOutline(page), `${name}: focus without an outline`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await emulateViewport(page, desktop);
}

testJourneys('every screen is accessible', {
  prepare: (page) => page.emulateMedia({ reducedMotion: 'reduce' }),
  show: async (page, name) => {
    await checkScreen(page, name);
    expect.soft(await mixedAmountFormats(page), `${name}: formats of amounts`).toEqual([]);
  },
});

test('every component is accessible', async ({ page }) => {
  test.slow();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/dev/components');
  // Several states of one component are landmarks with the same name.
  await checkScreen(page, 'components', { except: ['landmark-unique'] });
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await emulateViewport(page, { width: 375, height: 800 });
  // The system chooses the colours.
  const disabledRules = ['landmark-unique', 'color-contrast'];
  expect.soft(await violations(page, { except: disabledRules }), 'axe, forced colours').toEqual([]);
  expect
    .soft(await controlsWithoutOutline(page), 'focus without an outline, forced colours')
    .toEqual([]);
  const background = (element: Element, pseudo?: string) =>
    getComputedStyle(element, pseudo).backgroundColor;
  // Further groups show hovered and focused options.
  const currencies = page.getByRole('group', { name: 'Currency', exact: true }).first();
  const options = currencies.locator('label');
  const selectedColour = await options.filter({ hasText: 'AUD' }).evaluate(background);
  expect(await options.filter({ hasText: 'USD' }).evaluate(background)).not.toBe(selectedColour);
  const step = page.getByRole('listitem').filter({ hasText: 'You have registered' }).first();
  const dotColour = await step.evaluate(background, '::before');
  const renewalStep = page.getByRole('listitem').filter({ hasText: 'Renewal' });
  expect(await renewalStep.evaluate(background, '::before')).not.toBe(dotColour);
});

for (const result of ['success', 'processing'] as const) {
  test(`on a phone the heading is in view after a payment: ${result}`, async ({ page }) => {
    await page.setViewportSize({ width: 375, height: 700 });
    await openPaymentResult(page, result);

    await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
  });
}

test('a loading screen is animated when no reduced motion is requested', async ({ page }) => {
  await stallRequests(page, '/vc-admin/user/detail');
  await openScreen(page, '/vc-admin/diy/plans?debug=true');

  expect(await findMotion(page)).not.toEqual([]);
});
