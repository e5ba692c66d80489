import { HttpResponse, http } from 'msw';
import { serveUser, serveVisitor } from '@/testing/handlers';
import { server } from '@/testing/server';
import { useSessionStore } from './session-store';
import { watchSession } from './watch-session';

const store = () => useSessionStore.getState();
let stop: () => void;

/** Sets the XSRF token of a session, as the response that begins the session does. */
function setToken(token: string) {
  // biome-ignore lint/suspicious/noDocumentCookie: sets the cookie as the server does
  document.cookie = `XSRF-TOKEN=${token}; path=/`;
}

beforeEach(async () => {
  setToken('first');
  serveUser();
  await store().refresh();
  stop = watchSession();
});

afterEach(() => stop());

describe('watchSession', () => {
  it.each([
    ['document', 'visibilitychange'],
    ['window', 'focus'],
  ] as const)('detects on %s %s that another tab signed out', async (target, event) => {
    setToken('second');
    serveVisitor();

    globalThis[target].dispatchEvent(new Event(event));

    await vi.waitFor(() => expect(store().session.status).toBe('signedOut'));
  });

  it('fetches the session when another user signed in in another tab', async () => {
    setToken('second');
    serveUser({ id: 'usr_2' });

    window.dispatchEvent(new Event('focus'));

    await vi.waitFor(() => expect(store().session).toMatchObject({ user: { id: 'usr_2' } }));
  });

  it('fetches the identity immediately when another tab announces a new session', async () => {
    const otherTab = new BroadcastChannel('diy-session');
    setToken('second');
    serveVisitor();

    otherTab.postMessage('signedOut');

    await vi.waitFor(() =>
      expect(store().session).toEqual({ status: 'signedOut', error: null, ended: true }),
    );
    otherTab.close();
  });

  it('notifies other tabs when the session changes', async () => {
    const otherTab = new BroadcastChannel('diy-session');
    const messages: unknown[] = [];
    otherTab.addEventListener('message', ({ data }) => messages.push(data));
    serveVisitor();

    await store().refresh();

    await vi.waitFor(() => expect(messages).toContain('signedOut'));
    otherTab.close();
  });

  it('fetches the identity once for a change of the session', async () => {
    const userDetail = vi.fn(() => HttpResponse.json({ detail: null }));
    server.use(http.get('/vc-admin/user/detail', userDetail));

    window.dispatchEvent(new Event('focus'));
    setToken('second');
    window.dispatchEvent(new Event('focus'));
    window.dispatchEvent(new Event('focus'));
    await vi.waitFor(() => expect(store().session.status).toBe('signedOut'));

    expect(userDetail).toHaveBeenCalledOnce();
  });

  it('does not fetch the identity again after the initial token was set', async () => {
    setToken('');
    await store().refresh();
    setToken('first');
    store().setInitialToken();
    const refresh = vi.spyOn(store(), 'refresh');

    window.dispatchEvent(new Event('focus'));

    expect(refresh).not.toHaveBeenCalled();
    expect(store().session).toMatchObject({ token: 'first' });
  });

  it('sends no request after it was stopped', () => {
    const refresh = vi.spyOn(store(), 'refresh');
    stop();
    setToken('second');

    window.dispatchEvent(new Event('focus'));

    expect(refresh).not.toHaveBeenCalled();
  });
});
