import { HttpResponse, http, type JsonBodyType } from 'msw';
import { server } from '@/testing/server';
import type { ApiError } from './api-error';
import { changePlan, subscribe } from './subscription';

const choice = { priceId: 'standard_yearly', interval: 'yearly', currency: 'AUD' } as const;

describe.each([
  ['subscribe', '/vc-admin/user-diy/subscribe', () => subscribe(choice, false)],
  ['changePlan', '/vc-admin/org/subscription/update', () => changePlan(choice, false)],
])('%s', (_name, path, call) => {
  const respond = (body: JsonBodyType) =>
    server.use(http.post(path, () => HttpResponse.json(body)));
  const callError = () =>
    call().then(
      () => expect.unreachable(),
      (error: ApiError) => error,
    );

  it('returns the decoded subscription', async () => {
    respond({ id: 'sub_1', status: 'active' });
    expect(await call()).toEqual({
      id: 'sub_1',
      status: 'active',
      latest_invoice: null,
      next: null,
    });
  });

  it.each([
    [{ error: { message: 'Your card has expired.' } }],
    [{ name: 'ERRCARD', message: 'Your card has expired.' }],
    [{ error: { name: 'ERRCARD' }, message: 'Your card has expired.' }],
    [{ error: 'Your card has expired.' }],
  ])(
    'rejects with the message of the error object %j in a response with status 200',
    async (body) => {
      respond(body);
      expect(await callError()).toMatchObject({
        message: 'Your card has expired.',
        hasServerMessage: true,
      });
    },
  );

  it.each([[null], [{}], [{ error: {} }], [[]], ['ok']])(
    'rejects without a message when a response with status 200 is %j',
    async (body) => {
      respond(body);
      expect(await callError()).toMatchObject({ message: '', hasServerMessage: false });
    },
  );
});
