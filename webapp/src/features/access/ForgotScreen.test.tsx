import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { errorResponse, serveConfig, servePost, serveVisitor } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import ForgotScreen from './ForgotScreen';

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  serveConfig();
  serveVisitor();
});

const route = '/vc-admin/auth/forgot';
const serveForgot = (respond: () => Response) =>
  servePost('/vc-admin/auth/password/forgot', respond);
const pressSend = () => userEvent.click(screen.getByRole('button', { name: 'Send the link' }));

it('sends the address from the previous screen, and does not reveal whether it has an account', async () => {
  const requests = serveForgot(() => HttpResponse.json({}, { status: 202 }));
  const location = renderScreen(ForgotScreen, {
    pathname: route,
    state: { email: 'Mara@Harbour.Example' },
  });
  expect(screen.getByLabelText('Email')).toHaveValue('Mara@Harbour.Example');
  await pressSend();
  expect(await screen.findByRole('status')).toHaveTextContent(
    'If there is an account with mara@harbour.example, a link is on its way.',
  );
  expect(requests).toEqual([{ email: 'mara@harbour.example' }]);
  await userEvent.click(screen.getByRole('link', { name: 'Back to sign in' }));
  expect(location.path).toBe('/vc-admin/dash');
});

it.each([
  ['', 'email is required'],
  ['mara@', 'Invalid email address!'],
])(
  'shows a message at the field and sends no request for the address %j',
  async (address, message) => {
    const requests = serveForgot(() => HttpResponse.json({}, { status: 202 }));
    renderScreen(ForgotScreen, route);
    const field = screen.getByLabelText('Email');
    if (address) await userEvent.type(field, address);
    await pressSend();
    expect(field).toHaveAccessibleDescription(message);
    expect(field).toHaveFocus();
    expect(requests).toEqual([]);
  },
);

it('shows the message of the rate limit', async () => {
  serveForgot(() => errorResponse('ERRRATE', 'That was tried too often.', 429));
  renderScreen(ForgotScreen, { pathname: route, state: { email: 'mara@harbour.example' } });
  await pressSend();
  expect(await screen.findByRole('alert')).toHaveTextContent('That was tried too often.');
});
