import { act, screen } from '@testing-library/react';
import { type HttpResponse, http } from 'msw';
import { useSessionStore } from '@/modules/session/session-store';
import { deferred } from '@/testing/deferred';
import { serveConfig } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import DashboardScreen from './DashboardScreen';

// This file has only one test, because a script is loaded only once for all tests of a file.
it('loads the sign-in form while the session loads, and then shows it without a second placeholder', async () => {
  serveConfig();
  const { promise: response } = deferred<HttpResponse<null>>();
  server.use(http.get('/vc-admin/user/detail', () => response));
  renderScreen(DashboardScreen, '/vc-admin/dash');
  await act(() => import('./SignInScreen'));
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Dashboard');

  act(() => useSessionStore.setState({ session: { status: 'signedOut', error: null } }));

  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Sign in');
});
