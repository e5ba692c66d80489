import type { Page } from '@playwright/test';
import { signInOnTrial } from './support/api';
import { goToConfirm, summary } from './support/confirm';
import { advanceClock } from './support/dev';
import { standard } from './support/plans';
import { expect, test } from './support/test';

/** Emulates the print of an A4 page, in a browser with dark colours. */
async function emulatePrint(page: Page): Promise<void> {
  await page.setViewportSize({ width: 718, height: 1047 });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
}

/** Expects black text on white, without header, footer, navigation and buttons. */
async function expectPrintedContent(page: Page): Promise<void> {
  for (const role of ['banner', 'contentinfo', 'navigation', 'button'] as const) {
    await expect(page.getByRole(role)).toHaveCount(0);
  }
  await expect(page.getByRole('link', { name: 'Skip to content' })).toHaveCount(0);
  const colors = await page.evaluate(() => {
    const textColors = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!node.textContent?.trim() || !parent?.checkVisibility()) continue;
      textColors.add(getComputedStyle(parent).color);
    }
    return {
      text: [...textColors],
      page: getComputedStyle(document.documentElement).backgroundColor,
    };
  });
  expect(colors).toEqual({ text: ['rgb(0, 0, 0)'], page: 'rgb(255, 255, 255)' });
}

test('an invoice is printed in black on white, without navigation and buttons', async ({
  page,
}) => {
  await signInOnTrial(page);
  await advanceClock(page.request, '169h');
  await page.goto('/vc-admin/dash');
  await page.getByRole('link', { name: /\$816 AUD/ }).click();
  await expect(page.getByRole('button', { name: /PDF/ })).toBeVisible();

  await emulatePrint(page);

  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('$816').first()).toBeVisible();
  await expect(page.getByText('Paid', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'All invoices' })).toBeHidden();
  await expectPrintedContent(page);
});

test('a confirmation is printed on one page with the plan and the charges, without controls', async ({
  page,
}) => {
  await signInOnTrial(page);
  await goToConfirm(page, standard);
  await expect(summary(page)).toContainText('Due now');
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 794, height: 1123 });

  await expect(page.getByText('CHANGING TO')).toBeVisible();
  await expect(summary(page)).toContainText('$420.00 AUD');
  await expect(page.getByRole('button')).toHaveCount(0);
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('contentinfo')).toBeHidden();
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  expect(height, 'on one page').toBeLessThanOrEqual(1123);
});
