import type { Page } from '@playwright/test';
import config from '../playwright.config';
import { signInOnPaidPlan, signInOnTrial } from './support/api';
import {
  openPaymentBanner,
  signInWithOverdueInvoice,
  signInWithUnapprovedTrial,
} from './support/open-payment';
import { readPaints, recordPaints } from './support/paints';
import { planCard } from './support/plans';
import { delayRequests } from './support/requests';
import { expect, test } from './support/test';

// A scrollbar that appears shifts the layout; Playwright hides scrollbars by default.
test.use({
  launchOptions: { ...config.use?.launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] },
});

const screens = [
  {
    name: 'plans page',
    path: '/vc-admin/diy/plans?debug=true',
    heading: 'Plans for every practice',
    loadedContent: (page: Page) => planCard(page, 'Standard').getByRole('button'),
  },
  {
    name: 'registration',
    path: '/vc-admin/diy/regform?product=professional&currency=AUD&interval=yearly',
    heading: 'Create your account',
    loadedContent: (page: Page) => page.getByLabel('First name'),
  },
  {
    name: 'sign-in page',
    path: '/vc-admin/dash',
    heading: 'Dashboard',
    loadedContent: (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' }),
  },
  {
    name: 'contact page',
    path: '/vc-admin/diy/contact?product=enterprise',
    heading: 'Contact sales',
    loadedContent: (page: Page) => page.getByText('For Enterprise solutions'),
  },
];
const viewports = [
  { device: 'a phone', width: 375, height: 812 },
  { device: 'a desktop', width: 1350, height: 940 },
];

for (const { name, path, heading, loadedContent } of screens) {
  for (const { device, ...viewport } of viewports) {
    test(`the ${name} shows its heading before any script, without layout shift, on ${device}`, async ({
      page,
    }) => {
      await page.setViewportSize(viewport);
      await recordPaints(page);
      const release = await delayRequests(page, '**/assets/*.js');
      await page.goto(path, { waitUntil: 'commit' });
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
      await expect.poll(() => readPaints(page)).toEqual({ shift: 0, largestPaints: 1 });

      release();
      await expect(loadedContent(page)).toBeVisible();

      expect(await readPaints(page)).toEqual({ shift: 0, largestPaints: 1 });
    });
  }
}

const signedInPages = [
  {
    path: '/vc-admin/diy/plans?debug=true',
    loadedContent: (page: Page) => planCard(page, 'Standard').getByRole('button'),
  },
  {
    path: '/vc-admin/diy/contact?product=enterprise',
    loadedContent: (page: Page) => page.getByText('For Enterprise solutions'),
  },
  { path: '/vc-admin/diy/cards', loadedContent: (page: Page) => page.getByText('Expires').first() },
  {
    path: '/vc-admin/diy/invoices',
    loadedContent: (page: Page) => page.getByRole('heading', { name: 'Invoices' }),
  },
];

for (const { state, signInUser } of [
  { state: 'an overdue invoice', signInUser: signInWithOverdueInvoice },
  { state: 'an unapproved card', signInUser: signInWithUnapprovedTrial },
]) {
  test(`the banner about ${state} does not shift the layout of any page`, async ({ page }) => {
    await signInUser(page);
    await recordPaints(page);
    for (const viewport of viewports) {
      await page.setViewportSize(viewport);
      for (const { path, loadedContent } of signedInPages) {
        await page.goto(path);
        await expect(openPaymentBanner(page)).toBeVisible();
        await expect(loadedContent(page)).toBeVisible();
        await expect(page.getByRole('contentinfo')).toBeVisible();

        const { shift } = await readPaints(page);
        expect.soft(shift, `${path} on ${viewport.device}`).toBe(0);
      }
    }
  });
}

test('the dashboard and cards appear without layout shift', async ({ page }) => {
  await signInOnPaidPlan(page);
  await recordPaints(page);
  for (const viewport of viewports) {
    await page.setViewportSize(viewport);
    for (const path of ['/vc-admin/dash', '/vc-admin/diy/cards']) {
      await page.goto(path);
      await expect(page.getByText('•••• 4242').first()).toBeVisible();
      await expect(page.getByRole('contentinfo')).toBeVisible();

      const { shift } = await readPaints(page);
      expect.soft(shift, `${path} on ${viewport.device}`).toBe(0);
    }
  }
});

for (const { state, signInUser } of [
  { state: 'a visitor', signInUser: null },
  { state: 'a trial', signInUser: signInOnTrial },
  { state: 'a paid plan', signInUser: signInOnPaidPlan },
]) {
  test(`the plans of ${state} appear without layout shift, also when the typeface arrives late`, async ({
    page,
  }) => {
    await signInUser?.(page);
    await recordPaints(page);
    for (const width of [1280, 375]) {
      await page.setViewportSize({ width, height: 800 });
      const releaseTypeface = await delayRequests(page, '**/*.woff2');
      await page.goto('/vc-admin/diy/plans?debug=true', { waitUntil: 'commit' });
      await expect(planCard(page, 'Standard').getByRole('button')).toBeVisible();
      await expect(page.getByRole('contentinfo')).toBeVisible();
      releaseTypeface();
      await page.waitForLoadState('networkidle');
      await expect.poll(() => page.evaluate(() => document.fonts.check('1rem Figtree'))).toBe(true);

      const { shift } = await readPaints(page);
      expect.soft(shift, `at ${width} pixels`).toBe(0);
    }
  });
}

test('the session is requested before the first render', async ({ page }) => {
  const release = await delayRequests(page, '**/assets/*.js');
  await page.goto('/vc-admin/diy/plans?debug=true', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const renderTime = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const root = document.querySelector('#root') as Element;
        new MutationObserver(() => resolve(performance.now())).observe(root, { childList: true });
      }),
  );

  release();

  expect(await requestTime(page, '/vc-admin/user/detail')).toBeLessThan(await renderTime);
});

test('pages preload the typeface, and browsers may cache it for a year', async ({ page }) => {
  const fontResponse = page.waitForResponse('**/*.woff2');
  await page.goto('/vc-admin/dash');

  const headers = (await fontResponse).headers();
  expect(headers['content-type']).toBe('font/woff2');
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  const preload = page.locator('link[rel=preload][as=font]');
  await expect(preload).toHaveAttribute('href', new URL((await fontResponse).url()).pathname);
  await expect.poll(() => page.evaluate(() => document.fonts.check('1rem Figtree'))).toBe(true);
});

/** Waits for a response and returns when its request was sent, in milliseconds since the navigation. */
async function requestTime(page: Page, path: string): Promise<number> {
  await (await page.waitForResponse(`**${path}`)).finished();
  return page.evaluate(
    (name) => performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN,
    new URL(path, page.url()).href,
  );
}
