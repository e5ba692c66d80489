import { queryOptions } from '@tanstack/react-query';
import { listMembers } from '@/api/members';

/** Loads the members and, for owners, the invitations. */
export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: listMembers,
  meta: { failure: 'The members could not be loaded' },
});
