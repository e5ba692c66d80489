import type { ReactNode } from 'react';
import type { Branding, Config, Link } from '@/api';
import { useConfig } from '@/lib/config-store';

/** Marketing links, contact details, certifications and copyright. */
export function Footer() {
  const config = useConfig();
  return (
    <footer className="mt-16 border-t border-line bg-surface text-sm">
      <div className="page py-10">
        {config && <Columns {...config} />}
        <SmallPrint branding={config?.branding} />
      </div>
    </footer>
  );
}

function Columns({ branding, contact }: Config) {
  return (
    <div className="mb-10 grid gap-8 sm:grid-cols-2 lg:grid-cols-4">
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
            <FooterLink url={`tel:${contact.phone.replace(/[^+\d]/g, '')}`} label={contact.phone} />
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

function Column({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-3 text-base">{title}</h2>
      {children}
    </section>
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
    <div className="flex flex-wrap items-center justify-between gap-4 border-t border-line pt-6 text-muted">
      <p>{`© ${branding?.copyrightYear ?? 2022} ${branding?.company ?? 'Vision'}`}</p>
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
