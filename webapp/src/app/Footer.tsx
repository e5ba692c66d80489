import type { ReactNode } from 'react';
import type { Branding, Config, Link } from '@/api';
import { ChevronDownIcon, ShieldIcon } from '@/components/icons';
import { useConfigStore } from '@/lib/config-store';
import { phoneUrl } from '@/lib/paths';
import { useSession } from '@/lib/session-store';
import { useMedia } from '@/lib/use-media';

/**
 * Marketing links, contact details, certifications and copyright.
 * Renders nothing until session and configuration are loaded, so that the footer never grows.
 */
export function Footer() {
  const { state } = useConfigStore();
  const session = useSession();
  const config = state.status === 'ready' ? state.config : null;
  if (session.status === 'loading' || (!config && state.status !== 'failed')) return null;
  return (
    <footer className="mt-12 border-t border-line bg-surface text-sm">
      <div className="page pt-1 pb-3 sm:pt-8 sm:pb-6">
        {config && <Columns {...config} />}
        <SmallPrint branding={config?.branding} />
      </div>
    </footer>
  );
}

function Columns({ branding, contact }: Config) {
  return (
    <div className="footer-grid mb-3 sm:mb-8">
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

/** A column of links; on a phone a heading that opens it. */
function Column({ title, children }: { title: string; children: ReactNode }) {
  const wide = useMedia('(min-width: 40rem)');
  if (wide) {
    return (
      <section>
        <h2 className="mb-2 text-sm tracking-normal">{title}</h2>
        {children}
      </section>
    );
  }
  return (
    <details className="group border-b border-line">
      <summary className="flex min-h-11 items-center justify-between">
        <h2 className="text-sm tracking-normal">{title}</h2>
        <ChevronDownIcon size={16} className="text-muted group-open:rotate-180" />
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
  <a href={url} className="inline-block py-1 wrap-anywhere text-muted hover:text-brand">
    {label}
  </a>
);

function SmallPrint({ branding }: { branding?: Branding }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line text-muted sm:border-t sm:pt-4">
      <p>{`© ${branding?.copyrightYear ?? 2022} ${branding?.company ?? 'Vision'}`}</p>
      {branding && branding.badges.length > 0 && (
        <ul aria-label="Certifications" className="flex flex-wrap gap-x-4 gap-y-1">
          {branding.badges.map((badge) => (
            <li key={badge} className="flex items-center gap-1.5">
              <ShieldIcon size={16} />
              {badge}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
