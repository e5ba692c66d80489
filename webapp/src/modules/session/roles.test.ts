import { expect, it } from 'vitest';
import { canManageBilling, isOwner } from './roles';

it.each([
  ['a user without a role', {}, true, true],
  ['an owner', { role: 'owner' as const }, true, true],
  ['a billing member', { role: 'billing' as const }, true, false],
  ['a reading member', { role: 'member' as const }, false, false],
])('gives %s the permissions of the role', (_name, user, managesBilling, owns) => {
  expect(canManageBilling(user)).toBe(managesBilling);
  expect(isOwner(user)).toBe(owns);
});
