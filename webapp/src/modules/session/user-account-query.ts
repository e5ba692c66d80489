import { queryOptions } from '@tanstack/react-query';
import { getUserAccount } from '@/api';

/** Loads the profile, the factors and the sessions of the signed-in user. */
export const userAccountQuery = queryOptions({
  queryKey: ['userAccount'],
  queryFn: getUserAccount,
  meta: { failure: 'The account could not be loaded' },
});
