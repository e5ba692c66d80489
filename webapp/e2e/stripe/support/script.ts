import { fileURLToPath } from 'node:url';
import type { BrowserContext, Route } from '@playwright/test';
import type { StripeServer } from './stripe-server';

/** Matches the URL of Stripe's script in any release. */
export const scriptUrlPattern = /^https:\/\/js\.stripe\.com\/[a-z]+\/stripe\.js/;

const standInPath = (file: string) =>
  fileURLToPath(new URL(`../stand-in/${file.replace('/stand-in/', '')}`, import.meta.url));

/**
 * Intercepts the browser's requests to Stripe. The files in stand-in are the script and the frames, and the fake Stripe
 * API responds to the calls. Other URLs of Stripe respond with 404.
 */
export async function serveStripe(context: BrowserContext, stripe: StripeServer): Promise<void> {
  await context.route(/^https:\/\/(js|hooks)\.stripe\.com\//, serveFile);
  await context.route('https://api.stripe.com/**', async (route) => {
    const response = await route.fetch({ url: stripe.urlOf(route.request().url()) });
    await route.fulfill({ response });
  });
}

function serveFile(route: Route): Promise<void> {
  const url = route.request().url();
  if (scriptUrlPattern.test(url)) return route.fulfill({ path: standInPath('stripe.js') });
  const { pathname } = new URL(url);
  if (!pathname.startsWith('/stand-in/')) return route.fulfill({ status: 404 });
  return route.fulfill({ path: standInPath(pathname) });
}
