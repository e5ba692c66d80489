import type { ConsoleMessage, Page, Request, Response } from '@playwright/test';

interface Expected {
  status: number;
  path: string | RegExp;
}

/**
 * Watches a page for what no visitor should cause: errors on the console, uncaught ones, breaches
 * of the content security policy, requests that fail. What a test means to cause, it announces.
 */
export class Guard {
  readonly problems: string[] = [];
  readonly #expected: Expected[] = [];
  readonly #expectedLogs: RegExp[] = [];

  constructor(page: Page) {
    page.on('console', (message) => this.#console(message));
    page.on('pageerror', (error) => this.problems.push(`uncaught: ${error.stack ?? error}`));
    page.on('response', (response) => this.#response(response));
    page.on('requestfailed', (request) => this.#failed(request));
  }

  /** Announces that calls to this path may answer with this status from now on. */
  expect(status: number, path: string | RegExp): void {
    this.#expected.push({ status, path });
  }

  /** Announces that the page may note such a failure on the console from now on. */
  expectLog(text: RegExp): void {
    this.#expectedLogs.push(text);
  }

  #console(message: ConsoleMessage): void {
    if (message.type() !== 'error') return;
    // Chromium's own line about a failed request, which #response judges.
    if (message.text().startsWith('Failed to load resource')) return;
    if (this.#expectedLogs.some((expected) => expected.test(message.text()))) return;
    this.problems.push(`console: ${message.text()} (${message.location().url})`);
  }

  #response(response: Response): void {
    const status = response.status();
    const { pathname } = new URL(response.url());
    if (status >= 400 && !this.#announced(status, pathname)) {
      this.problems.push(`${status}: ${response.request().method()} ${response.url()}`);
    }
  }

  #announced(status: number, pathname: string): boolean {
    return this.#expected.some(
      ({ path, ...expected }) =>
        expected.status === status &&
        (typeof path === 'string' ? path === pathname : path.test(pathname)),
    );
  }

  #failed(request: Request): void {
    const why = request.failure()?.errorText ?? 'failed';
    // A navigation that leaves the page ends what the page was still asking for.
    if (why === 'net::ERR_ABORTED') return;
    this.problems.push(`${why}: ${request.method()} ${request.url()}`);
  }
}
