import { EmailLink } from '@/components/EmailLink';
import { routes } from '@/lib/paths';
import { can } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';

interface HowToEndProps {
  /** The sentence about the renewal; may be empty. */
  children: string;
}

/** Describes how the plan renews, and where or how the customer ends it. */
export function HowToEnd({ children }: HowToEndProps) {
  const config = useConfig();
  return (
    <p className="mt-5 border-t border-line pt-4 text-sm text-muted">
      <span>{children && `${children} `}</span>
      {can(config, 'billing') && can(config, 'at_period_end') ? (
        <span>
          You can end it at any time on your{' '}
          <AppLink to={routes.dash} className="text-link">
            dashboard
          </AppLink>
          .
        </span>
      ) : (
        <span>
          To end it, write to <EmailLink to={config.contact.email} />.
        </span>
      )}
    </p>
  );
}
