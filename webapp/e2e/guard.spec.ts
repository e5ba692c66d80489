import { test as base, expect } from '@playwright/test';
import { Guard } from './support/guard';

const page = 'https://diy.example/';
const policy = "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self'";

/** Serves a page whose script does what is given, without a server. */
const test = base.extend<{ served: (script: string) => Promise<Guard> }>({
  served: async ({ page: tab }, use) => {
    await use(async (script) => {
      const guard = new Guard(tab);
      await tab.route(`${page}**`, (route) => {
        const { pathname } = new URL(route.request().url());
        if (pathname === '/script.js')
          return route.fulfill({ body: script, contentType: 'text/javascript' });
        if (pathname !== '/') return route.fulfill({ status: 404 });
        return route.fulfill({
          body: '<!doctype html><link rel="icon" href="data:,"><script src="script.js"></script>',
          contentType: 'text/html',
          headers: { 'Content-Security-Policy': `${policy} data:` },
        });
      });
      await tab.goto(page, { waitUntil: 'networkidle' });
      return guard;
    });
  },
});

for (const [what, script, problem] of [
  ['an error on the console', 'console.error("oh no")', /^console: oh no/],
  ['an uncaught error', 'throw new Error("oh no")', /^uncaught: .*oh no/],
  ['an unhandled rejection', 'Promise.reject(new Error("oh no"))', /^uncaught: .*oh no/],
  ['a failed request', 'fetch("/missing")', /^404: GET .*\/missing/],
  [
    'a breach of the policy',
    'const s = document.createElement("style"); s.textContent = "a{}"; document.head.append(s)',
    /^console: .*Content Security Policy/,
  ],
] as const) {
  test(`the guard notices ${what}`, async ({ served }) => {
    const guard = await served(script);
    await expect.poll(() => guard.problems).toEqual([expect.stringMatching(problem)]);
  });
}

test('the guard lets pass what was announced', async ({ served, page: tab }) => {
  const guard = await served('');
  guard.expect(404, '/missing');
  guard.expectLog(/^Meant:/);
  await tab.evaluate(() => fetch('/missing').then(() => console.error('Meant: it is missing')));
  expect(guard.problems).toEqual([]);
});
