import type { Page, Request } from '@playwright/test';

/** Records the requests of a page and its frames. */
export class Traffic {
  readonly #requests: Request[] = [];
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    page.on('request', (request) => this.#requests.push(request));
  }

  /** Returns the origins of the page's own scripts, without those of frames. */
  scriptOrigins(): string[] {
    const mainFrame = this.#page.mainFrame();
    return this.#origins('script', (request) => request.frame() === mainFrame);
  }

  /** Returns the origins of the page and its frames. */
  documentOrigins(): string[] {
    return this.#origins('document', () => true);
  }

  /** Returns the URLs, without query, of the requests that contain the text in any part. */
  async urlsContaining(text: string): Promise<string[]> {
    const urls = new Set<string>();
    for (const request of this.#requests) {
      const { origin, pathname } = new URL(request.url());
      if ((await requestText(request)).includes(text)) urls.add(origin + pathname);
    }
    return [...urls];
  }

  #origins(kind: 'script' | 'document', accepts: (request: Request) => boolean): string[] {
    const requests = this.#requests.filter(
      (request) => request.resourceType() === kind && accepts(request),
    );
    return [...new Set(requests.map((request) => new URL(request.url()).origin))].sort();
  }
}

/** Returns the decoded URL, headers and body of a request, without cookies and cache tags. */
async function requestText(request: Request): Promise<string> {
  const { cookie: _, 'if-none-match': __, ...headers } = await request.allHeaders();
  const body = request.postData() ?? '';
  return [request.url(), JSON.stringify(headers), body].map(decode).join('\n');
}

function decode(text: string): string {
  return decodeURIComponent(text.replace(/%(?![\da-f]{2})/gi, '%25'));
}
