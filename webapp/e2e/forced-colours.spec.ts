import type { Locator } from '@playwright/test';
import { planCard } from './support/plans';
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

test('forced colours draw the word mark in the colour of text', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/vc-admin/diy/contact');
  const logo = page.getByRole('banner').getByRole('link', { name: 'Vision' });
  await expect(logo).toBeVisible();

  const colours = await logo.evaluate((link) => ({
    text: getComputedStyle(link.closest('header') as Element).color,
    mark: getComputedStyle(link.querySelector('.wordmark') as Element).backgroundColor,
  }));
  expect(colours.mark).toBe(colours.text);
});
