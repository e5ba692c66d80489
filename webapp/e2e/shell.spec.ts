import { expect, test } from './support/test';

test('the footer takes at most 200 pixels on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 812 });
  for (const address of ['/vc-admin/diy/plans?debug=true', '/vc-admin/diy/contact']) {
    await page.goto(address);
    const footer = page.getByRole('contentinfo');
    await expect(footer.getByText(/^© 2022/)).toBeVisible();

    expect((await footer.boundingBox())?.height).toBeLessThanOrEqual(200);
  }
});

test('the word mark is drawn in the text colour of forced colours', async ({ page }) => {
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
