import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Account, BackEnd, Refusal } from './back-end';
import { type CallName, findCall, requestProblems } from './calls';
import { staticFile } from './static-host';
import { type StripeAccount, StripeError } from './stripe-account';

const verifyPath = '/vc-admin/verify';

/**
 * Serves the files of the built web app and only the calls, keys and fields of the specification. Every other request
 * is recorded as a problem, which fails the test.
 */
export class SpecOnlyServer {
  /** Descriptions of requests that the specification does not allow, and of failures of this server. */
  readonly problems: string[] = [];
  readonly backEnd: BackEnd;
  readonly #sessions = new Map<string, Account>();
  readonly #http = createServer((request, response) => void this.#serve(request, response));

  private constructor(stripe: StripeAccount) {
    this.backEnd = new BackEnd(stripe);
  }

  static async start(stripe: StripeAccount): Promise<SpecOnlyServer> {
    const server = new SpecOnlyServer(stripe);
    await once(server.#http.listen(0, '127.0.0.1'), 'listening');
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#http.closeAllConnections();
    this.#http.close();
  }

  /** Returns the link that verifies a registration, which a real server would send by email. */
  verificationLink(email: string): string {
    return `${verifyPath}?email=${encodeURIComponent(email)}`;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.url);
    try {
      const call = findCall(request.method ?? '', url.pathname);
      if (call) return await this.#respondToCall(call, url, request, response);
      if (url.pathname === verifyPath) {
        this.backEnd.account(url.searchParams.get('email') ?? '').verified = true;
        return redirect(response, '/vc-admin/dash');
      }
      const file = request.method === 'GET' ? await staticFile(url.pathname) : null;
      if (!file) throw new Refusal(404, `${request.method} ${url.pathname} is not specified`);
      response.writeHead(200, { 'Content-Type': file.type }).end(file.content);
    } catch (error) {
      const { status, body } = this.#failureResponse(error);
      respond(response, status, body);
    }
  }

  async #respondToCall(
    { name, id }: { name: CallName; id: string },
    { searchParams }: URL,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const content = await text(request);
    const body = content ? JSON.parse(content) : null;
    this.problems.push(...requestProblems(name, searchParams, body));
    const { session: sessionId = '', 'XSRF-TOKEN': token } = cookiesOf(request);
    if (!token) response.appendHeader('Set-Cookie', `XSRF-TOKEN=${randomUUID()}; Path=/`);
    if (request.method === 'POST' && (!token || request.headers['x-xsrf-token'] !== token)) {
      throw new Refusal(403, `${name}: no X-XSRF-TOKEN`);
    }
    switch (name) {
      case 'GET /vc-admin/auth/logout':
        this.#sessions.delete(sessionId);
        return redirect(response, '/vc-admin/dash');
      case 'POST /auth/login': {
        const newSessionId = randomUUID();
        this.#sessions.set(newSessionId, this.backEnd.authenticate(body));
        response.appendHeader('Set-Cookie', `session=${newSessionId}; Path=/; HttpOnly`);
        return respond(response, 200, {});
      }
      default: {
        const account = this.#sessions.get(sessionId);
        respond(response, 200, await this.backEnd.calls[name]({ id, body, account }));
      }
    }
  }

  /** Returns the response to a failure. Records a problem unless a customer can cause the failure. */
  #failureResponse(error: unknown): { status: number; body: object } {
    if (error instanceof StripeError) return { status: 402, body: { message: error.message } };
    const refusal = error instanceof Refusal ? error : new Refusal(500, String(error));
    if (![400, 401, 402].includes(refusal.status)) this.problems.push(refusal.message);
    return refusal;
  }
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { Location: location }).end();
}

function respond(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function cookiesOf({ headers: { cookie = '' } }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(cookie.split('; ').map((pair) => pair.split('=', 2)));
}
