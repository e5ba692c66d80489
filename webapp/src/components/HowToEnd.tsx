import { Link } from 'react-router-dom';
import { can } from '@/lib/capabilities';
import { useConfig } from '@/lib/config-store';
import { paths } from '@/lib/paths';
import { useDebugParam } from '@/lib/use-debug-param';
import { EmailLink } from './EmailLink';

interface HowToEndProps {
  /** The sentence about the renewal. */
  children: string;
}

/** How a plan renews, and where it is ended. */
export function HowToEnd({ children }: HowToEndProps) {
  const config = useConfig();
  const debugParam = useDebugParam();
  return (
    <p className="mt-5 border-t border-line pt-4 text-sm text-muted">
      {children}{' '}
      {can(config, 'billing') && can(config, 'end_at_period_end') ? (
        <>
          You can end it at any time on your{' '}
          <Link to={paths.billing(debugParam)} className="text-link">
            billing page
          </Link>
          .
        </>
      ) : (
        <>
          To end it, write to <EmailLink to={config.contact.email} />.
        </>
      )}
    </p>
  );
}
