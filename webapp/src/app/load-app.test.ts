import { onTestFinished } from 'vitest';
import { useSessionStore } from '@/modules/session/session-store';
import { serveConfig, serveUser, serveVisitor } from '@/testing/handlers';
import { loadApp } from './load-app';

const session = () => useSessionStore.getState().session;

describe('loadApp', () => {
  it('notifies other tabs of the first session', async () => {
    const otherTab = new BroadcastChannel('diy-session');
    onTestFinished(() => otherTab.close());
    const messages: unknown[] = [];
    otherTab.addEventListener('message', ({ data }) => messages.push(data));
    serveConfig();
    serveVisitor();

    onTestFinished(loadApp());

    await vi.waitFor(() => expect(messages).toEqual(['signedOut']));
  });

  it('fetches the session again when it changes in another tab', async () => {
    serveConfig();
    serveUser();
    onTestFinished(loadApp());
    await vi.waitFor(() => expect(session().status).toBe('signedIn'));
    // biome-ignore lint/suspicious/noDocumentCookie: sets the cookie as the server does
    document.cookie = 'XSRF-TOKEN=second; path=/';
    serveVisitor();

    window.dispatchEvent(new Event('focus'));

    await vi.waitFor(() => expect(session().status).toBe('signedOut'));
  });
});
