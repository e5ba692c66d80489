import type { ConsoleMessage, Page, Request, Response } from '@playwright/test';

interface Expected {
  status: number;
  path: string | RegExp;
}

/**
 * Records problems of a page: console errors, uncaught errors, violations of the content security
 * policy and failed requests. A test announces those that it causes intentionally.
 */
export class Guard {
  readonly problems: string[] = [];
  readonly #expected: Expected[] = [];
  readonly #expectedLogs: RegExp[] = [];
  /** The status of failing calls by path, in which '*' is any text. */
  readonly #failing = new Map<string, number>();

  constructor(page: Page) {
    page.on('console', (message) => this.#console(message));
    page.on('pageerror', (error) => this.problems.push(`uncaught: ${error.stack ?? error}`));
    page.on('response', (response) => this.#response(response));
    page.on('requestfailed', (request) => this.#failed(request));
  }

  /** Announces that calls to this path may respond with this status from now on. */
  expect(status: number, path: string | RegExp): void {
    this.#expected.push({ status, path });
  }

  /** Announces that the page may log such an error from now on. */
  expectLog(text: RegExp): void {
    this.#expectedLogs.push(text);
  }

  /** Announces that calls to this path, in which '*' is any text, fail and are logged until `expectSuccess`. */
  expectFailure(status: number, path: string): void {
    this.#failing.set(path, status);
  }

  /** Revokes `expectFailure`. */
  expectSuccess(path: string): void {
    this.#failing.delete(path);
  }

  #console(message: ConsoleMessage): void {
    if (message.type() !== 'error') return;
    // Chromium's message about a failed request, which #response handles.
    if (message.text().startsWith('Failed to load resource')) return;
    if (this.#expectedLogs.some((expected) => expected.test(message.text()))) return;
    if (this.#failing.size > 0 && /could not be|failed/.test(message.text())) return;
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
    const failing = [...this.#failing].some(
      ([path, failure]) =>
        failure === status && new RegExp(`${path.replaceAll('*', '.*')}$`).test(pathname),
    );
    return (
      failing ||
      this.#expected.some(
        ({ path, ...expected }) =>
          expected.status === status &&
          (typeof path === 'string' ? path === pathname : path.test(pathname)),
      )
    );
  }

  #failed(request: Request): void {
    const why = request.failure()?.errorText ?? 'failed';
    // A navigation aborts the requests of the page.
    if (why === 'net::ERR_ABORTED') return;
    this.problems.push(`${why}: ${request.method()} ${request.url()}`);
  }
}
