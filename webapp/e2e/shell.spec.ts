import { expect, test } from './support/test';

test('on a phone the footer is at most 200 pixels tall', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 812 });
  for (const address of ['/vc-admin/diy/plans?debug=true', '/vc-admin/diy/contact']) {
    await page.goto(address);
    const footer = page.getByRole('contentinfo');
    await expect(footer.getByText(/^© 2022/)).toBeVisible();

    expect((await footer.boundingBox())?.height).toBeLessThanOrEqual(200);
  }
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
