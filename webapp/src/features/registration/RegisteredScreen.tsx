import { MailCheck } from 'lucide-react';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { buttonClass } from '@/components/Button';
import { PageTitle } from '@/components/PageTitle';
import { ResendVerification } from '@/components/ResendVerification';
import { registeredState } from '@/lib/navigation-state';
import { paths } from '@/lib/paths';
import { useDebugParam } from '@/lib/use-debug-param';

/** The screen after a registration. Without its navigation state it redirects to the plans. */
export default function RegisteredScreen() {
  const debugParam = useDebugParam();
  const { email, name } = registeredState(useLocation().state);
  if (!email) return <Navigate to={paths.plans(debugParam)} replace />;
  return (
    <div className="page max-w-xl py-16 text-center">
      <MailCheck aria-hidden size={48} className="mx-auto text-success" />
      <PageTitle className="mt-4">Registration Success!</PageTitle>
      <p className="mt-4 text-lg break-words">
        {name && `Thank you, ${name}. `}
        An email was sent to <strong>{email}</strong>.
      </p>
      <p className="mt-2 text-muted">
        Please check your inbox to verify your account and login with your credentials
      </p>
      <Link to={paths.dash()} state={{ email }} className={`${buttonClass('quiet')} mt-6`}>
        Sign In
      </Link>
      <ResendVerification email={email} className="mt-4" />
    </div>
  );
}
