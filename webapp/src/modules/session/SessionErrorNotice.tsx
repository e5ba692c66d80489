import { Button } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { useSessionStore } from './session-store';

/** Reports that a part of the session could not be loaded or created, and offers to load it again. */
export function SessionErrorNotice({ error }: { error: Pick<Error, 'message'> | null }) {
  const refresh = useSessionStore((store) => store.refresh);
  if (!error) return null;
  return (
    <Notice tone="danger" className="mb-6" title="Please try again later!">
      {error.message && <p>{error.message}</p>}
      <Button variant="secondary" className="mt-3" onClick={() => void refresh()}>
        Try again
      </Button>
    </Notice>
  );
}
