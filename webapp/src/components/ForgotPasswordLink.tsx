import { AppLink } from '@/components/AppLink';
import { useCan } from '@/lib/capabilities';
import { routes } from '@/lib/paths';

/** A link to the password reset, with the typed email address; nothing if the server has no reset. */
export function ForgotPasswordLink({ email }: { email: string }) {
  if (!useCan('password_reset')) return null;
  return (
    <AppLink to={routes.forgot} state={{ email }} className="text-link">
      Forgotten password?
    </AppLink>
  );
}
