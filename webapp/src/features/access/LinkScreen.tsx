import { type ReactNode, useCallback, useEffect, useState } from 'react';
import type { ApiError } from '@/api';
import { Button } from '@/components/Button';
import { Loading } from '@/components/Loading';
import { Notice } from '@/components/Notice';
import { AccessFrame } from './AccessFrame';
import { useToken } from './use-token';

interface LinkScreenProps<T> {
  title: string;
  /** Loads what the link with the token is about. */
  show: (token: string) => Promise<T>;
  /** What to do when the link is unknown or too old. */
  unknown: ReactNode;
  children: (content: T, token: string) => ReactNode;
}

/** The screen of a link in an email: what it is about, once that is loaded. */
export function LinkScreen<T>({ title, show, unknown, children }: LinkScreenProps<T>) {
  const token = useToken();
  const { link, load } = useLink(token, show);
  switch (link.status) {
    case 'loading':
      return (
        <AccessFrame title={title}>
          <Loading />
        </AccessFrame>
      );
    case 'failed':
      return (
        <LinkFailure title={title} error={link.error} retry={() => void load()}>
          {unknown}
        </LinkFailure>
      );
    case 'shown':
      return children(link.content, token);
  }
}

type LinkContent<T> =
  | { status: 'loading' }
  | { status: 'failed'; error: ApiError }
  | { status: 'shown'; content: T };

/** Loads what the link with this token is about. */
function useLink<T>(token: string, show: (token: string) => Promise<T>) {
  const [link, setLink] = useState<LinkContent<T>>({ status: 'loading' });
  const load = useCallback(async () => {
    setLink({ status: 'loading' });
    try {
      setLink({ status: 'shown', content: await show(token) });
    } catch (error) {
      setLink({ status: 'failed', error: error as ApiError });
    }
  }, [token, show]);
  useEffect(() => void load(), [load]);
  return { link, load };
}

interface LinkFailureProps {
  /** The title of the screen. */
  title: string;
  error: ApiError;
  retry: () => void;
  /** What to do when the link is unknown or too old. */
  children: ReactNode;
}

/** Shown when what a link is about could not be loaded. */
function LinkFailure({ title, error, retry, children }: LinkFailureProps) {
  if (error.status === 404) {
    return (
      <AccessFrame title="This link is unknown or too old" focused>
        {children}
      </AccessFrame>
    );
  }
  return (
    <AccessFrame title={title}>
      <Notice tone="danger" className="mt-6" title="Please try again later!">
        {error.message && <p>{error.message}</p>}
        <Button look="secondary" className="mt-3" onClick={retry}>
          Try again
        </Button>
      </Notice>
    </AccessFrame>
  );
}
