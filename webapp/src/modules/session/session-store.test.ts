import { HttpResponse, http } from 'msw';
import { deferred } from '@/testing/deferred';
import { aCustomer } from '@/testing/fixtures';
import { serveUser, serveVisitor } from '@/testing/handlers';
import { server } from '@/testing/server';
import { useSessionStore } from './session-store';

const store = () => useSessionStore.getState();

/** Returns a handler that responds with an error. */
const respondWithError = (status: number, message: string) => () =>
  HttpResponse.json({ name: 'ERRINTERNAL', message }, { status });

let consoleError: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  consoleError = vi.spyOn(console, 'error').mockImplementation(() => {});
});

describe('refresh', () => {
  it('has the status loading before the first response', () => {
    expect(store().session).toEqual({ status: 'loading' });
  });

  it('sends only one request for a visitor', async () => {
    serveVisitor(); // any other request would fail the test

    await store().refresh();

    expect(store().session).toEqual({ status: 'signedOut', error: null });
    expect(consoleError).not.toHaveBeenCalled();
  });

  it('fetches the user with organisation and customer', async () => {
    serveUser();

    await store().refresh();

    expect(store().session).toMatchObject({
      status: 'signedIn',
      user: { id: 'usr_1', org: { name: 'Byron Clinic' } },
      customer: { id: 'cus_1' },
    });
  });

  it('requests no customer when the organisation has none', async () => {
    serveUser({}, { org: { stripeCustomerId: undefined } });

    await store().refresh();

    expect(store().session).toMatchObject({ status: 'signedIn', customer: null, error: null });
  });

  it.each([
    ['has no customer', false, null],
    ['keeps the customer', true, { id: 'cus_1' }],
  ])('%s when only the customer fails to load', async (_outcome, isLoadedBefore, customer) => {
    serveUser();
    if (isLoadedBefore) await store().refresh();
    server.use(http.post('/vc-admin/org/customer', respondWithError(502, 'Try later')));

    await store().refresh();

    const error = { message: 'Try later' };
    expect(store().session).toMatchObject({ status: 'signedIn', customer, error });
  });

  it.each([
    {
      outcome: 'keeps the user after a server error',
      status: 'signedIn',
      path: '/vc-admin/user/detail',
      errorStatus: 500,
    },
    {
      outcome: 'signs out after a response with status 401',
      status: 'signedOut',
      path: '/vc-admin/org/customer',
      errorStatus: 401,
    },
    {
      outcome: 'signs out after a server error if a call reported that the session is over',
      status: 'signedOut',
      path: '/vc-admin/user/detail',
      errorStatus: 500,
      isOver: true,
    },
    {
      outcome: 'signs out after a server error if the token is that of another session',
      status: 'signedOut',
      path: '/vc-admin/user/detail',
      errorStatus: 500,
      token: 'second',
    },
  ])('$outcome', async ({ status, path, errorStatus, token = 'first', isOver = false }) => {
    const cookie = vi.spyOn(document, 'cookie', 'get').mockReturnValue('XSRF-TOKEN=first');
    serveUser();
    await store().refresh();
    cookie.mockReturnValue(`XSRF-TOKEN=${token}`);
    server.use(http.all(path, respondWithError(errorStatus, 'Oh no')));

    await store().refresh(isOver);

    expect(store().session).toMatchObject({ status });
  });

  it.each(['/vc-admin/user/detail', '/vc-admin/org/detail/org_1'])(
    'logs a failure of %s and is signed out',
    async (path) => {
      serveUser();
      server.use(http.get(path, respondWithError(500, 'Oh no')));

      await store().refresh();

      expect(store().session).toMatchObject({ status: 'signedOut', error: { message: 'Oh no' } });
      expect(consoleError).toHaveBeenCalled();
    },
  );
});

describe('signIn', () => {
  it('names blocked cookies when the browser drops the session', async () => {
    vi.spyOn(document, 'cookie', 'get').mockReturnValue('');
    server.use(http.post('/auth/login', () => HttpResponse.json({})));
    serveVisitor();

    const error = await store().signIn({ username: 'ada@clinic.example', password: 'Passw0rd' });

    expect(error).toMatchObject({ name: 'ERRCOOKIES' });
  });

  const credentials = { username: 'ada@clinic.example', password: 'Secret123' };

  it('sends the credentials with the configured query and fetches the identity again', async () => {
    serveUser();
    const requests: unknown[] = [];
    server.use(
      http.post('/auth/login', async ({ request }) => {
        requests.push(new URL(request.url).search, await request.json());
        return HttpResponse.json({});
      }),
    );

    expect(await store().signIn(credentials, { tenant: 'diy' })).toBeNull();

    expect(requests).toEqual(['?tenant=diy', credentials]);
    expect(store().session.status).toBe('signedIn');
  });

  it('logs a failure and returns it', async () => {
    server.use(http.post('/auth/login', respondWithError(401, 'Wrong email or password')));

    const error = await store().signIn(credentials);

    expect(error).toMatchObject({ status: 401, message: 'Wrong email or password' });
    expect(consoleError).toHaveBeenCalled();
  });
});

describe('signOut', () => {
  it('signs out even if the response to an earlier refresh arrives later', async () => {
    serveUser();
    await store().refresh();
    const { promise, resolve } = deferred();
    server.use(
      http.post('/vc-admin/org/customer', async () => {
        await promise;
        return HttpResponse.json(aCustomer());
      }),
      http.get('/vc-admin/auth/logout', () => HttpResponse.json({})),
    );

    const refresh = store().refresh();
    expect(await store().signOut()).toBe(true);
    resolve();
    await refresh;

    expect(store().session.status).toBe('signedOut');
  });

  it('logs a failure and keeps the session', async () => {
    serveUser();
    await store().refresh();
    server.use(http.get('/vc-admin/auth/logout', respondWithError(500, 'Oh no')));

    expect(await store().signOut()).toBe(false);

    expect(store().session.status).toBe('signedIn');
    expect(consoleError).toHaveBeenCalled();
  });
});

describe('signUp', () => {
  const registration = {} as Parameters<ReturnType<typeof store>['signUp']>[0];

  it('sends the debug parameter', async () => {
    server.use(
      http.post('/vc-admin/signup', ({ request }) =>
        HttpResponse.json({}, { status: request.url.endsWith('?debug=true') ? 201 : 400 }),
      ),
    );

    await expect(store().signUp(registration, true)).resolves.toBeUndefined();
  });

  it('logs a failure and rethrows it', async () => {
    server.use(http.post('/vc-admin/signup', respondWithError(400, 'No')));

    await expect(store().signUp(registration, false)).rejects.toMatchObject({ message: 'No' });
    expect(consoleError).toHaveBeenCalled();
  });
});

describe('createCustomer', () => {
  const path = '/vc-admin/user-diy/new-customer';

  it('does nothing for a visitor', async () => {
    serveVisitor();
    await store().refresh();

    expect(await store().createCustomer()).toBeNull();
  });

  it('fetches the identity again and returns the id of the customer', async () => {
    serveUser({}, { org: { stripeCustomerId: undefined } });
    await store().refresh();
    serveUser();
    server.use(http.post(path, () => new HttpResponse()));

    expect(await store().createCustomer()).toBe('cus_1');

    expect(store().session).toMatchObject({ customer: { id: 'cus_1' } });
  });

  it('stores a failure in the session', async () => {
    serveUser({}, { org: { stripeCustomerId: undefined } });
    await store().refresh();
    server.use(http.post(path, respondWithError(502, 'The payment provider does not answer')));

    expect(await store().createCustomer()).toBeNull();

    expect(store().session).toMatchObject({
      status: 'signedIn',
      error: { message: 'The payment provider does not answer' },
    });
  });
});
