import { Spinner } from './Spinner';

/** The 'Loading...' indicator, in sight and in words. */
export function Loading({ label = 'Loading...' }: { label?: string }) {
  return (
    <p role="status" className="flex items-center justify-center gap-3 py-16 text-muted">
      <Spinner /> {label}
    </p>
  );
}
