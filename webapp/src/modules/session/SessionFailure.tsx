import { Button } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { useSessionStore } from './session-store';

/** Shown above a sign-in form when the session could not be fetched. */
export function SessionFailure() {
  const refresh = useSessionStore((store) => store.refresh);
  return (
    <Notice tone="danger" className="mt-6" title="Please try again later!">
      <p>We could not find out whether you are signed in.</p>
      <Button look="secondary" className="mt-3" onClick={() => void refresh()}>
        Try again
      </Button>
    </Notice>
  );
}
