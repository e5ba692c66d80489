import { HttpResponse, http } from 'msw';
import { serveUser, serveVisitor } from '@/testing/answers';
import { server } from '@/testing/server';
import { useSessionStore } from './session-store';

const store = () => useSessionStore.getState();
const fail = (status: number, message: string) => () =>
  HttpResponse.json({ name: 'ERRINTERNAL', message }, { status });

let log: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  log = vi.spyOn(console, 'error').mockImplementation(() => {});
});

describe('refresh', () => {
  it('is loading before the first answer', () => {
    expect(store().session).toEqual({ status: 'loading' });
  });

  it('finds a visitor with one call', async () => {
    serveVisitor(); // any other request would fail the test

    await store().refresh();

    expect(store().session).toEqual({ status: 'signedOut', error: null });
    expect(log).not.toHaveBeenCalled();
  });

  it('finds a user with organisation and customer', async () => {
    serveUser();

    await store().refresh();

    expect(store().session).toMatchObject({
      status: 'signedIn',
      user: { id: 'usr_1', org: { id: 'org_1', name: 'Byron Clinic' } },
      customer: { id: 'cus_1' },
    });
  });

  it('asks for no customer when the organisation has none', async () => {
    serveUser({}, { org: { stripeCustomerId: undefined } });

    await store().refresh();

    expect(store().session).toMatchObject({ status: 'signedIn', customer: null, error: null });
  });

  it('signs nobody out when only the customer cannot be had', async () => {
    serveUser();
    server.use(http.post('/vc-admin/org/customer', fail(502, 'Try later')));

    await store().refresh();

    expect(store().session).toMatchObject({
      status: 'signedIn',
      customer: null,
      error: { message: 'Try later' },
    });
  });

  it.each(['/vc-admin/user/detail', '/vc-admin/org/detail/org_1'])(
    'logs a failure of %s, and nobody is signed in',
    async (path) => {
      serveUser();
      server.use(http.get(path, fail(500, 'Oh no')));

      await store().refresh();

      expect(store().session).toMatchObject({ status: 'signedOut', error: { message: 'Oh no' } });
      expect(log).toHaveBeenCalled();
    },
  );
});
