import { lazy, type ReactNode, Suspense, useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { Announcements } from '@/components/Announcements';
import { Loading } from '@/components/Loading';
import { ConfigContext, useLoadedConfig } from '@/modules/config/config-store';
import { useSession } from '@/modules/session/session-store';
import { ErrorBoundary } from './ErrorBoundary';
import { Header } from './Header';
import { useKeptFocus } from './use-kept-focus';

/** Header, banner and footer around every screen. */
export function Shell({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  useScrollToTop(pathname);
  useKeptFocus();
  return (
    <>
      <a
        href="#main"
        className="absolute top-2 left-2 z-20 -translate-y-24 rounded-control bg-brand px-4 py-2 font-semibold text-on-brand focus:translate-y-0"
      >
        Skip to content
      </a>
      <Header />
      <Attention />
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

/** Below the window at first, so its code is no part of the first script. */
const Footer = lazy(() => import('./Footer').then((file) => ({ default: file.Footer })));

const Banners = lazy(() => import('./Banners').then((file) => ({ default: file.Banners })));

/** Renders what needs the organisation's attention; its code is loaded only then. */
function Attention() {
  const session = useSession();
  const config = useLoadedConfig();
  const { pathname } = useLocation();
  const user = session.status === 'signedIn' ? session.user : null;
  if (!(user?.openPayment || user?.hold) || !config) return null;
  return (
    <ErrorBoundary fallback={null}>
      <Suspense>
        <ConfigContext value={config}>
          <Banners {...{ user, pathname }} />
        </ConfigContext>
      </Suspense>
    </ErrorBoundary>
  );
}

/** Scrolls to the top on navigation; the browser restores the position on Back. */
function useScrollToTop(pathname: string) {
  const back = useNavigationType() === 'POP';
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the path is what counts
  useLayoutEffect(() => {
    if (!back) window.scrollTo(0, 0);
  }, [pathname]);
}
