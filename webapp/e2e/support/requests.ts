import type { Page } from '@playwright/test';
import type { Guard } from './guard';

const configPath = '/vc-admin/diy/config.json';

/** The fixture that the functions below need from a test. */
interface GuardFixtures {
  guard: Guard;
}

/** Delays requests to URLs that match until the returned function is called. */
export async function delayRequests(page: Page, pattern: string | RegExp): Promise<() => void> {
  let release = () => {};
  const releaseSignal = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(pattern, async (route) => {
    await releaseSignal;
    await route.fallback();
  });
  return release;
}

/** Leaves requests to a path without a response until `abandonRequests`. */
export async function stallRequests(page: Page, path: string): Promise<void> {
  await page.route(`**${path}`, () => {});
}

/**
 * Ends `stallRequests` and abandons the stalled requests. Leaves the page first, so that they never reach the server.
 */
export async function abandonRequests(page: Page, path: string): Promise<void> {
  await page.goto('about:blank');
  await page.unroute(`**${path}`);
}

/** Ends `failRequests` or `editResponses`. */
export async function restoreRequests(
  page: Page,
  { guard }: GuardFixtures,
  path: string,
): Promise<void> {
  await page.unroute(`**${path}`);
  guard.expectSuccess(path);
}

/** Changes the server's responses at a path until `restoreRequests`, for states that take many steps to reach. */
export async function editResponses<T>(
  page: Page,
  path: string,
  edit: (response: T) => void,
): Promise<void> {
  await page.route(`**${path}`, async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    edit(json);
    await route.fulfill({ response, json });
  });
}

/** Removes capabilities from the configuration of the server until `restoreConfig`. */
export const removeCapabilities = (page: Page, ...capabilities: string[]): Promise<void> =>
  editResponses<{ provider: { capabilities: string[] } }>(page, configPath, ({ provider }) => {
    provider.capabilities = provider.capabilities.filter((name) => !capabilities.includes(name));
  });

/** Ends `removeCapabilities`. */
export const restoreConfig = (page: Page, fixtures: GuardFixtures): Promise<void> =>
  restoreRequests(page, fixtures, configPath);

/** Makes requests to a path fail with this status until `restoreRequests`. The guard ignores these failures. */
export async function failRequests(
  page: Page,
  { guard }: GuardFixtures,
  path: string,
  status: number,
): Promise<void> {
  guard.expectFailure(status, path);
  const json = { name: 'ERRPROVIDER', message: 'The payment provider does not answer.' };
  await page.route(`**${path}`, (route) => route.fulfill({ status, json }));
}
