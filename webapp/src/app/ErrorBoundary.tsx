import { Component, type ReactNode } from 'react';
import { Button } from '@/components/Button';
import { PageTitle } from '@/components/PageTitle';
import { ChunkLoadError } from '@/lib/load-chunk';
import { logFailure } from '@/lib/log';

interface ErrorBoundaryProps {
  children: ReactNode;
  /** Called by the reload button. Reloads the page by default. */
  reload?: () => void;
  /** Replaces the failed children. By default it is an error with a reload button. */
  fallback?: ReactNode;
}

/** Shows an error with a reload button when a screen throws or its script fails to load. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  override state = { error: undefined as unknown };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    logFailure('A screen could not be shown', error);
  }

  override render() {
    const { children, fallback, reload = () => window.location.reload() } = this.props;
    const { error } = this.state;
    if (error === undefined) return children;
    return fallback === undefined ? <ErrorScreen error={error} reload={reload} /> : fallback;
  }
}

function ErrorScreen({ error, reload }: { error: unknown; reload: () => void }) {
  const isChunkError = error instanceof ChunkLoadError;
  return (
    <div role="alert" className="page py-16">
      <PageTitle>{isChunkError ? 'This page did not load' : 'Something went wrong'}</PageTitle>
      <p className="mt-4 max-w-xl">
        {isChunkError
          ? 'The connection may have been lost, or a new version has come out. Loading the page again usually helps.'
          : 'Something failed on our side. Loading the page again usually helps.'}
      </p>
      <Button onClick={reload} className="mt-6">
        Reload the page
      </Button>
      {isChunkError && <p className="mt-6 text-sm text-muted">ChunkLoadError</p>}
    </div>
  );
}
