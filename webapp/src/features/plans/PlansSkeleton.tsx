import { Skeleton } from '@/ui/Skeleton';

/** Holds the place of controls and cards; of the comparison nothing shows yet. */
export function PlansSkeleton() {
  return (
    <>
      <p role="status" className="sr-only">
        Loading...
      </p>
      <div className="flex flex-wrap justify-between gap-4">
        <Skeleton className="h-13 w-72" />
        <Skeleton className="h-13 w-96 max-w-full" />
      </div>
      <div className="@container mt-6">
        <div className="plan-grid">
          <div className="row-span-4 hidden @min-[69rem]:block" />
          {['a', 'b', 'c', 'd'].map((key) => (
            <Skeleton key={key} className="row-span-4 h-80 rounded-card" />
          ))}
        </div>
      </div>
    </>
  );
}
