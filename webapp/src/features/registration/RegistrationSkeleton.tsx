import { CardSkeleton, Skeleton } from '@/components/Loading';

/** The outline of the registration while its script, the session or the configuration loads. */
export const RegistrationSkeleton = () => (
  <>
    <p role="status" className="sr-only">
      Loading...
    </p>
    <Skeleton className="mt-2 h-5 w-80 max-w-full" />
    <CardSkeleton className="mt-6 h-96" />
  </>
);
