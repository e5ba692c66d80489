import type { Privacy } from '../../src/api/privacy';

/** Replaces src/api/privacy on this page. Requests and withdraws a deletion in memory, and sends no request. */
export type * from '../../src/api/privacy';
export const showPrivacy = async () => privacy;
export const requestErasure = async (): Promise<Privacy> => ({ ...privacy, erasure });
export const withdrawErasure = async () => privacy;
export const exportData = async () => new Blob(['{}'], { type: 'application/json' });

const privacy: Privacy = {
  organisation: 'Byron Clinic',
  erasure: null,
  keepUntil: '2037-01-01T00:00:00Z',
};

const erasure = { requestedAt: '2026-11-28T10:00:00Z', dueAt: '2026-12-12T10:00:00Z' };
