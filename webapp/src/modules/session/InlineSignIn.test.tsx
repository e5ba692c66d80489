import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { fullProvider } from '@/testing/fixtures';
import { serveConfig, serveVisitor } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import { InlineSignIn } from './InlineSignIn';

const renderSignIn = (email?: string) =>
  renderScreen(
    () => <InlineSignIn title="Sign in" text="Sign in to see it." email={email} />,
    '/vc-admin/diy/invoices',
  );

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  serveConfig({ provider: fullProvider });
  serveVisitor();
});

describe('the sign-in form in place of a screen', () => {
  it('requires both fields and focuses the first empty field', async () => {
    renderSignIn();
    await userEvent.click(screen.getByRole('button', { name: 'Sign In' }));

    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('email is required');
    expect(screen.getByLabelText('Email')).toHaveFocus();
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription('Password is required');
  });

  it('offers to send the verification email again to a user who is not verified', async () => {
    const error = { name: 'ERRUNVERIFIED', message: 'Not verified.' };
    server.use(http.post('/auth/login', () => HttpResponse.json({ error }, { status: 403 })));
    renderSignIn();
    await userEvent.type(screen.getByLabelText('Email'), 'ada@clinic.example');
    await userEvent.type(screen.getByLabelText('Password'), 'Secret123{Enter}');

    expect(await screen.findByText('Please verify your email address first')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Send the email again' })).toBeVisible();
  });

  it.each([
    ['has a link to the password reset for a visitor', undefined, 1],
    ['has no link to the password reset after a session has ended', 'ada@clinic.example', 0],
  ])('%s', async (_, email, links) => {
    renderSignIn(email);
    await vi.waitFor(() => expect(screen.queryAllByRole('link')).toHaveLength(links));
  });
});
