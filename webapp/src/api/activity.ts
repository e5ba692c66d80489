import { get } from './client';
import { type Decoder, flag, id, list, object, oneOf, optional, text, time } from './decode';
import { money, role } from './parts';
import type { Money, Role } from './types';

// The specification does not name this call.

/** An event of the organisation. The kind determines which optional fields are present. */
export interface Activity {
  id: string;
  at: string;
  /** The name of the event, such as `plan.changed`. */
  kind: string;
  /** Who caused it. `provider` includes events of the clock, such as the end of a trial. */
  actor: 'member' | 'support' | 'provider';
  /** The name of the member who caused it; '' for a former member. */
  name: string;
  /** The name of the member whose membership changed. */
  member: string;
  priceId?: string;
  status?: string;
  role?: Role;
  amount?: Money;
  number?: string;
  /** When the plan ends or is changed. */
  effectiveAt?: string;
}

export interface ActivityPage {
  data: Activity[];
  hasMore: boolean;
}

const activity = object<Activity>({
  id,
  at: time,
  kind: text,
  actor: oneOf<Activity['actor']>('member', 'support', 'provider'),
  name: optional(text, ''),
  member: optional(text, ''),
  priceId: optional(text),
  status: optional(text),
  role: optional(role),
  amount: optional(money),
  number: optional(text),
  effectiveAt: optional(time),
});

/** Decodes the rows, without those that are malformed. */
const activities: Decoder<Activity[]> = (value, path) =>
  list(optional(activity))(value, path).filter((row) => row !== undefined);

export const activityPage = object<ActivityPage>({ data: activities, hasMore: flag });

/** Returns the activities of the organisation, newest first; with the id of an activity, those before it. */
export const listActivity = (before?: string) =>
  get(
    before === undefined
      ? '/vc-admin/org/activity'
      : `/vc-admin/org/activity?before=${encodeURIComponent(before)}`,
    activityPage,
  );
