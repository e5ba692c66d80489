import { lazy, Suspense, useId, useRef } from 'react';
import { CrossIcon, MenuIcon } from '@/components/icons';
import { cx } from '@/lib/cx';
import { loadChunk } from '@/lib/load-chunk';
import { paths, routes } from '@/lib/paths';
import { useLoadedConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';
import { useSession } from '@/modules/session/session-store';
import { ErrorBoundary } from './ErrorBoundary';
import { HeaderItem, headerLinkClass, RouteLink } from './RouteLink';
import { useMenu } from './use-menu';

/** The logo and the main navigation, collapsed behind a menu button on small screens. */
export function Header() {
  const button = useRef<HTMLButtonElement>(null);
  const { isOpen, toggle } = useMenu(button);
  const id = useId();

  return (
    <header className="border-b border-line bg-surface">
      <div className="page flex flex-wrap items-center gap-x-6 wide:min-h-16 wide:flex-nowrap">
        <AppLink
          entersArea
          to={routes.plans}
          translate="no"
          className="flex min-h-14 items-center gap-2.5 rounded-control text-xl font-heading"
        >
          <WordMark />
        </AppLink>
        <button
          ref={button}
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={toggle}
          className="-mr-2 ml-auto flex min-h-11 items-center gap-2 rounded-control px-2 text-sm font-semibold wide:hidden"
        >
          {isOpen ? <CrossIcon /> : <MenuIcon />}
          <span>Menu</span>
        </button>
        <nav
          id={id}
          aria-label="Main"
          className={cx(
            isOpen ? 'block' : 'hidden',
            'w-full border-t border-line py-2 wide:flex wide:w-auto wide:grow wide:border-0 wide:py-0',
          )}
        >
          <HeaderLinks />
          <SessionLinks />
        </nav>
      </div>
    </header>
  );
}

/** The product's own name, which the style sheet draws. Other names are set in the page's typeface. */
const outlinedName = 'Vision';

function WordMark() {
  const name = useLoadedConfig()?.branding.name ?? outlinedName;
  return (
    <>
      <svg aria-hidden="true" viewBox="0 0 32 32" className="size-8">
        <rect width="32" height="32" rx="8" className="fill-brand" />
        <path d="M7.5 10.5l7 13h3l7-13" className="fill-none stroke-on-brand stroke-3" />
        <circle cx="16" cy="10.5" r="2.5" className="fill-on-brand" />
      </svg>
      {name === outlinedName ? (
        <span className="wordmark">
          <span className="sr-only">{name}</span>
        </span>
      ) : (
        <span>{name}</span>
      )}
    </>
  );
}

function HeaderLinks() {
  const links = useLoadedConfig()?.branding.headerLinks ?? [];
  return (
    <ul className="-mx-3 wide:mx-0 wide:flex wide:grow wide:flex-wrap">
      <HeaderItem>
        <RouteLink to={routes.plans}>PRICING</RouteLink>
      </HeaderItem>
      <HeaderItem>
        <a href={paths.root} className={headerLinkClass}>
          Join Meeting
        </a>
      </HeaderItem>
      {links.map(({ label, url }) => (
        <HeaderItem key={label}>
          <a href={url} className={headerLinkClass}>
            {label}
          </a>
        </HeaderItem>
      ))}
    </ul>
  );
}

const SignedInLinks = lazy(() => loadChunk(import('./SignedInLinks')));

/** The links of the session. Renders an empty list while the session loads, so that the layout does not shift. */
function SessionLinks() {
  const session = useSession();
  return (
    <ul className="-mx-3 wide:ml-0 wide:flex wide:min-h-11 wide:flex-wrap wide:justify-end">
      {session.status === 'signedIn' && (
        <ErrorBoundary fallback={null}>
          <Suspense>
            <SignedInLinks user={session.user} />
          </Suspense>
        </ErrorBoundary>
      )}
      {session.status === 'signedOut' && (
        <HeaderItem>
          <RouteLink to={routes.dash}>Sign In</RouteLink>
        </HeaderItem>
      )}
    </ul>
  );
}
