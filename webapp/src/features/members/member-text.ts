import type { Member } from '@/api/members';

/** Returns the full name of a member, or the email of a member without names. */
export const memberName = ({ firstName, lastName, email }: Member): string =>
  [firstName, lastName].filter(Boolean).join(' ') || email;

/** Returns the name of a member among the others. It contains the email if another member has the same name. */
export function memberLabel(member: Member, members: readonly Member[]): string {
  const name = memberName(member);
  const isUnique = members.filter((other) => memberName(other) === name).length < 2;
  return isUnique ? name : `${name} (${member.email})`;
}

/** Returns a text that says whether the removal of a member deletes their account. */
export function removalText(member: Member): string {
  const name = member.firstName || memberName(member);
  return member.deletesAccount
    ? `${name}'s account is deleted because it belongs to no other organisation.`
    : `${name} keeps the account in other organisations.`;
}
