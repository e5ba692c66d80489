import type { Browser, Page } from '@playwright/test';
import { signInOnTrial } from './support/api';
import { injectAxe, violations } from './support/axe';
import { controlsWithoutOutline } from './support/focus';
import { expectVisibleFocus, tabTo } from './support/keyboard';
import { sidewaysScroll } from './support/layout';
import { Server } from './support/server';
import { expect, testWithServer } from './support/test';

/** A test with the fake provider, where everybody is an operator with all roles. */
const test = testWithServer(() => Server.start({ DIY_PAYMENTS: 'fake' }));

/** Opens the console in a browser without JavaScript. */
async function openWithoutScript(browser: Browser, server: Server): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${server.url}/console/search`);
  return page;
}

test('support finds an organisation by keyboard and without JavaScript', async ({
  page,
  browser,
  server,
}) => {
  const user = await signInOnTrial(page);
  const support = await openWithoutScript(browser, server);

  await tabTo(support, 'searchbox', 'Search organisations');
  await expectVisibleFocus(support);
  await support.keyboard.type(user.email);
  await support.keyboard.press('Enter');
  await expect(support.getByRole('heading', { level: 1 })).toContainText('1 organisation');
  await support.getByRole('main').getByRole('link').first().press('Enter');

  await expect(support.getByRole('main')).toContainText('trial until');
  await expect(support.getByRole('region', { name: 'Timeline' })).toContainText('Plan started');
  await support.getByRole('link', { name: 'Account' }).press('Enter');
  await expect(support.getByRole('region', { name: 'Timeline' })).not.toContainText('Plan started');
  await expect(support.getByRole('region', { name: 'Timeline' })).toContainText('Signed up');
  await support.getByRole('link', { name: 'Operators' }).press('Enter');
  await expect(support.getByRole('region', { name: 'Timeline' })).toContainText('Viewed');
  await support.context().close();
});

test('the pages of the console are accessible on wide and small screens in both colour schemes', async ({
  page,
}) => {
  const user = await signInOnTrial(page);
  await page.goto(`/console/search?q=${encodeURIComponent(user.email)}`);
  const organisation = await page.getByRole('main').getByRole('link').first().getAttribute('href');
  for (const path of [
    `/console/search?q=${encodeURIComponent(user.email)}`,
    String(organisation),
    '/console/attention',
    '/console/audit',
    '/console/work',
  ]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1280, 375]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        await page.goto(path);
        await injectAxe(page);
        const name = `${path}, ${width}, ${colorScheme}`;
        expect.soft(await violations(page), `${name}: axe`).toEqual([]);
        expect.soft(await sidewaysScroll(page), `${name}: scrolls sideways`).toBe(0);
        expect.soft(await controlsWithoutOutline(page), `${name}: focus`).toEqual([]);
      }
    }
  }
});
