import { planCard } from './support/plans';
import { expect, test } from './support/test';

const plansPath = '/vc-admin/diy/plans?debug=true';
const plans = ['Standard', 'Professional', 'Multi-User', 'Enterprise'];

test('on a phone the plans page is at most 3,500 px tall, and keeps interval and currency in view', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 812 });
  await page.goto(plansPath);
  await planCard(page, 'Enterprise').getByRole('button').waitFor();

  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  expect(height).toBeLessThanOrEqual(3500);
  await expect(page.getByRole('row')).toHaveCount(0);
  await page.getByText('All 18 features').click();
  await expect(page.getByRole('row')).toHaveCount(19);
  await expect(page.getByRole('columnheader', { name: 'Enterprise' })).toBeVisible();

  await page.getByRole('row', { name: /Max duration of calls/ }).scrollIntoViewIfNeeded();
  await page.getByRole('radio', { name: 'Monthly billing' }).check();
  await page.getByRole('button', { name: 'Currency: AUD' }).click();
  await page.getByRole('radio', { name: 'EUR' }).check();
  await expect(page.getByRole('radio', { name: 'EUR' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Currency: EUR' })).toBeInViewport();
  await expect(planCard(page, 'Standard')).toContainText('€25 billed each month');
});

test('the columns of the comparison are aligned with the cards, and its header is less than 108 px tall', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(plansPath);
  const textLeft = (text: Element) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return Math.round(range.getBoundingClientRect().left);
  };

  for (const plan of plans) {
    const cardLeft = await planCard(page, plan)
      .getByRole('heading', { name: plan, exact: true })
      .evaluate(textLeft);
    const column = page.getByRole('columnheader', { name: new RegExp(`^${plan}`) });
    expect(Math.abs((await column.evaluate(textLeft)) - cardLeft), plan).toBeLessThanOrEqual(1);
  }
  const header = await page.locator('thead').boundingBox();
  expect(header?.height).toBeLessThan(108);
});
