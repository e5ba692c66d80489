import type { ReactElement } from 'react';
import { resendBillingEmail } from '@/api';
import { Notice } from '@/components/Notice';
import { cx } from '@/lib/cx';
import { routes } from '@/lib/paths';
import { can } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';
import { ResendButton } from '@/modules/session/ResendVerification';
import type { User } from '@/modules/session/session-store';

interface UnreachableEmailsProps {
  user: User;
  className?: string;
}

/** Reports each address that refuses our emails, and how to correct it. */
export function UnreachableEmails({ user, className }: UnreachableEmailsProps) {
  const config = useConfig();
  if (!user.unreachableEmails || !can(config, 'billing_details')) return null;
  return user.unreachableEmails.map((address) => (
    <UnreachableEmail
      key={address}
      address={address}
      className={className}
      otherAddressLink={
        <AppLink to={routes.details} className="text-link inline-block py-1">
          Enter another billing email
        </AppLink>
      }
    />
  ));
}

interface UnreachableEmailProps {
  address: string;
  /** A link to the field of the billing email; without it the field is beside the notice. */
  otherAddressLink?: ReactElement;
  className?: string | undefined;
}

/** Reports that an address refuses our emails. A link confirms an address that works again. */
export const UnreachableEmail = ({
  address,
  otherAddressLink,
  className,
}: UnreachableEmailProps) => (
  <Notice
    tone="attention"
    live={false}
    title={`We can’t reach ${address}`}
    className={cx('break-words', className)}
  >
    <p>
      The mail server refuses this address, so emails about billing are not sent to it any more. If
      the mailbox works again, confirm it by a link. Otherwise enter another billing email.
    </p>
    {otherAddressLink}
    <ResendButton
      label="Send the link"
      send={() => resendBillingEmail(address)}
      sentMessage={`A link is on its way to ${address}.`}
      className="mt-3"
    />
  </Notice>
);
