import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { fullProvider } from '@/testing/fixtures';
import { serveConfig, serveVisitor } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import { InlineSignIn } from './InlineSignIn';

const get = vi.fn<(request: CredentialRequestOptions) => Promise<unknown>>();
const submitted: unknown[] = [];

/** Gives the browser passkeys. `inFields` is whether it offers them in the email field. */
function providePasskeys(inFields: boolean) {
  const PublicKeyCredential = Object.assign(() => {}, {
    parseRequestOptionsFromJSON: (options: unknown) => options,
    isConditionalMediationAvailable: async () => inFields,
  });
  vi.stubGlobal('PublicKeyCredential', PublicKeyCredential);
  Object.defineProperty(navigator, 'credentials', {
    configurable: true,
    value: { get, create: vi.fn() },
  });
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
  get.mockReset();
  serveConfig({ provider: fullProvider });
  serveVisitor();
  server.use(
    http.post('/vc-admin/auth/passkey/options', () =>
      HttpResponse.json({ options: { challenge: 'abc' }, state: 'signed' }),
    ),
    http.post('/vc-admin/auth/passkey', async ({ request }) => {
      submitted.push(await request.json());
      return HttpResponse.json({});
    }),
  );
});

afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'credentials');
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
    get.mockImplementationOnce(
      ({ signal }) =>
        new Promise((_, reject) =>
          signal?.addEventListener('abort', () =>
            reject(Object.assign(new Error(), { name: 'AbortError' })),
          ),
        ),
    );
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
        HttpResponse.json(
          { name: 'ERRCREDENTIALS', message: "This passkey can't be used." },
          { status: 401 },
        ),
      ),
    );
    renderSignIn();
    await userEvent.click(await passkeyButton());
    expect(await screen.findByText("This passkey can't be used.")).toBeVisible();
  });
});
