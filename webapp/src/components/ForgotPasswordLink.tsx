import { Link } from 'react-router-dom';
import { useCan } from '@/lib/capabilities';
import { paths } from '@/lib/paths';
import { useDebugParam } from '@/lib/use-debug-param';

/** A link to the password reset, with the typed email address; nothing if the server has no reset. */
export function ForgotPasswordLink({ email }: { email: string }) {
  const debugParam = useDebugParam();
  if (!useCan('password_reset')) return null;
  return (
    <Link to={paths.forgot(debugParam)} state={{ email }} className="text-link">
      Forgotten password?
    </Link>
  );
}
