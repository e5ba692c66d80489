import { Skeleton } from '@/components/Loading';

/** The placeholder of the activity. */
export const ActivitySkeleton = () => (
  <div role="status" className="space-y-4">
    <span className="sr-only">Loading the activity...</span>
    <Skeleton className="h-6" />
    <Skeleton className="h-6" />
    <Skeleton className="h-6 w-3/5" />
  </div>
);
