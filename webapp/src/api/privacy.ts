import { get, post, postForDocument } from './client';
import { nullable, object, optional, text, time } from './decode';

// The specification does not name these calls.

/** What an owner can do with the organisation's data. */
export interface Privacy {
  /** The name of the organisation, which confirms a request for the deletion. */
  organisation: string;
  /** The request for the deletion; null without one. */
  erasure: { requestedAt: string; dueAt: string } | null;
  /** Why the data can't be deleted now; absent if it can. */
  obstacle?: string;
  /** The midnight UTC until which invoices are kept; absent without invoices. */
  keepUntil?: string;
}

export const privacy = object<Privacy>({
  organisation: text,
  erasure: nullable(object({ requestedAt: time, dueAt: time })),
  obstacle: optional(text),
  keepUntil: optional(time),
});

export const showPrivacy = () => get('/vc-admin/org/privacy', privacy);

/** Returns all data of the organisation as a JSON file. */
export const exportData = () => postForDocument('/vc-admin/org/privacy/export', 'application/json');

/** Requests the deletion of the organisation, confirmed by its name. */
export const requestErasure = (confirmation: string) =>
  post('/vc-admin/org/privacy/erasure/request', privacy, { confirmation });

/** Withdraws the request for the deletion. */
export const withdrawErasure = () => post('/vc-admin/org/privacy/erasure/withdraw', privacy);
