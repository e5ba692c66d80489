import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Page, test } from '@playwright/test';
import { waitForAnimations } from './support/animations';
import { advanceClock } from './support/dev';
import { Guard } from './support/guard';
import { journeys } from './support/journeys';
import { Server } from './support/server';
import { resetNames } from './support/user';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** The screens whose light pictures are committed, for the documentation. */
const committedScreens = [
  ...['plans', 'regform', 'registered', 'payment', 'confirm'],
  ...['dashboard-active', 'invoices', 'cards', 'end'],
];

/** Returns the folder of a screen's picture: testdata/screens for committed pictures, or screens, which Git ignores. */
const folderOf = (screen: string, isDark: boolean) =>
  `${repository}${committedScreens.includes(screen) && !isDark ? 'testdata/screens' : 'screens'}/`;

/** The time at which each journey starts, so that the dates in the pictures do not change. */
const startTime = Date.UTC(2028, 0, 1, 1, 0, 5);

/** States of long screens. Only the visible part is captured, because another picture shows the whole screen. */
const excerpts = [
  'invoices-no-more',
  ...['plans-busy', 'plans-closed', 'plans-developer', 'plans-ended', 'plans-no-customer'],
  ...['regform-busy', 'regform-email-taken', 'regform-failed', 'regform-taken'],
  ...['details-no-tax-id', 'details-not-saved', 'details-tax-types'],
];

/**
 * States of long screens. In dark colors they are captured only at 1280 pixels, because 375 pixels show the same
 * colors.
 */
const longScreenState = /^(confirm|details|invoices|payment|plans|regform)-/;

/** Replaces the random prefix of the provider's invoice numbers, so that pictures do not change. */
const replaceInvoicePrefixes = (page: Page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.nodeValue ?? '';
      const newText = text.replace(/\b[A-Z0-9]{8}-(?=\d{4}\b)/, 'K7Q2M4XA-');
      if (newText !== text) node.nodeValue = newText;
    }
  });

/** Captures a screen in two widths and both color schemes. */
async function capture(page: Page, screen: string): Promise<void> {
  await page.mouse.move(0, 0); // no element is hovered
  const loading = page.locator('[data-loading]').first();
  await loading.waitFor({ state: 'detached', timeout: 1500 }).catch(() => undefined);
  const sessionLinks = page.locator('header nav > :last-child > li').first();
  await sessionLinks.waitFor({ state: 'attached', timeout: 1500 }).catch(() => undefined);
  for (const width of [1280, 375]) {
    await page.setViewportSize({ width, height: 800 });
    await replaceInvoicePrefixes(page); // after the new width is rendered
    // A modal dialog covers the window only.
    const hasDialog = (await page.locator('dialog:modal').count()) > 0;
    const fullPage = !hasDialog && !excerpts.includes(screen);
    if (!fullPage) await page.locator(':focus').evaluateAll(scrollIntoMiddle);
    for (const colorScheme of ['light', 'dark'] as const) {
      if (colorScheme === 'dark' && width === 375 && longScreenState.test(screen)) continue;
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await waitForAnimations(page);
      const isDark = colorScheme === 'dark';
      const suffix = isDark ? '-dark' : '';
      const path = `${folderOf(screen, isDark)}${screen}-${width}${suffix}.png`;
      await page.screenshot({ path, fullPage, animations: 'disabled', caret: 'hide' });
    }
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1280, height: 720 });
}

/** Scrolls the focused element into the middle of the window. */
const scrollIntoMiddle = ([focusedElement]: Element[]) =>
  focusedElement?.scrollIntoView({ block: 'center' });

test.beforeAll(() => mkdir(`${repository}screens`, { recursive: true }));

for (const { name, settings, run } of journeys) {
  test(name, async ({ browser }) => {
    test.setTimeout(240_000);
    resetNames();
    const server = await Server.start(settings);
    const context = await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.clock.setFixedTime(startTime); // visitors see the browser's date
    await advanceClock(page.request, `${Math.round((startTime - Date.now()) / 1000)}s`);
    const show = (screen: string) => capture(page, screen);
    await run(page, { server, guard: new Guard(page), show });
    await context.close();
    await server.stop();
  });
}
