import { expect, type Page } from '@playwright/test';
import { endTrialUnpaid, licenses, signInNewUser, signInOnTrial } from '../api';
import { advanceClock } from '../dev';
import type { Guard } from '../guard';
import type { Server } from '../server';
import type { User } from '../user';

interface JourneyContext {
  server: Server;
  guard: Guard;
  /** Called at each screen, with the name of its pictures. */
  show(name: string): Promise<void>;
}

/** A path through the app that shows screens in the states that look different. */
export interface Journey {
  name: string;
  /** The server's settings beside the usual ones. */
  settings?: Record<string, string>;
  run(page: Page, context: JourneyContext): Promise<void>;
}

/** The query that chooses Professional, yearly, AUD. */
export const choice = 'product=professional&currency=AUD&interval=yearly&debug=true';

/** Opens an address and waits for the screen's heading. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
}

/** Expects the text on the page, visible or for screen readers. */
export const expectText = (page: Page, text: string | RegExp) =>
  expect(page.getByText(text).first()).toBeAttached();

/** Signs in a new user who has paid for Professional, yearly. */
export async function signInOnPaidPlan(page: Page): Promise<User> {
  const user = await signInOnTrial(page);
  await advanceClock(page.request, '169h');
  await expect.poll(async () => (await licenses(page.request)).license?.raw.status).toBe('active');
  return user;
}

/** Signs in a new user whose trial has ended unpaid. */
export async function signInAfterTrial(page: Page): Promise<void> {
  await signInNewUser(page.request);
  await endTrialUnpaid(page.request);
}

/** Leaves requests to a path without a response until `release`. */
export async function hold(page: Page, path: string): Promise<void> {
  await page.route(`**${path}`, () => {});
}

/** Ends `hold`. It leaves the page first, so that the held requests never reach the server. */
export async function release(page: Page, path: string): Promise<void> {
  await page.goto('about:blank');
  await page.unroute(`**${path}`);
}

/** Ends `fail` or `edit`: sends requests to the path to the server again. */
export async function restore(page: Page, { guard }: JourneyContext, path: string): Promise<void> {
  await page.unroute(`**${path}`);
  guard.expectSuccess(path);
}

/**
 * Changes the responses of the server at a path until `restore`: for states that would need many steps.
 */
export async function edit<T>(
  page: Page,
  path: string,
  change: (response: T) => void,
): Promise<void> {
  await page.route(`**${path}`, async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    change(json);
    await route.fulfill({ response, json });
  });
}

/** Lets requests to a path fail with this status, and announces it to the guard, until `restore`. */
export async function fail(
  page: Page,
  { guard }: JourneyContext,
  path: string,
  status: number,
): Promise<void> {
  guard.expectFailure(status, path);
  const json = { name: 'ERRPROVIDER', message: 'The payment provider does not answer.' };
  await page.route(`**${path}`, (route) => route.fulfill({ status, json }));
}
