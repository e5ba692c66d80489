import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { serveConfig, servePost, serveVisitor } from '@/testing/handlers';
import { stubPasskeys } from '@/testing/passkeys';
import { renderScreen } from '@/testing/render-screen';
import PasskeysSection from './PasskeysSection';

const reload = vi.fn(async () => {});
const ok = () => HttpResponse.json({});

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  serveConfig();
  serveVisitor();
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
    stubPasskeys({ create });
    servePost('/vc-admin/user/passkeys/options', () =>
      HttpResponse.json({ options: {}, state: 'signed' }),
    );
  });

  it('are added with the name of the device', async () => {
    create.mockResolvedValueOnce({ toJSON: () => ({ id: 'key' }) });
    const requests = servePost('/vc-admin/user/passkeys/add', ok);
    renderPasskeys();
    await userEvent.click(await screen.findByRole('button', { name: 'Add a passkey' }));
    expect(await screen.findByText('The passkey was added.')).toBeVisible();
    expect(requests).toEqual([
      { state: 'signed', credential: { id: 'key' }, name: 'Chrome on Windows' },
    ]);
  });

  it('are not added twice', async () => {
    create.mockRejectedValueOnce(Object.assign(new Error(), { name: 'InvalidStateError' }));
    renderPasskeys();
    await userEvent.click(await screen.findByRole('button', { name: 'Add a passkey' }));
    expect(await screen.findByText(/already has a passkey for your account/)).toBeVisible();
  });

  it('show a message of the app after a failure of the browser', async () => {
    create.mockRejectedValueOnce(new DOMException('The RP ID "x" is invalid.', 'SecurityError'));
    renderPasskeys();
    await userEvent.click(await screen.findByRole('button', { name: 'Add a passkey' }));
    expect(await screen.findByText('Your browser could not create a passkey.')).toBeVisible();
  });

  it('are renamed and removed', async () => {
    const edits = servePost('/vc-admin/user/passkeys/edit', ok);
    const removals = servePost('/vc-admin/user/passkeys/del', ok);
    renderPasskeys();
    const row = within(await screen.findByRole('listitem'));
    await userEvent.click(row.getByRole('button', { name: 'Rename Laptop' }));
    await userEvent.clear(row.getByLabelText('Name'));
    await userEvent.type(row.getByLabelText('Name'), 'Phone{Enter}');
    await screen.findByText('The name was changed.');
    expect(edits).toEqual([{ id: 'auth_1', name: 'Phone' }]);
    expect(row.getByRole('button', { name: 'Rename Laptop' })).toHaveFocus();

    await userEvent.click(row.getByRole('button', { name: 'Remove Laptop' }));
    await userEvent.click(row.getByRole('button', { name: 'Remove this passkey' }));
    await screen.findByText(/The passkey “Laptop” was removed/);
    expect(removals).toEqual([{ id: 'auth_1' }]);
    expect(screen.getByRole('button', { name: 'Add a passkey' })).toHaveFocus();
  });

  it('keep their names when a change is cancelled', async () => {
    renderPasskeys();
    const row = within(await screen.findByRole('listitem'));
    await userEvent.click(row.getByRole('button', { name: 'Rename Laptop' }));
    await userEvent.type(row.getByLabelText('Name'), ' of Mara');
    await userEvent.click(row.getByRole('button', { name: 'Cancel' }));
    expect(row.getByRole('button', { name: 'Rename Laptop' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    expect(row.getByLabelText('Name')).toHaveValue('Laptop');
    await userEvent.click(row.getByRole('button', { name: 'Cancel' }));

    await userEvent.click(row.getByRole('button', { name: 'Remove Laptop' }));
    const keepButton = row.getByRole('button', { name: 'Keep it' });
    expect(keepButton).toHaveFocus();
    expect(keepButton).toHaveAccessibleDescription('Remove the passkey “Laptop”?');
    await userEvent.keyboard('{Enter}');
    expect(row.getByRole('button', { name: 'Remove Laptop' })).toHaveFocus();
  });

  it('move the focus to the heading when the last one is removed in a browser without passkeys', async () => {
    vi.stubGlobal('PublicKeyCredential', undefined);
    servePost('/vc-admin/user/passkeys/del', ok);
    renderPasskeys();
    const row = within(await screen.findByRole('listitem'));
    await userEvent.click(row.getByRole('button', { name: 'Remove Laptop' }));
    await userEvent.click(row.getByRole('button', { name: 'Remove this passkey' }));
    await screen.findByText(/The passkey “Laptop” was removed/);
    expect(screen.getByRole('heading', { name: 'Passkeys' })).toHaveFocus();
  });
});
