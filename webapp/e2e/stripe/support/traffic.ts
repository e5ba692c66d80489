import type { Page, Request } from '@playwright/test';

/** Everything that a page and its frames ask for, to be looked through afterwards. */
export class Traffic {
  readonly requests: Request[] = [];

  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    page.on('request', (request) => this.requests.push(request));
  }

  /** Where the page's own scripts came from, each origin once; frames have their own. */
  scripts(): string[] {
    const own = this.#page.mainFrame();
    return this.#origins('script', (request) => request.frame() === own);
  }

  /** Where the page and its frames came from, each origin once. */
  documents(): string[] {
    return this.#origins('document', () => true);
  }

  /** The addresses, without their query, of the requests that carry the text in any part. */
  async carrying(text: string): Promise<string[]> {
    const found = new Set<string>();
    for (const request of this.requests) {
      const { origin, pathname } = new URL(request.url());
      if ((await written(request)).includes(text)) found.add(origin + pathname);
    }
    return [...found];
  }

  #origins(kind: 'script' | 'document', wanted: (request: Request) => boolean): string[] {
    const found = this.requests.filter((each) => each.resourceType() === kind && wanted(each));
    return [...new Set(found.map((each) => new URL(each.url()).origin))].sort();
  }
}

/** All of a request in one text, spelt plainly. Tags of cached answers are the server's own words. */
async function written(request: Request): Promise<string> {
  const { cookie: _, 'if-none-match': __, ...headers } = await request.allHeaders();
  const body = request.postData() ?? '';
  return [request.url(), JSON.stringify(headers), body].map(plain).join('\n');
}

function plain(text: string): string {
  return decodeURIComponent(text.replace(/%(?![\da-f]{2})/gi, '%25'));
}
