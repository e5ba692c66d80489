import { expect, type Page } from '@playwright/test';
import { signedIn, spendTrial, startTrial } from './api';
import type { Guard } from './guard';
import type { Server } from './server';

/** What a visit may lean on besides the page. */
export interface House {
  server: Server;
  guard: Guard;
}

/** One screen in one state, and how to get there. */
export interface Visit {
  name: string;
  open(page: Page, house: House): Promise<void>;
}

/** The plan of the main job, as an address says it. */
export const choice = 'product=professional&currency=AUD&interval=yearly&debug=true';

export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
}

/** The page says so, whether or not it can be seen. */
export const said = (page: Page, words: string | RegExp) =>
  expect(page.getByText(words).first()).toBeAttached();

/** The page waits, and says so to screen readers. */
export const loading = (page: Page) => said(page, 'Loading...');

/** Somebody is signed in whose organisation is on the trial of the main job. */
export async function onTrial(page: Page): Promise<void> {
  await signedIn(page.request);
  await startTrial(page.request);
}

/** Somebody is signed in whose organisation had its trial, and nothing since. */
export async function afterTrial(page: Page): Promise<void> {
  await signedIn(page.request);
  await spendTrial(page.request);
}

/** From now on these calls are never answered, so that what shows meanwhile can be looked at. */
export async function hold(page: Page, path: string): Promise<void> {
  await page.route(`**${path}`, () => {});
}

/** From now on the organisation has no customer at the payment provider, as far as the page knows. */
export async function forgetCustomer(page: Page): Promise<void> {
  await page.route('**/vc-admin/org/detail/*', async (route) => {
    const { stripeCustomerId: _, ...org } = await (await route.fetch()).json();
    await route.fulfill({ json: org });
  });
}

/** From now on these calls are answered in place of the server. */
export async function answer(page: Page, path: string, json: object): Promise<void> {
  await page.route(`**${path}`, (route) => route.fulfill({ json }));
}

/** From now on these calls fail, as the server says that they do; the page may note it. */
export async function fail(page: Page, { guard }: House, path: string, status: number) {
  guard.expect(status, new RegExp(`${path.replaceAll('*', '.*')}$`));
  guard.expectLog(/could not be|failed/);
  const json = { name: 'ERRPROVIDER', message: 'The payment provider does not answer.' };
  await page.route(`**${path}`, (route) => route.fulfill({ status, json }));
}
