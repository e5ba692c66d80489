import { fileURLToPath } from 'node:url';
import type { BrowserContext, Route } from '@playwright/test';
import type { LocalStripe } from './local-stripe';

/** The address of Stripe's script, whatever release the app asks for. */
export const scriptAddress = /^https:\/\/js\.stripe\.com\/[a-z]+\/stripe\.js/;

const standIn = (file: string) =>
  fileURLToPath(new URL(`../stand-in/${file.replace('/stand-in/', '')}`, import.meta.url));

/**
 * Has what a browser asks of Stripe answered here: its script and frames by the stand-in, its API
 * by the local Stripe. Anything else of Stripe's is not there.
 */
export async function serveStripe(context: BrowserContext, stripe: LocalStripe): Promise<void> {
  await context.route(/^https:\/\/(js|hooks)\.stripe\.com\//, serveFile);
  await context.route('https://api.stripe.com/**', async (route) => {
    const response = await route.fetch({ url: stripe.instead(route.request().url()) });
    await route.fulfill({ response });
  });
}

function serveFile(route: Route): Promise<void> {
  const address = route.request().url();
  if (scriptAddress.test(address)) return route.fulfill({ path: standIn('stripe.js') });
  const { pathname } = new URL(address);
  if (!pathname.startsWith('/stand-in/')) return route.fulfill({ status: 404 });
  return route.fulfill({ path: standIn(pathname) });
}
