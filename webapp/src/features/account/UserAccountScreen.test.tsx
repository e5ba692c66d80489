import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { UserAccount } from '@/api';
import { deferred } from '@/testing/deferred';
import { fullProvider } from '@/testing/fixtures';
import { errorResponse, serveConfig, servePost, serveUser, serveVisitor } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import { signInAgain } from '@/testing/sign-in-again';
import { aSession, serveUserAccount } from './testing';
import UserAccountScreen from './UserAccountScreen';

const section = (name: string) => within(screen.getByRole('region', { name }));
const ok = () => HttpResponse.json({});

async function openAccountScreen(account: Partial<UserAccount> = {}) {
  serveConfig({ provider: fullProvider });
  serveUser();
  serveUserAccount(account);
  renderScreen(UserAccountScreen, '/vc-admin/diy/account');
  await screen.findByRole('region', { name: 'Profile' });
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

/** Signs in with the dialog "Confirm it's you" and returns the requests. */
async function confirmIdentity() {
  const dialog = await screen.findByRole('dialog', { name: "Confirm it's you" });
  const requests = servePost('/auth/login', ok);
  await userEvent.type(within(dialog).getByLabelText('Password'), 'Tide-And-Time-7');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Sign In' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  return requests;
}

describe('Profile', () => {
  it('saves names and phone number', async () => {
    const requests = servePost('/vc-admin/user/edit', ok);
    await openAccountScreen();
    const profile = section('Profile');
    await userEvent.clear(profile.getByLabelText('First name'));
    await userEvent.type(profile.getByLabelText('First name'), 'Grace');
    await userEvent.clear(profile.getByLabelText(/^Phone no\./));
    await userEvent.click(profile.getByRole('button', { name: 'Save' }));

    expect(await profile.findByText('Saved')).toBeVisible();
    expect(requests).toEqual([{ firstName: 'Grace', lastName: 'Lindqvist', phone: '' }]);
  });

  it('sends the profile once, even if the user types meanwhile', async () => {
    const response = deferred<Response>();
    const requests = servePost('/vc-admin/user/edit', () => response.promise);
    await openAccountScreen();
    const profile = section('Profile');
    await userEvent.click(profile.getByRole('button', { name: 'Save' }));
    await userEvent.type(profile.getByLabelText('First name'), 'x{Enter}');

    expect(profile.getByRole('button', { name: 'Saving...' })).toHaveAttribute('aria-busy', 'true');
    response.resolve(ok());
    expect(await profile.findByText('Saved')).toBeVisible();
    expect(requests).toHaveLength(1);
  });

  it('sends no invalid names and focuses the first one', async () => {
    const requests = servePost('/vc-admin/user/edit', ok);
    await openAccountScreen();
    const profile = section('Profile');
    await userEvent.clear(profile.getByLabelText('Last name'));
    await userEvent.type(profile.getByLabelText(/^Phone no\./), 'x');
    await userEvent.click(profile.getByRole('button', { name: 'Save' }));

    expect(profile.getByLabelText('Last name')).toHaveAccessibleDescription(
      'Last name is required',
    );
    expect(profile.getByLabelText('Last name')).toHaveFocus();
    expect(profile.getByLabelText(/^Phone no\./)).toHaveAccessibleDescription(
      'Invalid contact details',
    );
    expect(requests).toEqual([]);
  });
});

describe('Password', () => {
  const path = '/vc-admin/user/password';

  async function change(current: string, password: string, repeat = password) {
    const form = section('Password');
    await userEvent.type(form.getByLabelText('Current password'), current);
    await userEvent.type(form.getByLabelText('New password'), password);
    await userEvent.type(form.getByLabelText('Confirm new password'), repeat);
    await userEvent.click(form.getByRole('button', { name: 'Change password' }));
    return form;
  }

  it('changes the password and empties the form', async () => {
    const requests = servePost(path, ok);
    await openAccountScreen();
    const form = await change('Tide-And-Time-7', 'Low-And-Tide-8');

    expect(await form.findByText('Your password is changed')).toBeVisible();
    expect(requests).toEqual([
      { current: 'Tide-And-Time-7', password: 'Low-And-Tide-8', password_repeat: 'Low-And-Tide-8' },
    ]);
    expect(form.getByLabelText('Current password')).toHaveValue('');
    expect(form.getByLabelText('New password')).toHaveValue('');
  });

  it('refuses a password with a name of the user', async () => {
    const requests = servePost(path, ok);
    await openAccountScreen();
    const form = await change('Tide-And-Time-7', 'Lindqvist-77');

    expect(form.getByLabelText('New password')).toHaveAccessibleDescription(
      /^Too easy to guess: contains your name\./,
    );
    expect(requests).toEqual([]);
  });

  it("shows the server's message at the current password", async () => {
    const message = 'This is not your current password';
    servePost(path, () => errorResponse('ERRVALIDATION', message, 400, { current: message }));
    await openAccountScreen();
    const form = await change('Wrong-Horse-7', 'Low-And-Tide-8');

    const field = form.getByLabelText('Current password');
    await waitFor(() => expect(field).toHaveAccessibleDescription(message));
    expect(field).toHaveFocus();
    expect(form.getByLabelText('New password')).toHaveValue('Low-And-Tide-8');
  });

  it('asks for the sign-in if the server needs it, and then repeats the call with the entered values', async () => {
    const responses = [
      () => errorResponse('ERRREAUTHENTICATE', 'Please confirm that it is you.', 403),
      ok,
    ];
    const requests = servePost(path, () => (responses.shift() ?? ok)());
    await openAccountScreen();
    const form = await change('Tide-And-Time-7', 'Low-And-Tide-8');
    const signIns = await confirmIdentity();

    expect(await form.findByText('Your password is changed')).toBeVisible();
    expect(signIns).toEqual([{ username: 'ada@clinic.example', password: 'Tide-And-Time-7' }]);
    expect(requests).toHaveLength(2);
    expect(requests[1]).toEqual(requests[0]);
  });

  it('keeps the form when the user cancels the sign-in', async () => {
    const requests = servePost(path, () =>
      errorResponse('ERRREAUTHENTICATE', 'Please confirm that it is you.', 403),
    );
    await openAccountScreen();
    const form = await change('Tide-And-Time-7', 'Low-And-Tide-8');
    const dialog = await screen.findByRole('dialog', { name: "Confirm it's you" });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));

    expect(await form.findByText('Please confirm that it is you.')).toBeVisible();
    expect(form.getByLabelText('New password')).toHaveValue('Low-And-Tide-8');
    expect(requests).toHaveLength(1);
  });
});

describe('Sessions', () => {
  const sessions = [
    aSession(),
    aSession({ id: 'ses_2', device: 'Safari on iPhone', current: false }),
    aSession({ id: 'ses_3', device: '', current: false }),
  ];

  it('lists the sessions and marks the one of this device', async () => {
    await openAccountScreen({ sessions });
    const [current, phone, unknown] = section('Sessions').getAllByRole('listitem');

    expect(current).toHaveTextContent('Chrome on WindowsThis device');
    expect(within(current as HTMLElement).queryByRole('button')).not.toBeInTheDocument();
    expect(phone).toHaveTextContent(/Safari on iPhone.*Last used November 21, 2026/);
    expect(unknown).toHaveTextContent('Unknown browser');
  });

  it('ends one session, and then all others', async () => {
    const requests = servePost('/vc-admin/user/sessions/end', ok);
    await openAccountScreen({ sessions });
    const list = section('Sessions');
    serveUserAccount({ sessions: sessions.slice(0, 2) });
    await userEvent.click(list.getByRole('button', { name: /^Sign out Unknown browser/ }));
    await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(2));
    expect(list.getByText('Signed out')).toBeVisible();
    expect(list.getByRole('heading')).toHaveFocus();

    serveUserAccount({ sessions: sessions.slice(0, 1) });
    await userEvent.click(list.getByRole('button', { name: 'Sign out everywhere else' }));
    await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(1));

    expect(requests).toEqual([{ id: 'ses_3' }, { others: true }]);
    expect(list.queryByRole('button')).not.toBeInTheDocument();
    await waitFor(() => expect(list.getByRole('heading')).toHaveFocus());
  });
});

describe('after the session has ended', () => {
  const click = (name: string) => userEvent.click(screen.getByRole('button', { name }));
  const renewed = 'Your session was renewed. Please try again.';

  async function confirmNewCodes() {
    servePost('/vc-admin/user/two-step/start', () =>
      HttpResponse.json({ codes: ['CCCCDDDD'], state: 'signed' }),
    );
    await click('New recovery codes');
    await userEvent.click(await screen.findByRole('checkbox', { name: 'I saved these codes' }));
    await click('Replace the codes');
  }

  async function turnOff() {
    await click('Turn off');
    await click('Turn off');
  }

  async function rename() {
    await click('Rename Laptop');
    await userEvent.type(screen.getByLabelText('Name'), '{Enter}');
  }

  it.each([
    ['turn two-step verification off', '/two-step/off', turnOff, renewed],
    [
      'set two-step verification up',
      '/two-step/start',
      () => click('New recovery codes'),
      'The setup could not be started.',
    ],
    ['replace the recovery codes', '/two-step/confirm', confirmNewCodes, renewed],
    ['change a passkey', '/passkeys/edit', rename, renewed],
  ])('asks a user who wants to %s to sign in', async (_, path, act, message) => {
    const createdAt = '2026-11-20T00:00:00Z';
    await openAccountScreen({
      twoStep: { since: createdAt, recoveryCodes: 9 },
      passkeys: [{ id: 'auth_1', name: 'Laptop', createdAt, lastUsedAt: null }],
    });
    await screen.findByText('Laptop');
    servePost(`/vc-admin/user${path}`, () => {
      serveVisitor();
      return errorResponse('ERRUNAUTHENTICATED', 'Please sign in first.', 401);
    });
    await act();
    expect(await screen.findByRole('heading', { name: 'Your session has ended' })).toBeVisible();
    await signInAgain(serveUser);

    await waitFor(() => expect(screen.getByText(message)).toBeVisible());
    expect(screen.queryByText('Please sign in first.')).not.toBeInTheDocument();
  });
});

it('offers to load the account again after a failure', async () => {
  serveConfig({ provider: fullProvider });
  serveUser();
  server.use(http.get('/vc-admin/user/account', () => errorResponse('ERRINTERNAL', 'No.', 500)));
  renderScreen(UserAccountScreen, '/vc-admin/diy/account');
  const tryAgain = await screen.findByRole('button', { name: 'Try again' });
  expect(screen.getByText('Your account could not be loaded.')).toBeVisible();
  serveUserAccount();
  await userEvent.click(tryAgain);

  expect(await screen.findByRole('region', { name: 'Password' })).toBeVisible();
});

describe('Two-step verification', () => {
  it('suggests that owners invite colleagues', async () => {
    await openAccountScreen();
    expect(await screen.findByRole('link', { name: 'Invite colleagues instead.' })).toHaveAttribute(
      'href',
      '/vc-admin/diy/members',
    );
  });

  it('suggests no invitations to members', async () => {
    serveConfig({ provider: fullProvider });
    serveUser({ role: 'member' });
    serveUserAccount({});
    renderScreen(UserAccountScreen, '/vc-admin/diy/account');
    expect(await screen.findByRole('button', { name: /^Turn on two-step/ })).toBeVisible();
    expect(screen.queryByText(/Do you share this sign-in/)).toBeNull();
  });
});
