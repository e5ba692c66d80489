import type { Locator } from '@playwright/test';
import { signInOnTrial } from './support/api';
import { goToConfirm, summary } from './support/confirm';
import { planCard, standard } from './support/plans';
import { expect, test } from './support/test';

/** Returns the computed value of a style property of an element or pseudo-element. */
const styleOf = (element: Locator, property: string, pseudo?: string) =>
  element.evaluate((node, [name, part]) => getComputedStyle(node, part).getPropertyValue(name), [
    property,
    pseudo,
  ] as [string, string | undefined]);

test('forced colours show the selected option, the main button and the recommended plan', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/vc-admin/diy/plans?debug=true');
  const option = (name: string) => page.locator('label').filter({ hasText: name });
  await planCard(page, 'Professional').getByRole('button').waitFor();

  expect(await styleOf(option('Annual billing'), 'background-color')).not.toBe(
    await styleOf(option('Monthly billing'), 'background-color'),
  );
  const button = planCard(page, 'Professional').getByRole('button');
  expect(await styleOf(button, 'border-top-width')).toBe('1px');
  expect(await styleOf(button, 'border-top-color')).not.toBe('rgba(0, 0, 0, 0)');
  expect(await styleOf(planCard(page, 'Professional'), 'border-top-width')).toBe('3px');
  const steps = page.getByRole('region', { name: /^Try Vision/ }).getByRole('listitem');
  expect(await styleOf(steps.first(), 'background-color', '::before')).not.toBe(
    await styleOf(steps.last(), 'background-color', '::before'),
  );
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
  await expect(summary(page)).toContainText('$420 AUD');
  await expect(page.getByRole('button')).toHaveCount(0);
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('contentinfo')).toBeHidden();
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  expect(height, 'on one page').toBeLessThanOrEqual(1123);
});
