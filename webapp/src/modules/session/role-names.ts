import type { Role } from '@/api';

/** The roles, the one that allows most first. */
export const roles: readonly Role[] = ['owner', 'billing', 'member'];

export const roleNames: Record<Role, string> = {
  owner: 'Owner',
  billing: 'Billing',
  member: 'Member',
};

/** The names of the roles with what they allow. */
export const roleTexts: Record<Role, string> = {
  owner: 'Owner – everything',
  billing: 'Billing – plan and payments, receives billing emails',
  member: 'Member – can look and download invoices',
};
