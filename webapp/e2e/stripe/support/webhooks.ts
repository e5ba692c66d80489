import { once } from 'node:events';
import { createServer, type Server as HttpServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * Forwards Stripe's events to the server. The fake Stripe API starts before the server has an address. Events are refused
 * until then, and Stripe sends them again.
 */
export class Webhooks {
  /** The URL of the server. */
  target?: string;
  /** The types of the events that the server has accepted. */
  readonly acceptedTypes: string[] = [];
  readonly #http: HttpServer;

  private constructor() {
    this.#http = createServer(async (request, response) => {
      // Forwarding fails at the end of the tests, because the server stops before Stripe does.
      const status = await this.#forward(request).catch(() => 503);
      response.writeHead(status).end();
    });
  }

  static async start(): Promise<Webhooks> {
    const webhooks = new Webhooks();
    await once(webhooks.#http.listen(0, '127.0.0.1'), 'listening');
    return webhooks;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}/`;
  }

  stop(): void {
    this.#http.closeAllConnections();
    this.#http.close();
  }

  async #forward(request: IncomingMessage): Promise<number> {
    if (!this.target) return 503;
    const payload = await buffer(request);
    const { status } = await fetch(`${this.target}/vc-admin/webhooks/stripe`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Stripe-Signature': String(request.headers['stripe-signature']),
      },
      body: payload,
    });
    if (status === 200) this.acceptedTypes.push(JSON.parse(payload.toString()).type);
    return status;
  }
}
