import { QueryClientProvider } from '@tanstack/react-query';
import { AccountPage } from '@/modules/billing/AccountPage';
import { UnreachableEmails } from '@/modules/billing/UnreachableEmails';
import { can } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { queryClient } from '@/modules/session/query-client';
import { SessionErrorNotice } from '@/modules/session/SessionErrorNotice';
import type { SignedInSession, User } from '@/modules/session/session-store';
import { BillingSections } from './BillingSections';
import { SessionSections } from './SessionSections';

interface DashboardProps {
  session: SignedInSession;
}

/** The dashboard of a signed-in user: the organisation's plan, invoices, payment method and billing details. */
export default function Dashboard({ session: { user, error } }: DashboardProps) {
  const config = useConfig();
  return (
    <AccountPage title="Dashboard" description={signedInText(user)}>
      <QueryClientProvider client={queryClient}>
        <div className="mt-6 space-y-6">
          <SessionErrorNotice error={error} />
          <UnreachableEmails user={user} />
          {can(config, 'billing') ? (
            <BillingSections user={user} />
          ) : (
            <SessionSections user={user} />
          )}
        </div>
      </QueryClientProvider>
    </AccountPage>
  );
}

/** Returns 'Signed in as Ada Byron, ada@clinic.example', without the parts that the server does not report. */
function signedInText({ firstName, lastName, email }: User): string {
  const name = [firstName, lastName].filter(Boolean).join(' ');
  const identity = [name, email].filter(Boolean).join(', ');
  return identity ? `Signed in as ${identity}` : 'You are signed in';
}
