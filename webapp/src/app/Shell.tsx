import { lazy, type ReactNode, Suspense, useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { Announcements } from '@/components/Announcements';
import { Loading } from '@/components/Loading';
import { BannerContext } from '@/components/PageBanner';
import { loadChunk } from '@/lib/load-chunk';
import { ConfigContext } from '@/modules/config/config-store';
import { useSession, useSessionStore } from '@/modules/session/session-store';
import { useScreenConfig } from '@/modules/session/use-screen-config';
import { loadedBanners } from './banner-loader';
import { ErrorBoundary } from './ErrorBoundary';
import { Header } from './Header';
import { useFocusFallback } from './use-focus-fallback';

/** Renders every screen between the header and the footer, and provides the banner for the layout of the screen. */
export function Shell({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  useScrollToTop(pathname);
  useFocusFallback();
  return (
    <>
      <a
        href="#main"
        className="absolute top-2 left-2 z-20 -translate-y-24 rounded-control bg-brand px-4 py-2 font-semibold text-on-brand focus:translate-y-0"
      >
        Skip to content
      </a>
      <Header />
      <main id="main" tabIndex={-1} className="grow">
        <ErrorBoundary key={pathname}>
          <BannerContext value={<AccountBanner />}>
            <Suspense fallback={<Loading />}>
              <OrganisationGate>{children}</OrganisationGate>
            </Suspense>
          </BannerContext>
        </ErrorBoundary>
      </main>
      <ErrorBoundary fallback={null}>
        <Suspense>
          <Footer />
        </Suspense>
      </ErrorBoundary>
      <Announcements />
    </>
  );
}

const OrganisationPage = lazy(() => loadChunk(import('./OrganisationPage')));

/**
 * Hides the screen while the user has to choose an organisation, without losing the input in its forms. Pages of links in
 * emails are shown before the choice.
 */
function OrganisationGate({ children }: { children: ReactNode }) {
  const session = useSession();
  const asksOrganisation = useSessionStore((store) => store.asksOrganisation);
  const isLinkPage = useLocation().pathname.startsWith('/vc-admin/auth/');
  const isSignedIn = session.status === 'signedIn';
  const hasChoice =
    isSignedIn && asksOrganisation && !isLinkPage && (session.user.organisations?.length ?? 0) > 1;
  const isHidden = isSignedIn && (hasChoice || Boolean(session.switchedTo));
  return (
    <>
      {isHidden && <OrganisationPage session={session} />}
      <div hidden={isHidden} className="contents">
        {children}
      </div>
    </>
  );
}

/** The footer is loaded after the first script, because it is below the visible part of the page. */
const Footer = lazy(() => loadChunk(import('./Footer')));

/** The banner about an open or disputed payment, whose code was loaded together with the session. */
function AccountBanner() {
  const session = useSession();
  const config = useScreenConfig();
  const { pathname } = useLocation();
  const Banners = loadedBanners();
  if (session.status !== 'signedIn' || !config || !Banners) return null;
  return (
    <ConfigContext value={config}>
      <Banners user={session.user} pathname={pathname} />
    </ConfigContext>
  );
}

/** Scrolls to the top on navigation; the browser restores the position on Back. */
function useScrollToTop(pathname: string) {
  const isBack = useNavigationType() === 'POP';
  // biome-ignore lint/correctness/useExhaustiveDependencies: it scrolls only when the path changes
  useLayoutEffect(() => {
    if (!isBack) window.scrollTo(0, 0);
  }, [pathname]);
}
