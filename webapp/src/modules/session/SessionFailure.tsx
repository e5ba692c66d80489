import { Button } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { useSessionStore } from './session-store';

/** Reports above a sign-in form that the session could not be fetched, with a Try again button. */
export function SessionFailure() {
  const refresh = useSessionStore((store) => store.refresh);
  return (
    <Notice tone="danger" className="mt-6" title="Please try again later!">
      <p>We could not find out whether you are signed in.</p>
      <Button variant="secondary" className="mt-3" onClick={() => void refresh()}>
        Try again
      </Button>
    </Notice>
  );
}
