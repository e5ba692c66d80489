import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { messageOf } from '@/lib/failure-message';
import { errorResponse, serveConfig, servePost, serveUser, serveVisitor } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import ConfirmEmailScreen from './ConfirmEmailScreen';

const route = '/vc-admin/auth/email';
const change = { email: 'mara@new.example', account: 'm…@harbour.example', signedIn: true };

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  serveConfig();
});

function openLink(content: Partial<typeof change> = {}) {
  const requests = servePost(`${route}/show`, () => HttpResponse.json({ ...change, ...content }));
  const location = renderScreen(ConfirmEmailScreen, `${route}?token=SECRET`);
  return { requests, location };
}

it('confirms the address when the button is pressed, and not before', async () => {
  serveUser();
  const confirmations = servePost(`${route}/confirm`, () =>
    HttpResponse.json({ email: change.email }),
  );
  const { requests, location } = openLink();
  const button = await screen.findByRole('button', { name: 'Confirm this address' });
  expect(requests).toEqual([{ token: 'SECRET' }]);
  expect(location.path).toBe(route);
  expect(confirmations).toEqual([]);
  await userEvent.click(button);

  const heading = await screen.findByRole('heading', { name: 'Your new email is confirmed' });
  await waitFor(() => expect(heading).toHaveFocus());
  expect(confirmations).toEqual([{ token: 'SECRET' }]);
});

it('asks a visitor to sign in to the account of the link, and then shows the button', async () => {
  serveVisitor();
  openLink({ signedIn: false });
  expect(await screen.findByText('m…@harbour.example')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Confirm this address' })).not.toBeInTheDocument();

  servePost('/auth/login', () => {
    serveUser();
    servePost(`${route}/show`, () => HttpResponse.json(change));
    return HttpResponse.json({});
  });
  await userEvent.type(screen.getByLabelText('Email'), 'ada@clinic.example');
  await userEvent.type(screen.getByLabelText('Password'), 'Tide-And-Time-7');
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }));

  expect(await screen.findByRole('button', { name: 'Confirm this address' })).toBeVisible();
});

it('says to another user who must sign in', async () => {
  serveUser();
  openLink({ signedIn: false });
  expect(await screen.findByText('ada@clinic.example')).toBeVisible();
  expect(screen.getByText('m…@harbour.example')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Confirm this address' })).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Sign out and continue' })).toBeVisible();
});

it('says that the other user could not be signed out', async () => {
  serveUser();
  server.use(
    http.get('/vc-admin/auth/logout', () => errorResponse('ERRINTERNAL', 'No luck.', 500)),
  );
  openLink({ signedIn: false });
  const button = await screen.findByRole('button', { name: 'Sign out and continue' });
  await userEvent.click(button);

  expect(await screen.findByText(messageOf(null))).toBeVisible();
  expect(button).toBeEnabled();
});

it('says that the link is unknown or too old when the server does not find it', async () => {
  serveUser();
  servePost(`${route}/show`, () => errorResponse('ERRNOTFOUND', 'No.', 404));
  renderScreen(ConfirmEmailScreen, `${route}?token=OLD`);
  expect(
    await screen.findByRole('heading', { name: 'This link is unknown or too old' }),
  ).toBeVisible();
  expect(screen.getByRole('link', { name: 'Go to your account' })).toHaveAttribute(
    'href',
    '/vc-admin/diy/account',
  );
});

it("shows the server's message and keeps the button when the confirmation fails", async () => {
  serveUser();
  openLink();
  servePost(`${route}/confirm`, () => errorResponse('ERRNOTFOUND', 'This link is unknown.', 404));
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm this address' }));
  expect(await screen.findByText('This link is unknown.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Confirm this address' })).toBeEnabled();
});
