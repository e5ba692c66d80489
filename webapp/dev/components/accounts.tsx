import { lazy, Suspense, useState } from 'react';
import type { Role } from '@/api';
import { QrCode } from '@/features/account/QrCode';
import { RecoveryCodes } from '@/features/account/RecoveryCodes';
import { ActivitySection } from '@/features/dashboard/ActivitySection';
import { ActivitySkeleton } from '@/features/dashboard/ActivitySkeleton';
import { MemberRow } from '@/features/members/MemberRow';
import { RoleChoice } from '@/features/members/RoleChoice';
import { noop } from './examples';
import type { Section } from './section';

// Screens load these components lazily too.
const ActivityList = lazy(() => import('@/features/dashboard/ActivityList'));
const DataSection = lazy(() => import('@/features/account/DataSection'));

function RoleChoiceExample() {
  const [role, setRole] = useState<Role>('member');
  return <RoleChoice legend="Role" value={role} onChange={setRole} />;
}

function RecoveryCodesExample() {
  const [isSaved, setIsSaved] = useState(false);
  const codes = ['7KQ2MXW4PB3D', 'H5RT9CVN6YJA', '3FZL8GSE2KQW', 'N4DX7TPB5MRC'];
  return <RecoveryCodes codes={codes} isSaved={isSaved} onSaved={setIsSaved} />;
}

const member = {
  userId: 'usr_1',
  firstName: 'Sam',
  lastName: 'Roe',
  email: 'sam@byron-clinic.example',
  role: 'billing',
  joinedAt: '2026-11-20T10:00:00Z',
} as const;

const memberRow = {
  member,
  isSelf: false,
  canChangeRole: true,
  canRemove: true,
  busy: false,
  onChangeRole: async () => true,
  onRemove: noop,
};

/** The modules of a QR code of version 1, as a pattern that cannot be scanned. */
const qrRows = Array.from({ length: 21 }, (_, y) =>
  Array.from({ length: 21 }, (_, x) => ((x * x + y * y + x * y) % 3 === 0 ? '1' : '0')).join(''),
);

/** Sections with the activity of an organisation, its data, its members, and the second factors of a user. */
export const accountSections: Section[] = [
  { names: ['ActivitySection'], states: { closed: <ActivitySection /> } },
  {
    names: ['ActivityList', 'ActivitySkeleton'],
    wide: true,
    states: {
      'with older activities': (
        <div className="page">
          <Suspense fallback={<ActivitySkeleton />}>
            <ActivityList />
          </Suspense>
        </div>
      ),
      loading: (
        <div className="page">
          <ActivitySkeleton />
        </div>
      ),
    },
  },
  {
    names: ['DataSection'],
    wide: true,
    states: {
      'without a request for the deletion': (
        <div className="page @container">
          <Suspense>
            <DataSection />
          </Suspense>
        </div>
      ),
    },
  },
  {
    names: ['MemberRow'],
    states: {
      'for an owner': (
        <ul>
          <MemberRow label="Sam Roe" {...memberRow} />
        </ul>
      ),
      'of the user, without a right to change it': (
        <ul>
          <MemberRow
            label="Sam Roe"
            {...memberRow}
            isSelf
            canChangeRole={false}
            canRemove={false}
          />
        </ul>
      ),
      'while it is changed': (
        <ul>
          <MemberRow label="Sam Roe" {...memberRow} busy />
        </ul>
      ),
    },
  },
  { names: ['RoleChoice'], states: { default: <RoleChoiceExample /> } },
  { names: ['RecoveryCodes'], states: { default: <RecoveryCodesExample /> } },
  {
    names: ['QrCode'],
    states: { default: <QrCode rows={qrRows} label="QR code for the authenticator app" /> },
  },
];
