import { type User, useSession } from './session-store';

/** Whether the user may change the plan, payments and billing details. A user without a role is an owner. */
export const canManageBilling = ({ role }: Pick<User, 'role'>): boolean => role !== 'member';

/** Whether the user is an owner. A user without a role is one. */
export const isOwner = ({ role = 'owner' }: Pick<User, 'role'>): boolean => role === 'owner';

/** Returns "For Riverside Clinic", to name the organisation that pays; '' for a user of one organisation. */
export function usePayerText(): string {
  const session = useSession();
  if (session.status !== 'signedIn') return '';
  const { org, organisations = [] } = session.user;
  return organisations.length > 1 ? `For ${org.name}` : '';
}

/** Returns whom to ask for something that the user may not do: "Ask Ada Lee (owner) to change the plan." */
export function askOwnerText({ owners }: Pick<User, 'owners'>, action: string): string {
  const [owner] = owners ?? [];
  return `Ask ${owner ? `${owner} (owner)` : 'an owner of your organisation'} to ${action}.`;
}
