import type { Capability } from '@/api';
import { can } from './capabilities';

const cases: [capability: Capability, declared: Capability[] | undefined, want: boolean][] = [
  ['quotes', ['quotes'], true],
  ['change_now', ['quotes'], false],
  ['change_now', undefined, true],
  ['saved_methods', undefined, true],
  ['change_now_cheaper', undefined, true],
  ['quotes', undefined, false],
  ['billing', undefined, false],
];

it.each(cases)('can(%s) of a server that declares %j is %j', (capability, capabilities, want) => {
  expect(can({ provider: { kind: 'fake', capabilities } }, capability)).toBe(want);
});
