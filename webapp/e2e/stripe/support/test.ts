import { Server } from '../../support/server';
import { test as base, expect } from '../../support/test';
import { serveStripe } from './script';
import { StripeServer } from './stripe-server';
import { Webhooks } from './webhooks';

interface WorkerFixtures {
  webhooks: Webhooks;
  stripe: StripeServer;
}

/** Playwright's test with the server and the browser connected to the fake Stripe API. */
export const test = base.extend<object, WorkerFixtures>({
  webhooks: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's names
    async ({}, use) => {
      const webhooks = await Webhooks.start();
      await use(webhooks);
      webhooks.stop();
    },
    { scope: 'worker' },
  ],
  stripe: [
    async ({ webhooks }, use) => {
      const stripe = await StripeServer.start(webhooks.url);
      await use(stripe);
      await stripe.stop();
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ stripe, webhooks }, use) => {
      const server = await Server.start(stripe.settings);
      webhooks.target = server.url;
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  context: async ({ context, stripe }, use) => {
    await serveStripe(context, stripe);
    await use(context);
  },
});

export { expect };
