import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { serveConfig, serveVisitor } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import PasskeysSection from './PasskeysSection';
import { TwoStepSection } from './TwoStepSection';

const reload = vi.fn(async () => {});
const submitted: unknown[] = [];

const setup = {
  secret: 'ABCDEFGH',
  qr: ['101', '010', '111'],
  codes: ['AAAABBBB'],
  state: 'signed',
};

/** Responds to a POST and records its body. */
function serve(path: string, respond: () => Response = () => HttpResponse.json({})) {
  server.use(
    http.post(path, async ({ request }) => {
      submitted.push(await request.json());
      return respond();
    }),
  );
}

const renderTwoStep = (recoveryCodes?: number) =>
  renderScreen(
    () => (
      <TwoStepSection
        twoStep={
          recoveryCodes === undefined ? null : { since: '2026-11-20T00:00:00Z', recoveryCodes }
        }
        reload={reload}
      />
    ),
    '/vc-admin/diy/account',
  );

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  serveConfig();
  serveVisitor();
  submitted.length = 0;
  reload.mockClear();
});

describe('two-step verification', () => {
  it('names no colleagues, whom an organisation can not invite', async () => {
    renderTwoStep();
    expect(await screen.findByText(/needs a code from an app on your phone/)).toBeVisible();
    expect(screen.queryByText(/colleagues/)).toBeNull();
  });

  it('is turned on with a code, after the recovery codes were saved', async () => {
    serve('/vc-admin/user/two-step/start', () => HttpResponse.json(setup));
    renderTwoStep();
    await userEvent.click(await screen.findByRole('button', { name: /Turn on two-step/ }));
    expect(await screen.findByRole('img', { name: /QR code/ })).toBeVisible();
    expect(screen.getByText('ABCD-EFGH')).toBeVisible();
    expect(screen.getByText('AAAA-BBBB')).toBeVisible();
    const button = screen.getByRole('button', { name: 'Turn on' });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(screen.getByRole('checkbox', { name: 'I saved these codes' }));

    serve('/vc-admin/user/two-step/confirm', () =>
      HttpResponse.json(
        { name: 'ERRVALIDATION', message: 'Invalid', fields: { code: 'The code is not right.' } },
        { status: 400 },
      ),
    );
    await userEvent.click(button);
    expect(screen.getByLabelText('Code')).toHaveAccessibleDescription(/Code is required/);
    await userEvent.type(screen.getByLabelText('Code'), '000000{Enter}');
    expect(await screen.findByText('The code is not right.')).toBeVisible();

    serve('/vc-admin/user/two-step/confirm');
    await userEvent.clear(screen.getByLabelText('Code'));
    await userEvent.type(screen.getByLabelText('Code'), '123456{Enter}');
    expect(await screen.findByText(/Two-step verification is on/)).toBeVisible();
    expect(submitted.at(-1)).toEqual({ state: 'signed', code: '123456' });
    expect(reload).toHaveBeenCalled();
  });

  it('replaces the recovery codes without a code', async () => {
    serve('/vc-admin/user/two-step/start', () =>
      HttpResponse.json({ codes: ['CCCCDDDD'], state: 'signed' }),
    );
    serve('/vc-admin/user/two-step/confirm');
    renderTwoStep(1);
    expect(await screen.findByText(/You have 1 recovery code left/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'New recovery codes' }));
    await userEvent.click(await screen.findByRole('checkbox', { name: 'I saved these codes' }));
    expect(screen.queryByLabelText('Code')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Replace the codes' }));
    expect(await screen.findByText(/new recovery codes replace/)).toBeVisible();
  });

  it('is turned off after a confirmation', async () => {
    serve('/vc-admin/user/two-step/off');
    renderTwoStep(9);
    await userEvent.click(await screen.findByRole('button', { name: 'Turn off' }));
    expect(submitted).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Turn off' }));
    expect(await screen.findByText('Two-step verification is off.')).toBeVisible();
  });
});

describe('passkeys', () => {
  const create = vi.fn<() => Promise<unknown>>();
  const passkey = {
    id: 'auth_1',
    name: 'Laptop',
    createdAt: '2026-11-20T00:00:00Z',
    lastUsedAt: null,
  };

  const renderPasskeys = () =>
    renderScreen(
      () => <PasskeysSection passkeys={[passkey]} device="Chrome on Windows" reload={reload} />,
      '/vc-admin/diy/account',
    );

  beforeEach(() => {
    create.mockReset();
    const api = {
      parseRequestOptionsFromJSON: vi.fn(),
      parseCreationOptionsFromJSON: (o: unknown) => o,
    };
    vi.stubGlobal(
      'PublicKeyCredential',
      Object.assign(() => {}, api),
    );
    Object.defineProperty(navigator, 'credentials', { configurable: true, value: { create } });
    serve('/vc-admin/user/passkeys/options', () =>
      HttpResponse.json({ options: {}, state: 'signed' }),
    );
  });

  afterEach(() => {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(navigator, 'credentials');
  });

  it('are added with the name of the device', async () => {
    create.mockResolvedValueOnce({ toJSON: () => ({ id: 'key' }) });
    serve('/vc-admin/user/passkeys/add');
    renderPasskeys();
    await userEvent.click(await screen.findByRole('button', { name: 'Add a passkey' }));
    expect(await screen.findByText('The passkey was added.')).toBeVisible();
    expect(submitted.at(-1)).toEqual({
      state: 'signed',
      credential: { id: 'key' },
      name: 'Chrome on Windows',
    });
  });

  it('are not added twice', async () => {
    create.mockRejectedValueOnce(Object.assign(new Error(), { name: 'InvalidStateError' }));
    renderPasskeys();
    await userEvent.click(await screen.findByRole('button', { name: 'Add a passkey' }));
    expect(await screen.findByText(/has a passkey for your account already/)).toBeVisible();
  });

  it('are renamed and removed', async () => {
    serve('/vc-admin/user/passkeys/edit');
    serve('/vc-admin/user/passkeys/del');
    renderPasskeys();
    const row = within(await screen.findByRole('listitem'));
    await userEvent.click(row.getByRole('button', { name: 'Rename Laptop' }));
    await userEvent.clear(row.getByLabelText('Name'));
    await userEvent.type(row.getByLabelText('Name'), 'Phone{Enter}');
    await screen.findByText('The name was changed.');
    expect(submitted.at(-1)).toEqual({ id: 'auth_1', name: 'Phone' });

    await userEvent.click(row.getByRole('button', { name: 'Remove Laptop' }));
    await userEvent.click(row.getByRole('button', { name: 'Remove this passkey' }));
    await screen.findByText(/The passkey “Laptop” was removed/);
    expect(submitted.at(-1)).toEqual({ id: 'auth_1' });
  });
});
