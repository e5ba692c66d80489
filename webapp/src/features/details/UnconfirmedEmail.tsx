import { type BillingDetails, resendBillingEmail } from '@/api';
import { Notice } from '@/components/Notice';
import { ResendButton } from '@/modules/session/ResendVerification';

/** Says that the billing email is not confirmed yet, with a button that sends the link again. */
export function UnconfirmedEmail({ details }: { details: BillingDetails }) {
  const { billingEmail, unconfirmedEmail } = details;
  if (!unconfirmedEmail) return null;
  const copyText = billingEmail
    ? `Until then ${billingEmail} gets the copy.`
    : 'Until then it gets no copy.';
  return (
    <Notice tone="attention" live={false} title="This address is not confirmed yet">
      <p>{`Open the link in our email to ${unconfirmedEmail}. ${copyText}`}</p>
      <ResendButton
        key={unconfirmedEmail}
        label="Send the link again"
        send={() => resendBillingEmail()}
        sentMessage={`A new link is on its way to ${unconfirmedEmail}.`}
        className="mt-3"
      />
    </Notice>
  );
}
