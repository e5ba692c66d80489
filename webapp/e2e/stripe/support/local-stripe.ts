import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Log } from '../../support/log';

const binary = fileURLToPath(new URL('../../../../bin/stripeserver', import.meta.url));

/** The keys and the secret that the local Stripe and the server know. */
const secretKey = 'sk_test_browser';
const webhookSecret = 'whsec_browser';
export const publishableKey = 'pk_test_browser';

/** The local Stripe in a process and on a port of its own, all in memory. */
export class LocalStripe {
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

  static async start(webhookUrl: string): Promise<LocalStripe> {
    const stripe = new LocalStripe(webhookUrl);
    const { addr } = await stripe.#log.next('listening', 0);
    stripe.#url = `http://${addr}`;
    return stripe;
  }

  /** What has a server take it for Stripe. */
  get settings(): Record<string, string> {
    return {
      DIY_PAYMENTS: 'stripe',
      DIY_STRIPE_SECRET_KEY: secretKey,
      DIY_STRIPE_PUBLISHABLE_KEY: publishableKey,
      DIY_STRIPE_WEBHOOK_SECRET: webhookSecret,
      DIY_STRIPE_API_URL: this.#url,
    };
  }

  /** Where a browser's call to api.stripe.com is answered. */
  instead(address: string): string {
    const { pathname, search } = new URL(address);
    return this.#url + pathname + search;
  }

  /** Asks as Stripe's dashboard does: for everything, by the secret key. */
  async ask<T>(method: string, path: string, form: Record<string, string> = {}): Promise<T> {
    const answer = await fetch(this.#url + path, {
      method,
      headers: { Authorization: `Bearer ${secretKey}` },
      ...(method === 'POST' && { body: new URLSearchParams(form) }),
    });
    const said = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${said}`);
    return JSON.parse(said);
  }

  /** Moves its clock; returns when every event that this led to has been taken. */
  async advance(by: string): Promise<void> {
    const body = JSON.stringify({ advance: by });
    const answer = await fetch(`${this.#url}/local/clock`, {
      method: 'POST',
      body,
      headers: { 'X-Requested-With': 'XMLHttpRequest' },
    });
    if (!answer.ok) throw new Error(await answer.text());
  }

  async stop(): Promise<void> {
    const gone = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await gone;
  }
}
