import { ownValue } from './own-value';

it('ownValue returns the value of a key of the table', () => {
  expect(ownValue({ active: 'success' }, 'active')).toBe('success');
});

it.each(['constructor', '__proto__', 'toString', 'canceled'])(
  'ownValue returns undefined for the key %s, which the table does not have',
  (key) => {
    expect(ownValue({ active: 'success' }, key)).toBeUndefined();
  },
);
