import { HttpResponse, http } from 'msw';
import { ApiError } from '@/api';
import { serveUser, serveVisitor } from '@/testing/handlers';
import { server } from '@/testing/server';
import { queryClient, reloadData } from './query-client';
import { useSessionStore } from './session-store';

const store = () => useSessionStore.getState();
const cachedPlan = () => queryClient.getQueryData(['plan']);

beforeEach(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  serveUser();
  await store().refresh();
  queryClient.setQueryData(['plan'], 'Professional');
});

it('discards the data of a user who signs out', async () => {
  server.use(http.get('/vc-admin/auth/logout', () => HttpResponse.json({})));

  await store().signOut();

  expect(cachedPlan()).toBeUndefined();
});

it('discards the data when another user has signed in in another tab', async () => {
  serveUser({ id: 'usr_2' });

  await store().refresh();

  expect(cachedPlan()).toBeUndefined();
});

it('keeps the data when the session ends and the same user signs in again', async () => {
  serveVisitor();
  await store().refresh(true);
  expect(cachedPlan()).toBe('Professional');

  serveUser();
  await store().refresh();

  expect(cachedPlan()).toBe('Professional');
});

it('discards the data when another user signs in after the session ended', async () => {
  serveVisitor();
  await store().refresh(true);
  serveUser({ id: 'usr_2' });

  await store().refresh();

  expect(cachedPlan()).toBeUndefined();
});

it('reloadData discards data that no screen shows', async () => {
  await reloadData();

  expect(cachedPlan()).toBeUndefined();
});

it('does not repeat a failed request, and fetches the identity if the session has ended', async () => {
  serveVisitor();
  const error = new ApiError('ERRUNAUTHENTICATED', 'Please sign in first.', { status: 401 });
  const load = vi.fn().mockRejectedValue(error);

  await expect(queryClient.fetchQuery({ queryKey: ['card'], queryFn: load })).rejects.toBe(error);

  expect(load).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(store().session.status).toBe('signedOut'));
});
