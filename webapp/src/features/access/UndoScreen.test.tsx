import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { aConfig } from '@/testing/fixtures';
import { errorResponse, serveConfig, servePost, serveVisitor } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import UndoScreen from './UndoScreen';

const route = '/vc-admin/auth/undo';

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  serveConfig();
  serveVisitor();
  servePost(`${route}/show`, () => HttpResponse.json({ email: 'mara@harbour.example' }));
});

async function submit(password: string) {
  await userEvent.type(await screen.findByLabelText('New password'), password);
  await userEvent.type(screen.getByLabelText('Confirm new password'), password);
  await userEvent.click(screen.getByRole('button', { name: 'Undo and change password' }));
}

it('shows the address, sends the new password with the token, and opens the sign-in form', async () => {
  const requests = servePost(`${route}/confirm`, () =>
    HttpResponse.json({ email: 'mara@harbour.example' }),
  );
  const location = renderScreen(UndoScreen, `${route}?token=SECRET`);
  expect(await screen.findByText('mara@harbour.example')).toBeVisible();
  expect(location.path).toBe(route);
  expect(requests).toEqual([]);
  await submit('Tide-And-Time-8');

  await waitFor(() => expect(location.path).toBe('/vc-admin/dash'));
  expect(location.state).toEqual({ email: 'mara@harbour.example', passwordChanged: true });
  expect(requests).toEqual([
    { token: 'SECRET', password: 'Tide-And-Time-8', password_repeat: 'Tide-And-Time-8' },
  ]);
});

it('says that the link is unknown or too old when it was used meanwhile', async () => {
  servePost(`${route}/confirm`, () => errorResponse('ERRNOTFOUND', 'No.', 404));
  renderScreen(UndoScreen, `${route}?token=USED`);
  await submit('Tide-And-Time-8');
  const heading = await screen.findByRole('heading', { name: 'This link is unknown or too old' });
  await waitFor(() => expect(heading).toHaveFocus());
  expect(screen.getByRole('link', { name: aConfig().contact.email })).toBeVisible();
});

it("shows the server's message about the password at its field", async () => {
  const message = "Too easy to guess: contains your clinic's name.";
  servePost(`${route}/confirm`, () =>
    errorResponse('ERRVALIDATION', message, 400, { password: message }),
  );
  renderScreen(UndoScreen, `${route}?token=SECRET`);
  await submit('Harbour-Tide-8');
  const password = screen.getByLabelText('New password');
  await waitFor(() => expect(password).toHaveAccessibleDescription(new RegExp(`^${message}`)));
  expect(password).toHaveFocus();
});
