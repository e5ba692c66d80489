import { act, cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { deferred } from '@/testing/deferred';
import { fullProvider } from '@/testing/fixtures';
import { errorResponse, serveConfig, serveVisitor } from '@/testing/handlers';
import { stubPasskeys } from '@/testing/passkeys';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import { InlineSignIn } from './InlineSignIn';

const get = vi.fn<(request: CredentialRequestOptions) => Promise<unknown>>();
const submitted: unknown[] = [];
const minute = 60_000;
/** The number of requests for passkeys that the server has received. */
let requested = 0;

/** Gives the browser passkeys. `inFields` is whether it offers them in the email field. */
const providePasskeys = (inFields: boolean | Promise<boolean>) => stubPasskeys({ get }, inFields);

/** A request of the browser that only an abort ends. */
const untilAborted = ({ signal }: CredentialRequestOptions) =>
  new Promise((_, reject) =>
    signal?.addEventListener('abort', () =>
      reject(Object.assign(new Error(), { name: 'AbortError' })),
    ),
  );

/** Whether the request of a call was aborted. */
const isAborted = (call: number) => get.mock.calls[call]?.[0].signal?.aborted;

/** Replaces the clock, and the interval of the form, which `renew` then calls. */
function controlTime() {
  let time = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => time);
  const intervals: (() => void)[] = [];
  const start = window.setInterval;
  vi.spyOn(window, 'setInterval').mockImplementation(((callback: () => void, delay: number) => {
    if (delay !== 4 * minute) return start(callback, delay);
    intervals.push(callback);
    return 0;
  }) as typeof setInterval);
  return {
    advance: (by: number) => {
      time += by;
    },
    renew: () => {
      for (const callback of intervals) callback();
    },
  };
}

function setVisibility(state: DocumentVisibilityState) {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
}

const canceled = () =>
  Promise.reject(Object.assign(new Error('canceled'), { name: 'NotAllowedError' }));
const credential = { toJSON: () => ({ id: 'key' }) };

const renderSignIn = () =>
  renderScreen(() => <InlineSignIn title="Sign in" text="Sign in to see it." />, '/vc-admin/dash');
const passkeyButton = () => screen.findByRole('button', { name: 'Sign in with a passkey' });

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  submitted.length = 0;
  requested = 0;
  get.mockReset();
  serveConfig({ provider: fullProvider });
  serveVisitor();
  server.use(
    http.post('/vc-admin/auth/passkey/options', () => {
      requested += 1;
      const state = requested === 1 ? 'signed' : `signed ${requested}`;
      return HttpResponse.json({ options: { challenge: 'abc' }, state });
    }),
    http.post('/vc-admin/auth/passkey', async ({ request }) => {
      submitted.push(await request.json());
      return HttpResponse.json({});
    }),
  );
});

describe('the sign-in with a passkey', () => {
  it('is not offered by a browser without passkeys', async () => {
    renderSignIn();
    expect(await screen.findByLabelText('Email')).toHaveAttribute('autocomplete', 'username');
    expect(screen.queryByRole('button', { name: 'Sign in with a passkey' })).toBeNull();
  });

  it('is not offered by a server without passkeys', async () => {
    serveConfig({ provider: { ...fullProvider, capabilities: ['password_reset'] } });
    providePasskeys(true);
    renderSignIn();
    await screen.findByRole('link', { name: 'Forgotten password?' });
    expect(screen.queryByRole('button', { name: 'Sign in with a passkey' })).toBeNull();
    expect(get).not.toHaveBeenCalled();
  });

  it('sends the response of the dialog to the server', async () => {
    providePasskeys(false);
    get.mockResolvedValueOnce(credential);
    renderSignIn();
    await userEvent.click(await passkeyButton());
    await vi.waitFor(() =>
      expect(submitted).toEqual([{ state: 'signed', credential: { id: 'key' } }]),
    );
    expect(get.mock.calls[0]?.[0]).toMatchObject({ publicKey: { challenge: 'abc' } });
    expect(get.mock.calls[0]?.[0].mediation).toBeUndefined();
  });

  it('offers passkeys in the email field, and ends this offer before it opens the dialog', async () => {
    providePasskeys(true);
    get.mockImplementationOnce(untilAborted);
    renderSignIn();
    await vi.waitFor(() => expect(get).toHaveBeenCalledTimes(1));
    expect(get.mock.calls[0]?.[0]).toMatchObject({ mediation: 'conditional' });
    expect(screen.getByLabelText('Email')).toHaveAttribute('autocomplete', 'username webauthn');
    get.mockResolvedValueOnce(credential);
    await userEvent.click(await passkeyButton());
    await vi.waitFor(() => expect(submitted).toHaveLength(1));
    expect(get.mock.calls[0]?.[0].signal?.aborted).toBe(true);
  });

  it('shows nothing when the user cancels the dialog', async () => {
    providePasskeys(false);
    get.mockImplementationOnce(canceled);
    renderSignIn();
    await userEvent.click(await passkeyButton());
    await vi.waitFor(() => expect(get).toHaveBeenCalled());
    expect(await passkeyButton()).not.toHaveAttribute('aria-disabled');
    expect(screen.queryByRole('alert')).toBeNull();
    expect(submitted).toEqual([]);
  });

  it('shows that the browser could not use a passkey', async () => {
    providePasskeys(false);
    get.mockRejectedValueOnce(new Error('unsupported'));
    renderSignIn();
    await userEvent.click(await passkeyButton());
    expect(await screen.findByText(/Your browser could not use a passkey/)).toBeVisible();
  });

  it('shows why the server has refused a passkey', async () => {
    providePasskeys(false);
    get.mockResolvedValueOnce(credential);
    server.use(
      http.post('/vc-admin/auth/passkey', () =>
        errorResponse('ERRCREDENTIALS', "This passkey can't be used.", 401),
      ),
    );
    renderSignIn();
    await userEvent.click(await passkeyButton());
    expect(await screen.findByText("This passkey can't be used.")).toBeVisible();
  });

  it('renews the offer only while the form is visible', async () => {
    const time = controlTime();
    providePasskeys(true);
    get.mockImplementation(untilAborted);
    renderSignIn();
    await vi.waitFor(() => expect(get).toHaveBeenCalledTimes(1));
    time.advance(4 * minute);
    time.renew();
    await vi.waitFor(() => expect(get).toHaveBeenCalledTimes(2));

    setVisibility('hidden');
    for (let i = 0; i < 3; i++) {
      time.advance(4 * minute);
      time.renew();
    }
    setVisibility('visible');
    await vi.waitFor(() => expect(get).toHaveBeenCalledTimes(3));
    expect(requested).toBe(3);

    setVisibility('visible');
    get.mockResolvedValueOnce(credential);
    await userEvent.click(await passkeyButton());
    await vi.waitFor(() => expect(submitted).toMatchObject([{ state: 'signed 4' }]));
    expect(requested).toBe(4);
  });

  it('does not end the dialog when the offer is due', async () => {
    const time = controlTime();
    providePasskeys(true);
    get.mockImplementation(untilAborted);
    renderSignIn();
    await vi.waitFor(() => expect(get).toHaveBeenCalledTimes(1));
    const dialog = deferred<unknown>();
    get.mockReturnValueOnce(dialog.promise);
    await userEvent.click(await passkeyButton());
    await vi.waitFor(() => expect(get).toHaveBeenCalledTimes(2));
    time.advance(4 * minute);
    await act(async () => time.renew());
    dialog.resolve(credential);
    await vi.waitFor(() => expect(submitted).toMatchObject([{ state: 'signed 2' }]));
    expect(requested).toBe(2);
    expect(isAborted(1)).toBe(false);
    expect(get).toHaveBeenCalledTimes(2);
  });

  it('does not end the dialog when a slow offer is ready', async () => {
    const offer = deferred<boolean>();
    providePasskeys(offer.promise);
    const dialog = deferred<unknown>();
    get.mockReturnValueOnce(dialog.promise);
    renderSignIn();
    await userEvent.click(await passkeyButton());
    await vi.waitFor(() => expect(get).toHaveBeenCalledTimes(1));
    await act(async () => offer.resolve(true));
    dialog.resolve(credential);
    await vi.waitFor(() => expect(submitted).toMatchObject([{ state: 'signed' }]));
    expect(requested).toBe(1);
    expect(isAborted(0)).toBe(false);
    expect(get).toHaveBeenCalledTimes(1);
  });

  it('starts no request after the form has disappeared', async () => {
    const offer = deferred<boolean>();
    providePasskeys(offer.promise);
    renderSignIn();
    await passkeyButton();
    cleanup();
    await act(async () => offer.resolve(true));

    // The first request is the one of the next form.
    providePasskeys(false);
    get.mockResolvedValueOnce(credential);
    renderSignIn();
    await userEvent.click(await passkeyButton());
    await vi.waitFor(() => expect(submitted).toMatchObject([{ state: 'signed' }]));
    expect(requested).toBe(1);
    expect(get).toHaveBeenCalledTimes(1);
  });

  it('asks again when a passkey was chosen for a request that is too old', async () => {
    const time = controlTime();
    providePasskeys(true);
    const offer = deferred<unknown>();
    get.mockReturnValueOnce(offer.promise);
    renderSignIn();
    await vi.waitFor(() => expect(get).toHaveBeenCalledTimes(1));
    get.mockResolvedValueOnce(credential);
    time.advance(5 * minute);
    offer.resolve(credential);
    await vi.waitFor(() =>
      expect(submitted).toEqual([{ state: 'signed 2', credential: { id: 'key' } }]),
    );
  });
});
