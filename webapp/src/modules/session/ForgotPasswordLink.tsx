import { routes } from '@/lib/paths';
import { useCan } from '@/modules/config/capabilities';
import { AppLink } from './AppLink';

/** A link to the password reset, with the typed email address. Renders nothing if the server has no password reset. */
export function ForgotPasswordLink({ email }: { email: string }) {
  if (!useCan('password_reset')) return null;
  return (
    <AppLink to={routes.forgot} state={{ email }} className="text-link -my-1 inline-block py-1">
      Forgotten password?
    </AppLink>
  );
}
