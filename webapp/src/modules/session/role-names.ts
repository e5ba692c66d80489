import type { Role } from '@/api';

/** The roles, from the one with the most rights to the one with the least. */
export const roles: readonly Role[] = ['owner', 'billing', 'member'];

export const roleNames: Record<Role, string> = {
  owner: 'Owner',
  billing: 'Billing',
  member: 'Member',
};

/** The names of the roles with their rights. */
export const roleTexts: Record<Role, string> = {
  owner: 'Owner – everything',
  billing: 'Billing – plan and payments, receives billing emails',
  member: 'Member – can look and download invoices',
};
