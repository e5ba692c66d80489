import { HttpResponse, http } from 'msw';
import { server } from '@/testing/server';
import { ApiError } from './api-error';
import { get as getDecoded, post as postDecoded, postWithoutBody } from './client';
import { xsrfToken } from './cookies';
import type { Decoder } from './decode';
import { priceQuoteIn } from './quote';
import { openInvoiceIn } from './subscription';

const url = '/vc-admin/user-diy/new-customer';

/** Returns every response unchanged. */
const identityDecoder: Decoder<unknown> = (value) => value;
const get = (url: string) => getDecoded(url, identityDecoder);
const post = (url: string, ...request: [body?: object, query?: Record<string, string>]) =>
  postDecoded(url, identityDecoder, ...request);

const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('the call succeeded'),
    (error: ApiError) => error,
  );

describe('a call', () => {
  beforeEach(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: sets the cookie as the server does
    document.cookie = 'XSRF-TOKEN=the-token; path=/';
  });

  it('sends the request marker, the content type and the XSRF token', async () => {
    const sentHeaders: Headers[] = [];
    server.use(
      http.post(url, async ({ request }) => {
        sentHeaders.push(request.headers);
        return HttpResponse.json({ body: await request.json() });
      }),
    );

    expect(await post(url)).toEqual({ body: {} });
    expect(sentHeaders[0]?.get('X-Requested-With')).toBe('XMLHttpRequest');
    expect(sentHeaders[0]?.get('X-XSRF-TOKEN')).toBe('the-token');
    expect(sentHeaders[0]?.get('Content-Type')).toMatch(/^application\/json/);
  });

  it('without a body has the same headers', async () => {
    const requests: Request[] = [];
    server.use(
      http.post(url, ({ request }) => {
        requests.push(request);
        return HttpResponse.json({});
      }),
    );

    await postWithoutBody(url, identityDecoder);

    const [request] = requests;
    expect(await request?.text()).toBe('');
    expect(request?.headers.get('X-XSRF-TOKEN')).toBe('the-token');
    expect(request?.headers.get('Content-Type')).toBe('application/json');
  });

  it('sends query parameters in the URL', async () => {
    server.use(http.post(url, ({ request }) => HttpResponse.json(new URL(request.url).search)));

    expect(await post(url, {}, { tenant: 'a&b', debug: 'true' })).toBe('?tenant=a%26b&debug=true');
  });

  it("sends requests to the page's origin", async () => {
    server.use(http.get(url, ({ request }) => HttpResponse.json(new URL(request.url).origin)));

    expect(await get(url)).toBe(window.location.origin);
  });

  it.each([200, 201, 204, 299])('succeeds with status %i', async (status) => {
    server.use(http.get(url, () => new HttpResponse(null, { status })));

    expect(await get(url)).toBe('');
  });

  it.each([304, 400, 500])('rejects with status %i', async (status) => {
    server.use(http.get(url, () => new HttpResponse(null, { status })));

    expect(await errorOf(get(url))).toMatchObject({ status });
  });

  it('rejects with the message of the server', async () => {
    const body = { name: 'ERRVALIDATION', message: 'Look again', fields: { org: 'Too long' } };
    server.use(http.post(url, () => HttpResponse.json(body, { status: 400 })));

    const error = await errorOf(post(url));

    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ ...body, status: 400, hasServerMessage: true });
  });

  it('rejects with the message of axios when the error response is HTML', async () => {
    server.use(http.get(url, () => new HttpResponse('<h1>Bad gateway</h1>', { status: 502 })));

    expect(await errorOf(get(url))).toMatchObject({
      status: 502,
      message: 'Request failed with status code 502',
      hasServerMessage: false,
      fields: {},
    });
  });

  it('rejects with the message of axios when the fields of the error are malformed', async () => {
    const body = { name: 7, message: {}, fields: ['org'], quote: 3 };
    server.use(http.get(url, () => HttpResponse.json(body, { status: 409 })));

    const error = await errorOf(get(url));

    expect(error).toMatchObject({
      name: 'ERR_BAD_REQUEST',
      message: 'Request failed with status code 409',
      fields: {},
    });
    expect([priceQuoteIn(error), openInvoiceIn(error)]).toEqual([null, null]);
  });

  it('rejects with Network Error when the server cannot be reached', async () => {
    server.use(http.get(url, () => HttpResponse.error()));

    expect(await errorOf(get(url))).toMatchObject({ status: 0, message: 'Network Error' });
  });

  it.each([
    ['ontimeout', 'timeout of 60000ms exceeded'],
    ['onabort', 'Request aborted'],
  ] as const)('rejects with the message of axios on %s', async (event, message) => {
    /** An XMLHttpRequest that calls the event's handler instead of sending the request. */
    class FailingRequest {
      ontimeout = () => {};
      onabort = () => {};
      open() {}
      setRequestHeader() {}
      send() {
        queueMicrotask(() => this[event]());
      }
    }
    vi.stubGlobal('XMLHttpRequest', FailingRequest);

    expect(await errorOf(get(url))).toMatchObject({ status: 0, message });
  });
});

describe('a call that is refused with ERRXSRF', () => {
  beforeEach(() => {
    server.use(
      http.post(url, () => HttpResponse.json({ name: 'ERRXSRF', message: 'No.' }, { status: 403 })),
    );
  });

  it('is an error of the session when the page has a token', async () => {
    expect(await errorOf(post(url))).toMatchObject({ name: 'ERRXSRF', sessionOver: true });
  });

  it('names blocked cookies when the page has no token after it', async () => {
    vi.spyOn(document, 'cookie', 'get').mockReturnValue('');

    const error = await errorOf(post(url));

    expect(error).toMatchObject({ name: 'ERRCOOKIES', sessionOver: false, hasServerMessage: true });
    expect(error.message).toMatch(/^Your browser blocks cookies\. .*Allow cookies/);
  });
});

it('xsrfToken returns an empty text when the browser denies access to cookies', () => {
  vi.spyOn(document, 'cookie', 'get').mockImplementation(() => {
    throw new DOMException('The document is sandboxed', 'SecurityError');
  });

  expect(xsrfToken()).toBe('');
});
