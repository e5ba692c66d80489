import { MailCheck } from 'lucide-react';
import { useLocation } from 'react-router-dom';
import { paths } from '@/app/paths';
import { ResendVerification } from '@/features/dashboard/ResendVerification';
import { buttonClass } from '@/ui/Button';
import { Link } from '@/ui/Link';
import { PageTitle } from '@/ui/PageTitle';
import { registeredState } from './registered-state';

/** What follows a registration: an e-mail is on its way. */
export function RegisteredScreen() {
  const { email, name } = registeredState(useLocation().state);
  return (
    <div className="page max-w-xl py-16 text-center">
      <MailCheck aria-hidden size={48} className="mx-auto text-success" />
      <PageTitle className="mt-4">Registration Success!</PageTitle>
      <p className="mt-4 text-lg break-words">
        {name && `Thank you, ${name}. `}
        An e-mail was sent to {email ? <strong>{email}</strong> : 'you'}.
      </p>
      <p className="mt-2 text-muted">
        Please check your inbox to verify your account and login with your credentials
      </p>
      <Link to={paths.dash()} state={{ email }} className={`${buttonClass()} mt-8`}>
        Sign In
      </Link>
      {email && <ResendVerification email={email} className="mt-8" />}
    </div>
  );
}
