import { test as base, expect } from '@playwright/test';
import { Guard } from './support/guard';

const pageUrl = 'https://diy.example/';
const policy = "default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:";

/** A test that opens a page with a script, without a server. */
const test = base.extend<{ openPage: (script: string) => Promise<Guard> }>({
  openPage: async ({ page }, use) => {
    await use(async (script) => {
      const guard = new Guard(page);
      await page.unrouteAll();
      await page.route(`${pageUrl}**`, (route) => {
        const { pathname } = new URL(route.request().url());
        if (pathname === '/script.js')
          return route.fulfill({ body: script, contentType: 'text/javascript' });
        if (pathname !== '/') return route.fulfill({ status: 404 });
        return route.fulfill({
          body: '<!doctype html><link rel="icon" href="data:,"><script src="script.js"></script>',
          contentType: 'text/html',
          headers: { 'Content-Security-Policy': policy },
        });
      });
      await page.goto(pageUrl, { waitUntil: 'networkidle' });
      return guard;
    });
  },
});

const problems = [
  ['an error on the console', 'console.error("oh no")', /^console: oh no/],
  ['an uncaught error', 'throw new Error("oh no")', /^uncaught: .*oh no/],
  ['an unhandled rejection', 'Promise.reject(new Error("oh no"))', /^uncaught: .*oh no/],
  ['a failed request', 'fetch("/missing")', /^404: GET .*\/missing/],
  [
    'a violation of the policy',
    'const s = document.createElement("style"); s.textContent = "a{}"; document.head.append(s)',
    /^console: .*Content Security Policy/,
  ],
] as const;

test('the guard reports console errors, uncaught errors, failed requests and CSP violations', async ({
  openPage,
}) => {
  for (const [description, script, problem] of problems) {
    const guard = await openPage(script);
    await expect
      .poll(() => guard.problems, { message: description })
      .toEqual([expect.stringMatching(problem)]);
  }
});

test('the guard ignores responses and logs that the test expects', async ({ openPage, page }) => {
  const guard = await openPage('');
  guard.expect(404, '/missing');
  guard.expectLog(/^Expected:/);
  await page.evaluate(() => fetch('/missing').then(() => console.error('Expected: it is missing')));
  expect(guard.problems).toEqual([]);
});

test('the guard ignores a failing call until expectSuccess, and reports it afterwards', async ({
  openPage,
  page,
}) => {
  const guard = await openPage('');
  const call = () => page.evaluate(() => fetch('/missing').then(() => console.error('It failed')));
  guard.expectFailure(404, '/miss*');
  await call();
  expect(guard.problems).toEqual([]);

  guard.expectSuccess('/miss*');
  await call();
  await expect.poll(() => guard.problems.length).toBe(2);
});
