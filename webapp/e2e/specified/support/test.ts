import { test as base, expect } from '@playwright/test';
import { serveStripe } from '../../stripe/support/script';
import { StripeServer } from '../../stripe/support/stripe-server';
import { Guard } from '../../support/guard';
import { SpecOnlyServer } from './spec-only-server';
import { StripeAccount } from './stripe-account';

interface TestFixtures {
  guard: Guard;
}

interface WorkerFixtures {
  stripe: StripeServer;
  server: SpecOnlyServer;
}

/**
 * Playwright's test with the fake Stripe API, a server that knows only the specification, and a guard for every page.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  stripe: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's names
    async ({}, use) => {
      const stripe = await StripeServer.start('');
      await use(stripe);
      await stripe.stop();
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ stripe }, use) => {
      const server = await SpecOnlyServer.start(new StripeAccount(stripe));
      await use(server);
      server.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: ({ server }, use) => use(server.url),
  context: async ({ context, stripe }, use) => {
    await serveStripe(context, stripe);
    await use(context);
  },
  guard: [
    async ({ page, server }, use) => {
      const guard = new Guard(page);
      // The server refuses a visitor's identity request, which the app logs as specified.
      guard.expect(401, '/vc-admin/user/detail');
      guard.expectLog(/^The identity could not be fetched/);
      await use(guard);
      expect.soft(guard.problems, 'problems of the page').toEqual([]);
      expect.soft(server.problems.splice(0), 'requests beyond the specification').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
