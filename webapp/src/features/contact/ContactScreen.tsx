import { Mail, Phone } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Plan } from '@/api';
import { AppLink } from '@/components/AppLink';
import { Card } from '@/components/Card';
import { PageTitle } from '@/components/PageTitle';
import { WithConfig } from '@/components/WithConfig';
import { useConfig } from '@/lib/config-store';
import { routes } from '@/lib/paths';
import { phoneUrl } from '@/lib/phone';
import { isInterval } from '@/rules/types';

/** The contact details of the sales team. */
export default function ContactScreen() {
  return (
    <div className="page max-w-2xl pt-10 sm:pt-14">
      <PageTitle>Contact sales</PageTitle>
      <WithConfig>
        <Contact />
      </WithConfig>
    </div>
  );
}

function Contact() {
  const { catalogue, contact } = useConfig();
  const [query] = useSearchParams();
  const name = displayNameOf(catalogue.plans, query.get('product'), query.get('interval'));
  return (
    <>
      <Card className="mt-6">
        <h2 className="text-xl">
          {name ? `For ${name} solutions, send your query to us` : 'Send your query to us'}
        </h2>
        <p className="mt-3 text-muted">
          Tell us how many of you there are and what you need, and we set it up with you.
        </p>
        <address className="mt-6 divide-y divide-line border-t border-line not-italic">
          <ContactRow
            icon={<Mail aria-hidden size={20} />}
            label="Email"
            href={`mailto:${contact.email}`}
          >
            {contact.email}
          </ContactRow>
          <ContactRow
            icon={<Phone aria-hidden size={20} />}
            label="Phone"
            href={phoneUrl(contact.phone)}
          >
            {contact.phone}
          </ContactRow>
        </address>
      </Card>
      <p className="mt-6">
        <AppLink to={routes.plans} className="text-link">
          Compare the plans
        </AppLink>
      </p>
    </>
  );
}

interface ContactRowProps {
  icon: ReactNode;
  label: string;
  href: string;
  children: string;
}

const ContactRow = ({ icon, label, href, children }: ContactRowProps) => (
  <p className="flex items-center gap-4 py-4">
    <span className="flex size-11 shrink-0 items-center justify-center rounded-control bg-brand-soft text-brand-strong">
      {icon}
    </span>
    <span className="min-w-0">
      <span className="block text-sm text-muted">{label}</span>
      <a href={href} className="text-link break-words text-lg font-semibold">
        {children}
      </a>
    </span>
  </p>
);

/**
 * Returns the name of the plan in the address; null when the catalogue does not contain it, or not
 * with that interval. The interval is optional.
 */
function displayNameOf(
  plans: readonly Plan[],
  product: string | null,
  interval: string | null,
): string | null {
  if (interval !== null && !isInterval(interval)) return null;
  return plans.find(({ id }) => id === product)?.displayName ?? null;
}
