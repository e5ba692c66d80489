import {
  currencyCode,
  type Decoder,
  digits,
  id,
  list,
  nullable,
  object,
  oneOf,
  optional,
  orEmpty,
  record,
  seconds,
  text,
  time,
  timeZone,
} from './decode';

const cases: [name: string, decoder: Decoder<unknown>, valid: unknown[], invalid: unknown[]][] = [
  ['text', text, ['', 'a'], [null, undefined, 1, {}]],
  ['id', id, ['a'], ['', null, {}]],
  ['digits', digits, [0, 2], [-1, 0.5, 20, '', null]],
  ['time', time, ['2026-11-21T00:00:00Z'], ['soon', 1, null]],
  ['seconds', seconds, [0, 1_800_000_000], [1e15, '1', null]],
  ['timeZone', timeZone, ['Australia/Sydney'], ['Mars/Base', '', null]],
  ['currencyCode', currencyCode, ['AUD', 'aud'], ['', 'A$', 'AUDX', null]],
  ['oneOf', oneOf('a', 'b'), ['a'], ['c', null]],
  ['nullable', nullable(text), [null, 'a'], [1]],
  ['list', list(text), [[], ['a']], [{}, 'a', ['a', 1], null]],
  ['record', record(text), [{}, { a: 'b' }], [[], null, { a: 1 }]],
];

it.each(cases)(
  '%s returns valid values and throws for invalid ones',
  (_name, decoder, valid, invalid) => {
    for (const value of valid) expect(decoder(value, '')).toEqual(value);
    for (const value of invalid) expect(() => decoder(value, '')).toThrow();
  },
);

it('id converts a number to text', () => {
  expect(id(17, '')).toBe('17');
});

it('object drops unknown fields and names a malformed part in the error', () => {
  const decoder = object({ card: object({ last4: text }), other: optional(text) });
  expect(decoder({ card: { last4: '4242', brand: 'visa' } }, 'card')).toEqual({
    card: { last4: '4242' },
  });
  expect(() => decoder({ card: {} }, '/cards')).toThrow(
    '/cards.card.last4 is missing or malformed',
  );
  expect(() => list(decoder)([{}], '/cards')).toThrow('/cards[0].card is missing or malformed');
});

it('record decodes names that every object inherits, and inherits none of them', () => {
  const decoded = record(text)(JSON.parse('{"__proto__":"a","constructor":"b"}'), '');
  expect(Object.entries(decoded)).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
  expect(record(text)({}, '').toString).toBeUndefined();
});

it('orEmpty decodes an absent value as an empty object', () => {
  expect(orEmpty(object({ a: optional(text, '') }))(undefined, '')).toEqual({ a: '' });
});

it('optional returns its fallback for an absent or malformed value', () => {
  expect(optional(text, '')(undefined, '')).toBe('');
  expect(optional(text, '')(1, '')).toBe('');
  expect(optional(text)(1, '')).toBeUndefined();
});
