import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { serveConfig, servePost, serveVisitor } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import RegisteredScreen from './RegisteredScreen';

function open(state: unknown, search = '') {
  serveConfig();
  serveVisitor();
  return renderScreen(RegisteredScreen, { pathname: '/vc-admin/diy/registered', search, state });
}

const registered = { email: 'mara@harbour.example', name: 'Mara' };

describe('the screen after a registration', () => {
  it('shows the email address and what to do with the email', () => {
    open(registered);
    expect(screen.getByRole('heading', { name: 'Registration Success!' })).toBeVisible();
    expect(screen.getByRole('main')).toHaveTextContent(
      'Thank you, Mara. An email was sent to mara@harbour.example.',
    );
    expect(
      screen.getByText(
        'Please check your inbox to verify your account and login with your credentials',
      ),
    ).toBeVisible();
  });

  it('links to the sign-in form with the address filled in', async () => {
    const location = open(registered);
    const link = screen.getByRole('link', { name: 'Sign In' });
    expect(link).toHaveAttribute('href', '/vc-admin/dash');
    await userEvent.click(link);
    expect(location).toEqual({ path: '/vc-admin/dash', state: { email: registered.email } });
  });

  it.each([
    [null, '', '/vc-admin/diy/plans'],
    ['nonsense', '', '/vc-admin/diy/plans'],
    [{ email: 5 }, '?debug=true', '/vc-admin/diy/plans?debug=true'],
  ])('redirects to the plans without a registration (state %j, "%s")', (state, search, plans) => {
    const location = open(state, search);
    expect(screen.queryByRole('heading')).not.toBeInTheDocument();
    expect(location.path).toBe(plans);
  });

  it('sends the email again', async () => {
    const requests = servePost('/vc-admin/auth/verify/resend', () =>
      HttpResponse.json({}, { status: 202 }),
    );
    open(registered);
    await userEvent.click(await screen.findByRole('button', { name: 'Send the email again' }));
    expect(await screen.findByText(/a new link is on its way/)).toBeVisible();
    expect(requests).toEqual([{ email: registered.email }]);
  });

  it('shows why the email could not be sent again', async () => {
    servePost('/vc-admin/auth/verify/resend', () =>
      HttpResponse.json({ name: 'ERRRATE', message: 'Please wait a little.' }, { status: 429 }),
    );
    open(registered);
    await userEvent.click(await screen.findByRole('button', { name: 'Send the email again' }));
    expect(await screen.findByText('Please wait a little.')).toBeVisible();
  });
});
