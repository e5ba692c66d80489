import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { InvitationStep } from '@/api/members';
import { fullProvider } from '@/testing/fixtures';
import { errorResponse, serveConfig, servePost, serveUser, serveVisitor } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import InvitationScreen from './InvitationScreen';

const route = '/vc-admin/auth/invitation';
const invitation = {
  organisation: 'Riverside Clinic',
  email: 'sam@riverside.example',
  role: 'billing',
  inviter: 'Ada Lee',
};

const ok = () => HttpResponse.json({});
const serveInvitation = (step: InvitationStep) =>
  servePost(`${route}/show`, () => HttpResponse.json({ ...invitation, step }));
const serveAccept = (respond: () => Response = ok) => servePost(`${route}/accept`, respond);

async function openLink(step: InvitationStep) {
  serveConfig({ provider: fullProvider });
  const requests = serveInvitation(step);
  const location = renderScreen(InvitationScreen, `${route}?token=SECRET`);
  await screen.findByRole('heading', { name: 'Join Riverside Clinic' });
  expect(requests).toEqual([{ token: 'SECRET' }]);
  await waitFor(() => expect(location.path).toBe(route));
  return location;
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  serveVisitor();
});

describe('a new user', () => {
  async function register(password: string) {
    await userEvent.type(screen.getByLabelText('First name'), 'Sam');
    await userEvent.type(screen.getByLabelText('Last name'), 'Roe');
    await userEvent.type(screen.getByLabelText('Password'), password);
    await press('Join');
  }

  it('joins with names and a password, and nothing is sent before', async () => {
    const requests = serveAccept(() => {
      serveUser();
      return ok();
    });
    const location = await openLink('register');
    const laterLookUps = serveInvitation('register');
    expect(
      screen.getByText('Riverside Clinic invites sam@riverside.example as Billing.'),
    ).toBeVisible();
    expect(requests).toEqual([]);
    await register('Low-And-Tide-8');

    await waitFor(() => expect(location.path).toBe('/vc-admin/dash'));
    const person = { firstName: 'Sam', lastName: 'Roe', password: 'Low-And-Tide-8' };
    expect(requests).toEqual([{ token: 'SECRET', ...person }]);
    expect(laterLookUps).toEqual([]);
  });

  it('sees which fields are missing, and that the name of the clinic is easy to guess', async () => {
    const requests = serveAccept();
    await openLink('register');
    await press('Join');
    expect(screen.getByLabelText('First name')).toHaveFocus();
    await register('Riverside-77');

    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription(/Too easy to guess/);
    expect(requests).toEqual([]);
  });

  it('sees that the link was revoked meanwhile', async () => {
    serveAccept(() => errorResponse('ERRNOTFOUND', 'No.', 404));
    await openLink('register');
    await register('Low-And-Tide-8');

    expect(await screen.findByText('Ask for a new invitation.')).toBeVisible();
  });
});

it('lets a signed-in user join with the button', async () => {
  serveUser({ email: invitation.email });
  const requests = serveAccept();
  const location = await openLink('join');
  expect(requests).toEqual([]);
  await press('Join');

  await waitFor(() => expect(location.path).toBe('/vc-admin/dash'));
  expect(requests).toEqual([{ token: 'SECRET' }]);
});

it('lets a member switch to the organisation', async () => {
  serveUser({ email: invitation.email });
  const requests = serveAccept();
  const location = await openLink('switch');
  await press('Go to Riverside Clinic');

  await waitFor(() => expect(location.path).toBe('/vc-admin/dash'));
  expect(requests).toEqual([{ token: 'SECRET' }]);
});

it('keeps the invitation when the organisation is full', async () => {
  serveUser({ email: invitation.email });
  const message = 'An organisation can have at most 50 members.';
  serveAccept(() => errorResponse('ERRCONFLICT', message, 409));
  await openLink('join');
  await press('Join');

  expect(await screen.findByText(message)).toBeVisible();
});

it('lets a user with an account sign in and then join', async () => {
  await openLink('sign_in');
  expect(screen.getByLabelText('Email')).toHaveValue(invitation.email);
  server.use(
    http.post('/auth/login', () => {
      serveUser({ email: invitation.email });
      serveInvitation('join');
      return ok();
    }),
  );
  await userEvent.type(screen.getByLabelText('Password'), 'Tide-And-Time-7{Enter}');

  expect(await screen.findByRole('button', { name: 'Join' })).toBeVisible();
});

it('lets a user with another account sign out and continue', async () => {
  serveUser();
  server.use(
    http.get('/vc-admin/auth/logout', () => {
      serveVisitor();
      serveInvitation('register');
      return ok();
    }),
  );
  await openLink('sign_out');
  expect(
    screen.getByText(
      'You are signed in as ada@clinic.example. This invitation is for sam@riverside.example.',
    ),
  ).toBeVisible();
  await press('Sign out and continue');

  expect(await screen.findByLabelText('First name')).toBeVisible();
});

it('says that the link no longer works', async () => {
  serveConfig({ provider: fullProvider });
  servePost(`${route}/show`, () => errorResponse('ERRNOTFOUND', 'No.', 404));
  renderScreen(InvitationScreen, `${route}?token=SECRET`);

  expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  expect(screen.getByText('Ask for a new invitation.')).toBeVisible();
});
