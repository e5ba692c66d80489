import type { APIRequestContext, Page } from '@playwright/test';
import { editBillingEmail, expectStatus, post, signInNewUser, signUp } from './support/api';
import { advanceClock, billingEmailLink, resetLink, verificationLink } from './support/dev';
import { serveEmailPreferences } from './support/email-preferences';
import { cards, fillCard, subscribe } from './support/payment';
import { choosePlan, paymentPath, professional } from './support/plans';
import { goToFirstPayment } from './support/registration';
import { signOutLink, submitSignIn } from './support/session';
import { expect, test } from './support/test';
import { newUser, type User } from './support/user';

/** Faults of a browser, each as a script that runs before those of the page. */
const faults = {
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

/** Browsers with several of the faults at once. */
const browsers: Record<string, (keyof typeof faults)[]> = {
  'that lacks optional interfaces': [
    'denied storage',
    'no languages',
    'a throwing Intl',
    'many missing interfaces',
  ],
  'whose optional interfaces are faulty': [
    'a throwing BroadcastChannel',
    'full storage',
    'an odd locale',
    'old media queries',
  ],
};

/** A page with a text of its content. */
type ExpectedPage = [path: string, content: RegExp];

const signedOutPages: ExpectedPage[] = [
  ['/vc-admin/diy/contact', /send your query/i],
  ['/vc-admin/diy/nowhere', /page/i],
  ['/vc-admin/auth/forgot', /Send the link/],
  ['/vc-admin/auth/emails?token=of-an-email', /Your plan renews/],
];

const signedInPages: ExpectedPage[] = [
  ['/vc-admin/dash', /Next charge.*Visa/],
  ['/vc-admin/diy/invoices', /first invoice/],
  ['/vc-admin/diy/cards', /Add card/],
  ['/vc-admin/diy/details', /Billing details/],
  ['/vc-admin/diy/end', /End/],
  ['/vc-admin/diy/confirm?product=standard&currency=AUD&interval=yearly&debug=true', /Standard/],
];

async function expectPage(page: Page, content: RegExp, path: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
  await expect(page.getByRole('main'), path).toContainText(content);
}

async function openPages(page: Page, pages: ExpectedPage[]): Promise<void> {
  for (const [path, content] of pages) {
    await page.goto(path);
    await expectPage(page, content, path);
  }
}

/** Opens the pages of links in emails to a user who registered in another browser. */
async function openLinksOfEmails(page: Page, otherBrowser: APIRequestContext): Promise<void> {
  const { email } = await signInNewUser(otherBrowser);
  const billingEmail = `accounts-${email}`;
  await editBillingEmail(otherBrowser, billingEmail);
  const unverifiedUser = newUser();
  await signUp(otherBrowser, unverifiedUser);
  await post(otherBrowser, '/vc-admin/auth/password/forgot', { email });
  await openPages(page, [
    [await verificationLink(otherBrowser, unverifiedUser.email), /Confirm your registration/],
    [await resetLink(otherBrowser, email), /Change password/],
    [await billingEmailLink(otherBrowser, billingEmail), /Confirm your email address/],
  ]);
}

/** Starts a trial on the payment screen, with a card whose first charge is declined, and signs in again. */
async function subscribeAndSignIn(page: Page, user: User): Promise<void> {
  await fillCard(page, cards.declinedWhenCharged);
  await subscribe(page);
  await page.waitForURL('**/vc-admin/dash');
  await submitSignIn(page, user);
  await expect(signOutLink(page)).toBeVisible();
}

for (const [name, ownFaults] of Object.entries(browsers)) {
  test(`every page works in a browser ${name}`, async ({ page, request }) => {
    for (const fault of ownFaults) await page.addInitScript(faults[fault]);
    await serveEmailPreferences(page);

    await openPages(page, signedOutPages);
    await openLinksOfEmails(page, request);

    const user = newUser();
    await goToFirstPayment(page, user, professional);
    await subscribeAndSignIn(page, user);
    await openPages(page, signedInPages);

    await advanceClock(page.request, '169h');
    await expectStatus(page.request, 'past_due');
    await openPages(page, [['/vc-admin/diy/pay', /Pay \$816 AUD/]]);
    await page.goto('/vc-admin/diy/invoices');
    await page.getByRole('link', { name: /-0*2$/ }).click();
    await expectPage(page, /is overdue\./, 'invoice');
  });
}

test('links in emails, a purchase and every customer page work if replaceState is refused', async ({
  page,
  request,
}) => {
  await page.addInitScript(faults['a refused replaceState']);
  await openLinksOfEmails(page, request);
  const user = await signInNewUser(page.request);
  await page.goto(paymentPath);
  await subscribeAndSignIn(page, user);
  await openPages(page, signedInPages);
});

test('a plan is chosen in browsers with a single fault', async ({ browser, server }) => {
  for (const [name, fault] of Object.entries(faults)) {
    await test.step(name, async () => {
      const errors: string[] = [];
      const context = await browser.newContext({ baseURL: server.url, locale: 'en-AU' });
      await context.addInitScript(fault);
      const page = await context.newPage();
      page.on('pageerror', (error) => errors.push(String(error)));
      await page.goto('/vc-admin/diy/plans?debug=true');
      await choosePlan(page, professional, 'Start your free trial');
      await expect(page.getByLabel('First name')).toBeVisible();
      expect(errors).toEqual([]);
      await context.close();
    });
  }
});

test('forms say that cookies are needed when the page can read none', async ({ page, guard }) => {
  guard.expect(403, '/auth/login');
  guard.expect(403, '/vc-admin/auth/password/forgot');
  guard.expect(403, '/vc-admin/auth/passkey/options');
  guard.expectLog(/failed|Passkeys could not be offered/);
  await page.addInitScript(`Object.defineProperty(document, 'cookie', { get: () => '' })`);

  await page.goto('/vc-admin/dash');
  await submitSignIn(page, { email: 'ada@clinic.example', password: 'Sunny-Harbour7' });
  await expect(page.getByRole('alert')).toContainText('Your browser blocks cookies.');

  await page.goto('/vc-admin/auth/forgot');
  await page.getByLabel('Email').fill('ada@clinic.example');
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByRole('alert')).toContainText('Your browser blocks cookies.');
});
