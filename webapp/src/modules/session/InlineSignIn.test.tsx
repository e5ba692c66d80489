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

  describe('with two-step verification', () => {
    const failures: Record<string, string> = {
      ERRSECONDFACTOR: 'Please enter the code.',
      ERRCODE: 'The code is not right.',
      ERRCREDENTIALS: 'The email or the password is not right.',
      ERRRATE: 'That was tried too often.',
    };
    const submitted: unknown[] = [];

    /** Lets the next sign-in fail. */
    function failWith(name: string) {
      server.use(
        http.post('/auth/login', async ({ request }) => {
          submitted.push(await request.json());
          const body = { name, message: failures[name] };
          return HttpResponse.json(body, { status: name === 'ERRRATE' ? 429 : 401 });
        }),
      );
    }

    beforeEach(async () => {
      submitted.length = 0;
      failWith('ERRSECONDFACTOR');
      renderSignIn();
      await userEvent.type(screen.getByLabelText('Email'), 'ada@clinic.example');
      await userEvent.type(screen.getByLabelText('Password'), 'Secret123{Enter}');
      await screen.findByText('One more step');
    });

    it('asks for the code in place of the password, and sends both', async () => {
      expect(screen.queryByLabelText('Password')).toBeNull();
      expect(screen.getByLabelText('Code')).toHaveFocus();
      failWith('ERRCODE');
      await userEvent.keyboard('123456{Enter}');

      expect(await screen.findByText('The code is not right.')).toBeVisible();
      expect(submitted).toEqual([
        { username: 'ada@clinic.example', password: 'Secret123' },
        { username: 'ada@clinic.example', password: 'Secret123', code: '123456' },
      ]);
      expect(screen.getByLabelText('Code')).toHaveValue('');
    });

    it('requires the code', async () => {
      await userEvent.click(screen.getByRole('button', { name: 'Sign In' }));
      expect(screen.getByLabelText('Code')).toHaveAccessibleDescription(/Code is required/);
    });

    it('removes the message about a wrong code when the user chooses a recovery code', async () => {
      failWith('ERRCODE');
      await userEvent.keyboard('123456{Enter}');
      await screen.findByText('The code is not right.');
      await userEvent.click(screen.getByRole('button', { name: 'Use a recovery code' }));
      expect(screen.queryByText('The code is not right.')).toBeNull();
    });

    it('accepts a recovery code', async () => {
      await userEvent.click(screen.getByRole('button', { name: 'Use a recovery code' }));
      expect(screen.getByLabelText('Recovery code')).toHaveFocus();
      await userEvent.keyboard('abcd-efgh{Enter}');
      await vi.waitFor(() => expect(submitted[1]).toMatchObject({ code: 'abcd-efgh' }));
    });

    it('keeps the step after a failure that is not about the password', async () => {
      failWith('ERRRATE');
      await userEvent.keyboard('123456{Enter}');
      await screen.findByText('That was tried too often.');
      expect(screen.getByLabelText('Code')).toBeVisible();
    });

    it('returns to the password if it was changed in the meantime', async () => {
      failWith('ERRCREDENTIALS');
      await userEvent.keyboard('123456{Enter}');
      const password = await screen.findByLabelText('Password');
      expect(password).toHaveFocus();
      expect(password).toHaveValue('');
    });

    it('returns to an empty password on request', async () => {
      await userEvent.click(screen.getByRole('button', { name: 'Back' }));
      expect(screen.getByLabelText('Password')).toHaveFocus();
      expect(screen.getByLabelText('Password')).toHaveValue('');
      expect(screen.getByLabelText('Email')).toHaveValue('ada@clinic.example');
      expect(screen.queryByText('One more step')).toBeNull();
    });
  });

  it.each([
    ['has a link to the password reset for a visitor', undefined, 1],
    ['has no link to the password reset after a session has ended', 'ada@clinic.example', 0],
  ])('%s', async (_, email, links) => {
    renderSignIn(email);
    await vi.waitFor(() => expect(screen.queryAllByRole('link')).toHaveLength(links));
  });
});
