import { useState } from 'react';
import { resetPassword } from '@/api';
import { buttonClass } from '@/components/Button';
import { routes } from '@/lib/paths';
import { AppLink } from '@/modules/session/AppLink';
import { AccessFrame } from './AccessFrame';
import { NewPasswordForm } from './NewPasswordForm';
import { useToken } from './use-token';

/** The page of a password reset link: the form for a new password. */
export default function ResetScreen() {
  const token = useToken();
  const [isRejected, setIsRejected] = useState(false);
  if (isRejected || token === '') return <InvalidLink />;
  return (
    <AccessFrame title="Choose a new password">
      <p className="mt-4">
        You will be signed out everywhere. Sign in again with the new password.
      </p>
      <NewPasswordForm
        label="Change password"
        logMessage="Changing the password failed"
        send={(password, repeatedPassword) => resetPassword(token, password, repeatedPassword)}
        onInvalidLink={() => setIsRejected(true)}
      />
    </AccessFrame>
  );
}

function InvalidLink() {
  return (
    <AccessFrame title="This link can not be used" focusOnMount>
      <p className="mt-4">
        It is unknown, was used before, or is more than an hour old. Have a new one sent to you.
      </p>
      <AppLink to={routes.forgot} className={`${buttonClass('primary', true)} mt-6`}>
        Send a new link
      </AppLink>
    </AccessFrame>
  );
}
