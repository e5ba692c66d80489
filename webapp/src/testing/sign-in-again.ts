import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { server } from './server';

/** Name, message and status of the errors with which calls fail after the session has ended. */
export const sessionOver = [
  ['ERRUNAUTHENTICATED', 'Please sign in first.', 401],
  ['ERRXSRF', 'Your session has changed. Please reload the page and try again.', 403],
] as const;

/** Signs in with the form in place of a screen. `serve` sets the responses from then on. */
export async function signInAgain(serve: () => void): Promise<void> {
  server.use(
    http.post('/auth/login', () => {
      serve();
      return HttpResponse.json({});
    }),
  );
  // The screen behind the form can have sections with these names.
  const input = { selector: 'input' };
  const email = await screen.findByLabelText<HTMLInputElement>('Email', input);
  if (email.value === '') await userEvent.type(email, 'ada@clinic.example');
  await userEvent.type(screen.getByLabelText('Password', input), 'Passw0rd');
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }));
}
