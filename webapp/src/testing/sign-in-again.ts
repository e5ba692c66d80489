import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { server } from './server';

/** What every call answers once the session has ended. */
export const sessionOver = [
  ['ERRUNAUTHENTICATED', 'Please sign in first.', 401],
  ['ERRXSRF', 'Your session has changed. Please reload the page and try again.', 403],
] as const;

/** Fills in the form of a session that ended; `serve` sets what the server answers from then on. */
export async function signInAgain(serve: () => void): Promise<void> {
  server.use(
    http.post('/auth/login', () => {
      serve();
      return HttpResponse.json({});
    }),
  );
  await userEvent.type(await screen.findByLabelText('Password'), 'Passw0rd');
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }));
}
