import { ApiError } from '@/api';
import { declinedBefore, failure, run } from './testing';

describe('a call that fails', () => {
  const answered = (name: string, status: number) =>
    new ApiError(name, 'What the server says.', { status, answered: true });

  it("says what the server says, and is certain when it is the server's own decision", async () => {
    const { end, isDone } = run(answered('ERRCARD', 402));
    expect(await end).toEqual(failure('What the server says.'));
    expect(isDone).not.toHaveBeenCalled();
  });

  it.each([
    ['a lost answer', new ApiError('ECONNABORTED', 'timeout of 60000ms exceeded')],
    ['an answer of the proxy', new ApiError('ERR_BAD_RESPONSE', 'No.', { status: 504 })],
    ['a provider in trouble', answered('ERRPROVIDER', 502)],
  ])('is in doubt after %s', async (_name, error) => {
    expect(await run(error).end).toEqual(failure(error.message, { certain: false }));
  });

  it.each([
    ['a lost answer', new ApiError('ERR_NETWORK', 'Network Error')],
    ['another tab', answered('ERRCONFLICT', 409)],
  ])('is success all the same when %s got what was asked for', async (_name, error) => {
    declinedBefore();
    expect(await run(error, { isDone: async () => true }).end).toEqual({ kind: 'succeeded' });
    expect(localStorage).toHaveLength(0);
  });

  it('is certain when a conflict is not of our own making', async () => {
    expect(await run(answered('ERRCONFLICT', 409)).end).toEqual(failure('What the server says.'));
  });

  it('stays a failure when nobody can say more', async () => {
    const isDone = () => Promise.reject(new Error('Network Error'));
    expect(await run(new ApiError('ERR_NETWORK', 'Network Error'), { isDone }).end).toEqual(
      failure('Network Error', { certain: false }),
    );
  });

  it('has general words when there are no others', async () => {
    expect(await run(new ApiError('ERRUNKNOWN', '')).end).toMatchObject({
      message: 'Interval Server Error',
    });
  });
});
