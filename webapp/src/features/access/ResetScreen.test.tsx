import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { fullProvider } from '@/testing/fixtures';
import {
  errorResponse,
  serveCommonPasswords,
  serveConfig,
  servePost,
  serveVisitor,
} from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import ResetScreen from './ResetScreen';

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  serveConfig();
  serveVisitor();
});

const route = '/vc-admin/auth/reset';
const serveReset = (respond: () => Response) => servePost('/vc-admin/auth/password/reset', respond);

/** Types the passwords after the texts that the fields contain, and submits the form. */
async function submit(password: string, repeatedPassword = password) {
  if (password) await userEvent.type(screen.getByLabelText('New password'), password);
  if (repeatedPassword) {
    await userEvent.type(screen.getByLabelText('Confirm new password'), repeatedPassword);
  }
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }));
}

it('sends the new password with the token, and opens the sign-in form', async () => {
  const requests = serveReset(() => HttpResponse.json({ email: 'mara@harbour.example' }));
  const location = renderScreen(ResetScreen, `${route}?token=SECRET&debug=true`);
  await waitFor(() => expect(location.path).toBe(`${route}?debug=true`));
  await submit('Tide-And-Time-8');
  await waitFor(() => expect(location.path).toBe('/vc-admin/dash?debug=true'));
  expect(location.state).toEqual({ email: 'mara@harbour.example', passwordChanged: true });
  expect(requests).toEqual([
    { token: 'SECRET', password: 'Tide-And-Time-8', password_repeat: 'Tide-And-Time-8' },
  ]);
});

it('keeps the token in the URL when the browser refuses to replace the history state', async () => {
  const replaceState = vi.spyOn(history, 'replaceState').mockImplementation(() => {});
  const location = renderScreen(ResetScreen, `${route}?token=SECRET`);

  expect(await screen.findByLabelText('New password')).toBeVisible();
  expect(replaceState).toHaveBeenCalled();
  expect(location.path).toBe(`${route}?token=SECRET`);
});

it('sends no request when the password breaks the policy or differs from the repeated one', async () => {
  const requests = serveReset(() => HttpResponse.json({ email: '' }));
  renderScreen(ResetScreen, `${route}?token=SECRET`);
  await submit('short', '');
  const password = screen.getByLabelText('New password');
  expect(password).toHaveAccessibleDescription(/Password policy not followed/);
  expect(password).toHaveFocus();
  expect(screen.getByLabelText('Confirm new password')).toHaveAccessibleDescription(
    'Confirmation of Password is required',
  );
  await submit('-And-Time-8', 'else');
  expect(screen.getByLabelText('Confirm new password')).toHaveFocus();
  expect(requests).toEqual([]);
});

describe('on a server that refuses passwords that are easy to guess', () => {
  beforeEach(() => {
    serveConfig({ provider: fullProvider });
    serveCommonPasswords('trustno1x');
  });

  it.each([
    ['Trustno1x', 'This password is too common and easily guessed'],
    ['Clinic2024', 'Too easy to guess: contains the word clinic.'],
    ['Vision2024', 'Too easy to guess: contains the name of this product.'],
  ])('says while the user types why %s is refused, and does not send it', async (text, message) => {
    const requests = serveReset(() => HttpResponse.json({ email: '' }));
    renderScreen(ResetScreen, `${route}?token=SECRET`);
    await userEvent.type(await screen.findByLabelText('New password'), text);
    expect(await screen.findByText(message)).toBeVisible();

    await submit('', text);

    const password = screen.getByLabelText('New password');
    expect(password).toHaveAccessibleDescription(new RegExp(`^${message}`));
    expect(password).toHaveFocus();
    expect(screen.getAllByText(message)).toHaveLength(1);
    expect(requests).toEqual([]);
  });
});

it("shows the server's message about the password at its field", async () => {
  const message = 'This password is too common and easily guessed';
  serveReset(() => errorResponse('ERRVALIDATION', message, 400, { password: message }));
  renderScreen(ResetScreen, `${route}?token=SECRET`);
  await submit('Password1');
  const password = screen.getByLabelText('New password');
  await waitFor(() => expect(password).toHaveAccessibleDescription(new RegExp(`^${message}`)));
  expect(password).toHaveFocus();
});

it('shows an alert with the message of a failure that belongs to no field', async () => {
  serveReset(() => errorResponse('ERRRATE', 'That was tried too often.', 429));
  renderScreen(ResetScreen, `${route}?token=SECRET`);
  await submit('Tide-And-Time-8');
  expect(await screen.findByRole('alert')).toHaveTextContent('That was tried too often.');
});

it('offers a new link when the server does not find the current one', async () => {
  serveReset(() => errorResponse('ERRNOTFOUND', 'No.', 404));
  renderScreen(ResetScreen, `${route}?token=USED`);
  await submit('Tide-And-Time-8');
  const heading = await screen.findByRole('heading', { name: 'This link can not be used' });
  await waitFor(() => expect(heading).toHaveFocus());
  expect(screen.getByRole('link', { name: 'Send a new link' })).toHaveAttribute(
    'href',
    '/vc-admin/auth/forgot',
  );
});

it('says that the link can not be used when the URL has no token', async () => {
  renderScreen(ResetScreen, route);
  expect(await screen.findByRole('heading', { name: 'This link can not be used' })).toBeVisible();
});
