import { type ReactElement, useCallback, useEffect, useState } from 'react';
import type { ApiError } from '@/api';
import { Button } from '@/components/Button';
import { Loading } from '@/components/Loading';
import { Notice } from '@/components/Notice';
import type { Elements } from '@/lib/elements';
import { AccessFrame } from './AccessFrame';
import { useToken } from './use-token';

interface LinkScreenProps<T> {
  title: string;
  /** Loads the content of the link with this token. */
  load: (token: string) => Promise<T>;
  /** The title of the screen when the link is unknown or too old. */
  unknownLinkTitle?: string;
  /** Explains what to do when the link is unknown or too old. */
  unknownLinkHelp: Elements;
  children: (content: T, token: string) => ReactElement;
}

/** The screen of a link in an email. It loads the content of the link and renders its children with it. */
export function LinkScreen<T>(props: LinkScreenProps<T>) {
  const { title, load, unknownLinkTitle, unknownLinkHelp, children } = props;
  const token = useToken();
  const { link, reload } = useLink(token, load);
  switch (link.status) {
    case 'loading':
      return (
        <AccessFrame title={title}>
          <Loading />
        </AccessFrame>
      );
    case 'failed':
      return (
        <LinkFailure
          title={title}
          error={link.error}
          retry={() => void reload()}
          unknownLinkTitle={unknownLinkTitle}
          unknownLinkHelp={unknownLinkHelp}
        />
      );
    case 'loaded':
      return children(link.content, token);
  }
}

type LinkState<T> =
  | { status: 'loading' }
  | { status: 'failed'; error: ApiError }
  | { status: 'loaded'; content: T };

/** Loads the content of the link on mount; `reload` loads it again. */
function useLink<T>(token: string, load: (token: string) => Promise<T>) {
  const [link, setLink] = useState<LinkState<T>>({ status: 'loading' });
  const reload = useCallback(async () => {
    setLink({ status: 'loading' });
    try {
      setLink({ status: 'loaded', content: await load(token) });
    } catch (error) {
      setLink({ status: 'failed', error: error as ApiError });
    }
  }, [token, load]);
  useEffect(() => void reload(), [reload]);
  return { link, reload };
}

interface LinkFailureProps {
  /** The title of the screen. */
  title: string;
  error: ApiError;
  retry: () => void;
  unknownLinkTitle?: string | undefined;
  unknownLinkHelp: Elements;
}

/** Says that the link is unknown or too old, or that its content could not be loaded. */
function LinkFailure(props: LinkFailureProps) {
  const { title, error, retry, unknownLinkTitle, unknownLinkHelp } = props;
  if (error.status === 404) {
    return (
      <AccessFrame title={unknownLinkTitle ?? 'This link is unknown or too old'} focusOnMount>
        {unknownLinkHelp}
      </AccessFrame>
    );
  }
  return (
    <AccessFrame title={title}>
      <Notice tone="danger" className="mt-6" title="Please try again later!">
        {error.message && <p>{error.message}</p>}
        <Button variant="secondary" className="mt-3" onClick={retry}>
          Try again
        </Button>
      </Notice>
    </AccessFrame>
  );
}
