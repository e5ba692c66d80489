import type { ReactElement } from 'react';
import type { Branding, Config, Link } from '@/api';
import { ChevronDownIcon, ShieldIcon } from '@/components/icons';
import { cx } from '@/lib/cx';
import { phoneUrl } from '@/lib/paths';
import { useMedia } from '@/lib/use-media';
import { useConfigStore } from '@/modules/config/config-store';
import { useSession } from '@/modules/session/session-store';

/**
 * Marketing links, contact details, certifications and copyright, in columns that are collapsed on a phone. Renders nothing
 * until the session and the configuration are loaded, so that the footer does not grow.
 */
export default function Footer() {
  const { state } = useConfigStore();
  const session = useSession();
  const isPhone = !useMedia('(min-width: 40rem)');
  const config = state.status === 'ready' ? state.config : null;
  if (session.status === 'loading' || (!config && state.status !== 'failed')) return null;
  return (
    <footer className="mt-12 border-t border-line bg-surface text-sm">
      <div className="page pt-1 pb-3 sm:pt-8 sm:pb-6">
        {config && <Columns {...config} collapsed={isPhone} />}
        <SmallPrint branding={config?.branding} />
      </div>
    </footer>
  );
}

function Columns({ branding, contact, collapsed }: Config & { collapsed: boolean }) {
  return (
    <div className={cx('footer-grid', collapsed ? 'mb-3' : 'mb-8')}>
      {branding.footerColumns.map(({ title, links }) => (
        <Column key={title} title={title} collapsed={collapsed}>
          <Links links={links} />
        </Column>
      ))}
      <Column title="Contact" collapsed={collapsed}>
        <address translate="no" className="space-y-1 not-italic text-muted">
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
        <Column title="Follow us" collapsed={collapsed}>
          <Links links={branding.socialLinks} />
        </Column>
      )}
    </div>
  );
}

interface ColumnProps {
  title: string;
  /** Whether only the heading is shown, which opens the column. */
  collapsed: boolean;
  children: ReactElement;
}

function Column({ title, collapsed, children }: ColumnProps) {
  if (!collapsed) {
    return (
      <section>
        <h2 className="mb-2 text-sm tracking-normal">{title}</h2>
        {children}
      </section>
    );
  }
  return (
    <details className="group border-line max-sm:border-b">
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
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line text-muted sm:not-first:border-t sm:not-first:pt-4">
      <p>{`© ${branding?.copyrightYear ?? 2022} ${branding?.company ?? 'Vision'}`}</p>
      {branding && branding.badges.length > 0 && (
        <ul aria-label="Certifications" className="flex flex-wrap gap-x-4 gap-y-1">
          {branding.badges.map((badge) => (
            <li key={badge} className="flex items-center gap-1.5">
              <ShieldIcon size={16} />
              <span>{badge}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
