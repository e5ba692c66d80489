import { EmailLink } from '@/components/EmailLink';
import { useConfig } from '@/modules/config/config-store';
import { useSession } from '@/modules/session/session-store';
import { disputeText } from './obstacle-text';

/** Explains why an organisation on hold can't subscribe or change its plan, and whom to contact. */
export function HoldText({ contact }: { contact: string }) {
  const { timeZone } = useConfig();
  const session = useSession();
  const user = session.status === 'signedIn' ? session.user : {};
  return (
    <span>
      <span>
        {`${disputeText(user, timeZone)} Until this is settled, you can’t subscribe or change your plan, and a planned change is not made. Please contact us: `}
      </span>
      <EmailLink to={contact} />.
    </span>
  );
}
