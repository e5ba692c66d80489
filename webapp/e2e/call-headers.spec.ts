import type { Page, Request } from '@playwright/test';
import { signInNewUser } from './support/api';
import { choiceQuery } from './support/plans';
import { expect, test } from './support/test';

/** Reports whether a URL belongs to an API call, or to a screen under the same prefix. */
const isApiCall = ({ pathname }: URL) =>
  /^\/(vc-admin\/(user|org|user-diy|signup|auth)|auth)(\/|$)/.test(pathname);

/** Opens a path, waits until the session is loaded and the page is idle, and returns the calls so far. */
async function collectCalls(page: Page, path: string): Promise<Request[]> {
  const calls: Request[] = [];
  const record = (request: Request) => {
    if (isApiCall(new URL(request.url()))) calls.push(request);
  };
  page.on('request', record);
  await page.goto(path);
  const header = page.getByRole('banner');
  await expect(header.getByRole('link', { name: /^(Sign In|Dashboard)$/ })).toBeVisible();
  await page.waitForLoadState('networkidle');
  page.off('request', record);
  return calls;
}

async function expectHeaders(calls: Request[]): Promise<void> {
  expect(calls.length).toBeGreaterThan(0);
  for (const call of calls) {
    const headers = await call.allHeaders();
    const title = `${call.method()} ${call.url()}`;
    expect.soft(headers['x-requested-with'], title).toBe('XMLHttpRequest');
    expect.soft(headers['x-xsrf-token'], title).toMatch(/./);
  }
}

test('calls of visitors and users have the request marker and the XSRF token', async ({ page }) => {
  for (const path of ['diy/plans?debug=true', `diy/regform?${choiceQuery}`, 'dash']) {
    await expectHeaders(await collectCalls(page, `/vc-admin/${path}`));
  }
  await signInNewUser(page.request);
  for (const path of ['dash', 'diy/plans?debug=true', `diy/payment?${choiceQuery}`, 'diy/cards']) {
    await expectHeaders(await collectCalls(page, `/vc-admin/${path}`));
  }
});
