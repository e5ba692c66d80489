import type { Elements } from '@/lib/elements';
import { askOwnerText, canManageBilling } from './roles';
import { type User, useSession } from './session-store';

interface BillingRolesOnlyProps {
  /** The purpose of the children, such as 'change the plan'. Other users see whom to ask; without it they see nothing. */
  action?: string;
  children: Elements;
}

/** Renders its children for a user who may change the plan, payments and billing details. */
export function BillingRolesOnly({ action, children }: BillingRolesOnlyProps) {
  const session = useSession();
  if (session.status !== 'signedIn' || canManageBilling(session.user)) return children;
  if (!action) return null;
  return <AskOwner user={session.user} action={action} />;
}

/** Shows whom the user can ask for an action, such as 'change the plan'. */
export const AskOwner = ({ user, action }: { user: User; action: string }) => (
  <p className="text-sm text-muted wrap-anywhere">{askOwnerText(user, action)}</p>
);
