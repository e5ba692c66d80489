import { get } from './client';
import { type Decoder, flag, id, list, object, oneOf, optional, text, time } from './decode';
import { money, role } from './parts';
import type { Money, Role } from './types';

// The specification does not name this call.

/** Something that happened to the organisation. The kind decides which optional fields are present. */
export interface Activity {
  id: string;
  at: string;
  /** What happened, such as `plan.changed`. */
  kind: string;
  /** Who did it; `provider` also stands for the passing of time. */
  actor: 'member' | 'support' | 'provider';
  /** The name of the member who did it; '' for a former member. */
  name: string;
  /** The name of the member whom it is about. */
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

/** Returns what happened to the organisation, newest first; with an id, what happened before it. */
export const listActivity = (before?: string) =>
  get(
    before === undefined
      ? '/vc-admin/org/activity'
      : `/vc-admin/org/activity?before=${encodeURIComponent(before)}`,
    activityPage,
  );
