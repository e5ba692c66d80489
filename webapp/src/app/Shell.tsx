import { lazy, type ReactNode, Suspense, useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { Announcements } from '@/components/Announcements';
import { Loading } from '@/components/Loading';
import { ConfigContext, useLoadedConfig } from '@/modules/config/config-store';
import { useSession } from '@/modules/session/session-store';
import { ErrorBoundary } from './ErrorBoundary';
import { Header } from './Header';
import { useFocusFallback } from './use-focus-fallback';

/** The header, the banner and the footer around every screen. */
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
      <AccountBanner />
      <main id="main" tabIndex={-1} className="grow">
        <ErrorBoundary key={pathname}>
          <Suspense fallback={<Loading />}>{children}</Suspense>
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

/** The footer is loaded after the first script, because it is below the visible part of the page. */
const Footer = lazy(() => import('./Footer').then((file) => ({ default: file.Footer })));

const Banners = lazy(() => import('./Banners').then((file) => ({ default: file.Banners })));

/** Renders the banner about an open or disputed payment. Its code is loaded only for such a payment. */
function AccountBanner() {
  const session = useSession();
  const config = useLoadedConfig();
  const { pathname } = useLocation();
  const user = session.status === 'signedIn' ? session.user : null;
  if (!(user?.openPayment || user?.hold) || !config) return null;
  return (
    <ErrorBoundary fallback={null}>
      <Suspense>
        <ConfigContext value={config}>
          <Banners user={user} pathname={pathname} />
        </ConfigContext>
      </Suspense>
    </ErrorBoundary>
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
