import type { ReactNode } from 'react';
import type { Branding, Config, Link } from '@/api';
import { ChevronDownIcon } from '@/components/icons';
import { useConfigStore } from '@/lib/config-store';
import { phoneUrl } from '@/lib/phone';
import { useSession } from '@/lib/session-store';
import { useMedia } from '@/lib/use-media';

/**
 * Marketing links, contact details, certifications and copyright; one row for a signed-in user.
 * Renders nothing until session and configuration are loaded, so that the footer never grows.
 */
export function Footer() {
  const { state } = useConfigStore();
  const session = useSession();
  const config = state.status === 'ready' ? state.config : null;
  if (session.status === 'loading' || (!config && state.status !== 'failed')) return null;
  return (
    <footer className="mt-16 border-t border-line bg-surface text-sm">
      {session.status === 'signedIn' ? (
        <SignedInRow branding={config?.branding} />
      ) : (
        <div className="page py-6 sm:py-10">
          {config && <Columns {...config} />}
          <SmallPrint branding={config?.branding} />
        </div>
      )}
    </footer>
  );
}

/** The links that a customer may need, in this order. */
const customerLinks = [/^privacy/i, /^terms/i, /^support/i];

function SignedInRow({ branding }: { branding?: Branding }) {
  const { footerColumns = [], headerLinks = [] } = branding ?? {};
  const all = [...footerColumns.flatMap(({ links }) => links), ...headerLinks];
  const links = customerLinks.flatMap((name) => all.find(({ label }) => name.test(label)) ?? []);
  return (
    <div className="page flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-4 text-muted">
      <Copyright branding={branding} />
      <ul className="flex flex-wrap gap-x-6">
        {links.map((link) => (
          <li key={link.label}>
            <FooterLink {...link} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Columns({ branding, contact }: Config) {
  return (
    <div className="mb-6 grid sm:mb-10 sm:grid-cols-2 sm:gap-8 lg:grid-cols-4">
      {branding.footerColumns.map(({ title, links }) => (
        <Column key={title} title={title}>
          <Links links={links} />
        </Column>
      ))}
      <Column title="Contact">
        <address className="space-y-2 not-italic text-muted">
          <p>
            {[branding.company, ...branding.addressLines].map((line) => (
              <span key={line} className="block">
                {line}
              </span>
            ))}
          </p>
          <p>
            <FooterLink url={`mailto:${contact.email}`} label={contact.email} />
          </p>
          <p>
            <FooterLink url={phoneUrl(contact.phone)} label={contact.phone} />
          </p>
        </address>
      </Column>
      {branding.socialLinks.length > 0 && (
        <Column title="Follow us">
          <Links links={branding.socialLinks} />
        </Column>
      )}
    </div>
  );
}

/** A column of links; on a phone a row that opens. */
function Column({ title, children }: { title: string; children: ReactNode }) {
  const wide = useMedia('(min-width: 40rem)');
  if (wide) {
    return (
      <section>
        <h2 className="mb-3 text-base">{title}</h2>
        {children}
      </section>
    );
  }
  return (
    <details className="group border-b border-line">
      <summary className="flex min-h-11 items-center justify-between">
        <h2 className="text-base">{title}</h2>
        <ChevronDownIcon size={18} className="text-muted group-open:rotate-180" />
      </summary>
      <div className="pb-4">{children}</div>
    </details>
  );
}

const Links = ({ links }: { links: Link[] }) => (
  <ul className="space-y-1">
    {links.map((link) => (
      <li key={link.label}>
        <FooterLink {...link} />
      </li>
    ))}
  </ul>
);

const FooterLink = ({ label, url }: Link) => (
  <a
    href={url}
    className="inline-block py-1 wrap-anywhere text-muted hover:text-brand hover:underline"
  >
    {label}
  </a>
);

function SmallPrint({ branding }: { branding?: Branding }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-4 border-line text-muted sm:border-t sm:pt-6">
      <Copyright branding={branding} />
      {branding && branding.badges.length > 0 && (
        <ul aria-label="Certifications" className="flex flex-wrap gap-2">
          {branding.badges.map((badge) => (
            <li key={badge} className="rounded-control border border-line px-2 py-0.5 font-medium">
              {badge}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const Copyright = ({ branding }: { branding?: Branding }) => (
  <p>{`© ${branding?.copyrightYear ?? 2022} ${branding?.company ?? 'Vision'}`}</p>
);
