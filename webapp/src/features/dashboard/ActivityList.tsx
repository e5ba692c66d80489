import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { type Activity, listActivity } from '@/api/activity';
import { Button } from '@/components/Button';
import { LoadFailure } from '@/components/LoadFailure';
import { Notice } from '@/components/Notice';
import { useConfig } from '@/modules/config/config-store';
import { longDateTime } from '@/modules/session/date-times';
import { ActivitySkeleton } from './ActivitySkeleton';
import { activityText } from './activity-text';

/** Loads the activity, newest first, a page at a time. */
const activityQuery = infiniteQueryOptions({
  queryKey: ['activity'],
  queryFn: ({ pageParam }) => listActivity(pageParam),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ data, hasMore }) => (hasMore ? data.at(-1)?.id : undefined),
  meta: { failure: 'The activity could not be loaded' },
});

/** What happened to the organisation, newest first, with a button for older activities. */
export default function ActivityList() {
  const query = useInfiniteQuery(activityQuery);
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError } = query;
  if (query.isPending) return <ActivitySkeleton />;
  if (query.isError && !isFetchNextPageError) {
    return (
      <LoadFailure retry={() => void query.refetch()}>
        The activity could not be loaded. Nothing was changed.
      </LoadFailure>
    );
  }
  return (
    <>
      <Rows activities={data?.pages.flatMap((page) => page.data) ?? []} hasOlder={hasNextPage} />
      {isFetchNextPageError && !isFetchingNextPage && (
        <Notice tone="danger" className="mt-4" title="Please try again later!">
          <p>Older activities could not be loaded.</p>
        </Notice>
      )}
      {hasNextPage && (
        <Button
          variant="secondary"
          className="mt-4"
          busy={isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Show older activity
        </Button>
      )}
    </>
  );
}

function Rows({ activities, hasOlder }: { activities: Activity[]; hasOlder: boolean }) {
  const config = useConfig();
  const rows = activities.flatMap((activity) => {
    const text = activityText(activity, config);
    return text === null ? [] : [{ ...activity, text }];
  });
  if (rows.length === 0) return hasOlder ? null : <p>Nothing has happened yet.</p>;
  return (
    <ol className="divide-y divide-line text-sm">
      {rows.map(({ id, at, text }) => (
        <li key={id} className="py-3 sm:flex sm:flex-row-reverse sm:justify-end sm:gap-6">
          <p className="wrap-anywhere">{text}</p>
          <p className="text-muted sm:w-72 sm:shrink-0">
            <time dateTime={at}>{longDateTime(new Date(at), config.timeZone)}</time>
          </p>
        </li>
      ))}
    </ol>
  );
}
