import type { Plan } from '@/api';
import { Card } from '@/components/Card';
import { PageBanner } from '@/components/PageBanner';
import { phoneUrl, routes } from '@/lib/paths';
import { useQueryParams } from '@/lib/use-query-params';
import { useConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';
import { isInterval } from '@/rules/types';

/** The email address and phone number of the sales team, with a heading that names the plan in the URL. */
export default function ContactDetails() {
  const { catalogue, contact } = useConfig();
  const query = useQueryParams();
  const name = displayNameOf(catalogue.plans, query.get('product'), query.get('interval'));
  return (
    <>
      <Card className="mt-6 max-sm:p-4">
        <h2 className="text-xl">
          {name ? `For ${name} solutions, send your query to us` : 'Send your query to us'}
        </h2>
        <address className="mt-4 -mb-2 divide-y divide-line border-t border-line not-italic sm:-mb-4">
          <ContactRow label="Email" href={`mailto:${contact.email}`}>
            {contact.email}
          </ContactRow>
          <ContactRow label="Phone" href={phoneUrl(contact.phone)}>
            {contact.phone}
          </ContactRow>
        </address>
      </Card>
      <p className="mt-6">
        <AppLink to={routes.plans} className="text-link">
          Compare the plans
        </AppLink>
      </p>
      <PageBanner className="mt-8" />
    </>
  );
}

interface ContactRowProps {
  label: string;
  href: string;
  children: string;
}

const ContactRow = ({ label, href, children }: ContactRowProps) => (
  <p className="flex flex-wrap items-baseline gap-x-4 py-4">
    <span className="basis-16 text-muted">{label}</span>
    <a href={href} className="text-link min-w-0 text-lg font-semibold wrap-anywhere">
      {children}
    </a>
  </p>
);

/**
 * Returns the display name of a plan, or null when the catalogue does not have it or the interval is unknown. The
 * interval is optional.
 */
function displayNameOf(
  plans: readonly Plan[],
  product: string | null,
  interval: string | null,
): string | null {
  if (interval !== null && !isInterval(interval)) return null;
  return plans.find(({ id }) => id === product)?.displayName ?? null;
}
