import type { ConsoleMessage, Page, Request, Response } from '@playwright/test';

interface ExpectedResponse {
  status: number;
  path: string | RegExp;
}

/**
 * Records the problems of a page: console errors, uncaught errors, violations of the content security policy and failed
 * requests. A test lists the problems that it causes intentionally.
 */
export class Guard {
  readonly problems: string[] = [];
  readonly #expectedResponses: ExpectedResponse[] = [];
  readonly #expectedLogs: RegExp[] = [];
  /** The status of calls that fail intentionally, by path, in which '*' matches any text. */
  readonly #failingCalls = new Map<string, number>();

  constructor(page: Page) {
    page.on('console', (message) => this.#onConsole(message));
    page.on('pageerror', (error) => this.problems.push(`uncaught: ${error.stack ?? error}`));
    page.on('response', (response) => this.#onResponse(response));
    page.on('requestfailed', (request) => this.#onRequestFailed(request));
  }

  /** Ignores responses with this status to calls of this path from now on. */
  expect(status: number, path: string | RegExp): void {
    this.#expectedResponses.push({ status, path });
  }

  /** Ignores logged errors that match from now on. */
  expectLog(text: RegExp): void {
    this.#expectedLogs.push(text);
  }

  /** Ignores failures of calls to this path, in which '*' matches any text, and their logs until `expectSuccess`. */
  expectFailure(status: number, path: string): void {
    this.#failingCalls.set(path, status);
  }

  /** Ends `expectFailure`. */
  expectSuccess(path: string): void {
    this.#failingCalls.delete(path);
  }

  #onConsole(message: ConsoleMessage): void {
    if (message.type() !== 'error') return;
    // Chromium's message about a failed request, which #onResponse handles.
    if (message.text().startsWith('Failed to load resource')) return;
    if (this.#expectedLogs.some((pattern) => pattern.test(message.text()))) return;
    if (this.#failingCalls.size > 0 && /could not be|failed/.test(message.text())) return;
    this.problems.push(`console: ${message.text()} (${message.location().url})`);
  }

  #onResponse(response: Response): void {
    const status = response.status();
    const { pathname } = new URL(response.url());
    if (status >= 400 && !this.#isExpected(status, pathname)) {
      this.problems.push(`${status}: ${response.request().method()} ${response.url()}`);
    }
  }

  #isExpected(status: number, pathname: string): boolean {
    const isFailingCall = [...this.#failingCalls].some(
      ([path, failureStatus]) =>
        failureStatus === status && new RegExp(`${path.replaceAll('*', '.*')}$`).test(pathname),
    );
    return (
      isFailingCall ||
      this.#expectedResponses.some(
        ({ path, ...expected }) =>
          expected.status === status &&
          (typeof path === 'string' ? path === pathname : path.test(pathname)),
      )
    );
  }

  #onRequestFailed(request: Request): void {
    const reason = request.failure()?.errorText ?? 'failed';
    // A navigation aborts the requests of the page.
    if (reason === 'net::ERR_ABORTED') return;
    this.problems.push(`${reason}: ${request.method()} ${request.url()}`);
  }
}
