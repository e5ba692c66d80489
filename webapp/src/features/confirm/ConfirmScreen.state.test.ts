import { confirmStateOf } from './ConfirmScreen';

const to = { product: 'professional', interval: 'yearly', currency: 'AUD' };
const state = { user: { id: 'usr_1' }, from: { ...to, product: 'standard' }, to, mode: 'update' };

describe('confirmStateOf', () => {
  it.each([
    ['with a current plan', state],
    ['without a current plan', { ...state, from: undefined }],
    ['with null as the current plan', { ...state, from: null }],
    ['with the redirect of the cards screen', { ...state, redirectTo: '/vc-admin/diy/confirm' }],
  ])('accepts a state %s', (_, state) => {
    expect(confirmStateOf(state)).toEqual(state);
  });

  it.each([
    ['null in place of the object', null],
    ['a text in place of the object', 'update'],
    ['no user', { ...state, user: undefined }],
    ['a user without an id', { ...state, user: {} }],
    ['another mode', { ...state, mode: 'new' }],
    ['no mode', { ...state, mode: undefined }],
    ['no target', { ...state, to: undefined }],
    ['an unknown interval', { ...state, to: { ...to, interval: 'weekly' } }],
    ['a target without a currency', { ...state, to: { ...to, currency: undefined } }],
    ['a current plan of another type', { ...state, from: 'standard' }],
  ])('rejects a state with %s', (_, state) => {
    expect(confirmStateOf(state)).toBeNull();
  });
});
