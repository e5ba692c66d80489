import { type ComponentProps, useId } from 'react';
import type { BillingDetails } from '@/api';
import { Field } from '@/components/Field';
import { UnreachableEmail } from '@/modules/billing/UnreachableEmails';
import { UnconfirmedEmail } from './UnconfirmedEmail';

interface BillingEmailFieldProps extends Omit<ComponentProps<typeof Field>, 'label'> {
  details: BillingDetails;
  unreachableEmails: string[] | undefined;
}

/** The field of the billing email, with notices below it if the stored address is not confirmed or refuses our emails. */
export function BillingEmailField({
  details,
  unreachableEmails,
  ...field
}: BillingEmailFieldProps) {
  const warningId = useId();
  const { billingEmail, unconfirmedEmail } = details;
  const unreachableEmail = unreachableEmails?.find((email) => email === billingEmail);
  return (
    <div>
      <Field
        label="Billing email"
        optional
        hint="Gets a copy of emails about billing. It does not change how you sign in."
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        describedBy={unconfirmedEmail || unreachableEmail ? warningId : undefined}
        {...field}
      />
      <div id={warningId} className="space-y-3 not-empty:mt-3">
        <UnconfirmedEmail details={details} />
        {unreachableEmail && <UnreachableEmail address={unreachableEmail} />}
      </div>
    </div>
  );
}
