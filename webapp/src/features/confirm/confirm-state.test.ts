import { parseConfirmState } from './confirm-state';

const target = { product: 'professional', interval: 'yearly', currency: 'AUD' };
const validState = {
  user: { id: 'usr_1' },
  from: { ...target, product: 'standard' },
  to: target,
  mode: 'update',
};

describe('parseConfirmState', () => {
  it.each([
    ['with a current plan', validState],
    ['without a current plan', { ...validState, from: undefined }],
    ['with null as the current plan', { ...validState, from: null }],
    [
      'with the redirect of the cards screen',
      { ...validState, redirectTo: '/vc-admin/diy/confirm' },
    ],
  ])('returns a state %s', (_, state) => {
    expect(parseConfirmState(state)).toEqual(state);
  });

  it.each([
    ['null', null],
    ['a string', 'update'],
    ['a state with no user', { ...validState, user: undefined }],
    ['a state with a user without an id', { ...validState, user: {} }],
    ['a state with another mode', { ...validState, mode: 'new' }],
    ['a state with no mode', { ...validState, mode: undefined }],
    ['a state with no target', { ...validState, to: undefined }],
    ['a state with an unknown interval', { ...validState, to: { ...target, interval: 'weekly' } }],
    [
      'a state with a target without a currency',
      { ...validState, to: { ...target, currency: undefined } },
    ],
    ['a state with a string as the current plan', { ...validState, from: 'standard' }],
  ])('returns null for %s', (_, state) => {
    expect(parseConfirmState(state)).toBeNull();
  });
});
