import { expect, test } from './support/test';

test('on a phone the footer is at most 200 pixels tall', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 812 });
  for (const path of ['/vc-admin/diy/plans?debug=true', '/vc-admin/diy/contact']) {
    await page.goto(path);
    const footer = page.getByRole('contentinfo');
    await expect(footer.getByText(/^© 2022/)).toBeVisible();

    expect((await footer.boundingBox())?.height).toBeLessThanOrEqual(200);
  }
});
