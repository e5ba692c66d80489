import type { Browser, Page } from '@playwright/test';
import { signInNewUser } from './support/api';
import { cards, fillCard, subscribe } from './support/payment';
import { choosePlan, paymentPath, professional, registrationPath } from './support/plans';
import { submitSignIn } from './support/session';
import { expect, test } from './support/test';

/** What a browser lacks or denies, as a script that runs before those of the page. */
const faults: Record<string, string> = {
  'a throwing BroadcastChannel': `BroadcastChannel = class { constructor() { throw new DOMException('no', 'SecurityError'); } };`,
  'denied storage': `for (const area of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, area, { get() { throw new DOMException('no', 'SecurityError'); } });`,
  'full storage': `Storage.prototype.setItem = () => { throw new DOMException('no', 'QuotaExceededError'); };`,
  'an odd locale': `for (const [name, value] of [['languages', ['en-US@posix', 'C', '']], ['language', 'C']])
    Object.defineProperty(navigator, name, { get: () => value });`,
  'no languages': `Object.defineProperty(navigator, 'languages', { get: () => undefined });`,
  'a throwing Intl': `for (const name of ['DateTimeFormat', 'NumberFormat', 'DisplayNames', 'Collator'])
    Intl[name] = class { constructor() { throw new RangeError('Incorrect locale information provided'); } };`,
  'many missing interfaces': `for (const name of ['BroadcastChannel', 'matchMedia', 'ResizeObserver',
    'IntersectionObserver', 'requestIdleCallback', 'structuredClone', 'crypto', 'cookieStore', 'caches'])
    Object.defineProperty(window, name, { value: undefined });
    delete AbortSignal.timeout; delete AbortSignal.any; delete CSS.supports; delete URL.createObjectURL;
    delete HTMLDialogElement.prototype.showModal; delete document.startViewTransition;
    for (const name of ['clipboard', 'userAgentData', 'sendBeacon', 'locks', 'share', 'onLine'])
      Object.defineProperty(navigator, name, { value: undefined });`,
  'old media queries': `const match = window.matchMedia;
    window.matchMedia = (query) => ({ matches: match(query).matches, addListener() {}, removeListener() {} });`,
  'a refused replaceState': `history.replaceState = () => { throw new DOMException('no', 'SecurityError'); };`,
};

const signedOutPages: [path: string, content: RegExp][] = [
  ['/vc-admin/diy/plans?debug=true', /Start your free trial/],
  ['/vc-admin/diy/contact', /send your query/i],
  [registrationPath, /First name/],
  ['/vc-admin/auth/forgot', /Send the link/],
];

const signedInPages: [path: string, content: RegExp][] = [
  ['/vc-admin/dash', /Next payment/],
  ['/vc-admin/diy/billing', /Visa/],
  ['/vc-admin/diy/invoices', /first invoice/],
  ['/vc-admin/diy/cards', /Add card/],
  ['/vc-admin/diy/details', /Billing details/],
  ['/vc-admin/diy/end', /End/],
  ['/vc-admin/diy/confirm?product=standard&currency=AUD&interval=yearly&debug=true', /Standard/],
];

async function expectPages(page: Page, pages: typeof signedOutPages): Promise<void> {
  for (const [path, content] of pages) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
    await expect(page.getByRole('main'), path).toContainText(content);
  }
}

/** Returns a page in a new context with a fault. Uncaught errors are added to `errors`. */
async function newPage(browser: Browser, baseURL: string, fault: string, errors: string[]) {
  const context = await browser.newContext({ baseURL, locale: 'en-AU' });
  await context.addInitScript(fault);
  const page = await context.newPage();
  page.on('pageerror', (error) => errors.push(String(error)));
  return page;
}

for (const [name, fault] of Object.entries(faults)) {
  test(`every page works in a browser with ${name}`, async ({ browser, server }) => {
    const errors: string[] = [];
    const page = await newPage(browser, server.url, fault, errors);

    await expectPages(page, signedOutPages);
    await page.goto('/vc-admin/diy/plans?debug=true');
    await choosePlan(page, professional, 'Start your free trial');
    await expect(page.getByLabel('First name')).toBeVisible();

    const user = await signInNewUser(page.request);
    await page.goto(paymentPath);
    await fillCard(page, cards.valid);
    await subscribe(page);
    await page.waitForURL('**/vc-admin/dash');
    await submitSignIn(page, user);
    await expect(page.getByRole('link', { name: 'Sign Out' })).toBeVisible();

    await expectPages(page, signedInPages);
    expect(errors).toEqual([]);
    await page.context().close();
  });
}

test('forms say that cookies are needed when the page can read none', async ({ page, guard }) => {
  guard.expect(403, '/auth/login');
  guard.expect(403, '/vc-admin/auth/password/forgot');
  guard.expectLog(/failed/);
  await page.addInitScript(`Object.defineProperty(document, 'cookie', { get: () => '' })`);

  await page.goto('/vc-admin/dash');
  await submitSignIn(page, { email: 'ada@clinic.example', password: 'Sunny-Harbour7' });
  await expect(page.getByRole('alert')).toContainText('Your browser blocks cookies.');

  await page.goto('/vc-admin/auth/forgot');
  await page.getByLabel('Email').fill('ada@clinic.example');
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByRole('alert')).toContainText('Your browser blocks cookies.');
});
