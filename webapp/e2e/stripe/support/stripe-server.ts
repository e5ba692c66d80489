import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Log } from '../../support/log';

const binary = fileURLToPath(new URL('../../../../bin/stripeserver', import.meta.url));

/** The keys and the secret that the fake Stripe API and the server share. */
const secretKey = 'sk_test_browser';
const webhookSecret = 'whsec_browser';
export const publishableKey = 'pk_test_browser';

/** The fake Stripe API in a process of its own, which keeps its data in memory. */
export class StripeServer {
  readonly #log = new Log();
  readonly #process: ChildProcess;
  #url = '';

  private constructor(webhookUrl: string) {
    const args = {
      addr: '127.0.0.1:0',
      data: '',
      'secret-key': secretKey,
      'publishable-key': publishableKey,
      'webhook-url': webhookUrl,
      'webhook-secret': webhookSecret,
    };
    const flags = Object.entries(args).map(([name, value]) => `-${name}=${value}`);
    this.#process = spawn(binary, flags, { stdio: ['ignore', 'ignore', 'pipe'] });
    if (this.#process.stderr) this.#log.follow(this.#process.stderr);
  }

  static async start(webhookUrl: string): Promise<StripeServer> {
    const stripe = new StripeServer(webhookUrl);
    const { addr } = await stripe.#log.waitFor('listening', 0);
    stripe.#url = `http://${addr}`;
    return stripe;
  }

  /** The settings with which a server uses this process as Stripe. */
  get settings(): Record<string, string> {
    return {
      DIY_PAYMENTS: 'stripe',
      DIY_STRIPE_SECRET_KEY: secretKey,
      DIY_STRIPE_PUBLISHABLE_KEY: publishableKey,
      DIY_STRIPE_WEBHOOK_SECRET: webhookSecret,
      DIY_STRIPE_API_URL: this.#url,
    };
  }

  /** Replaces the origin api.stripe.com in a URL with the origin of this process. */
  urlOf(stripeUrl: string): string {
    const { pathname, search } = new URL(stripeUrl);
    return this.#url + pathname + search;
  }

  /** Sends a request with the secret key. */
  async request<T>(method: string, path: string, form: Record<string, string> = {}): Promise<T> {
    const response = await fetch(this.#url + path, {
      method,
      headers: { Authorization: `Bearer ${secretKey}` },
      ...(method === 'POST' && { body: new URLSearchParams(form) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text);
  }

  /** Moves the clock of the fake Stripe API. Resolves when the server has received all resulting events. */
  async advance(duration: string): Promise<void> {
    const body = JSON.stringify({ advance: duration });
    const response = await fetch(`${this.#url}/local/clock`, {
      method: 'POST',
      body,
      headers: { 'X-Requested-With': 'XMLHttpRequest' },
    });
    if (!response.ok) throw new Error(await response.text());
  }

  async stop(): Promise<void> {
    const exit = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await exit;
  }
}
