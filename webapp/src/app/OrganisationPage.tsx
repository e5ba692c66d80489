import { ChevronRight } from 'lucide-react';
import { useLayoutEffect, useState } from 'react';
import { Button } from '@/components/Button';
import { VideoCall } from '@/components/illustrations/VideoCall';
import { Notice } from '@/components/Notice';
import { PageTitle } from '@/components/PageTitle';
import { PicturePage } from '@/components/PicturePage';
import { closeDialogs } from '@/lib/dialog';
import { routes } from '@/lib/paths';
import { useGo } from '@/modules/session/navigation';
import { roleNames } from '@/modules/session/role-names';
import { type SignedInSession, useSessionStore } from '@/modules/session/session-store';
import { useOrganisationSwitch } from '@/modules/session/use-organisation-switch';

/** Asks for the organisation after a sign-in, or after a switch in another tab. The screen behind it keeps its forms. */
export default function OrganisationPage({ session }: { session: SignedInSession }) {
  useLayoutEffect(closeDialogs, []); // before the heading receives the focus
  return (
    <PicturePage isForm picture={<VideoCall className="w-full" />}>
      {session.switchedTo ? (
        <SwitchedInOtherTab session={session} switchedTo={session.switchedTo} />
      ) : (
        <OrganisationChoice session={session} />
      )}
    </PicturePage>
  );
}

interface SwitchedInOtherTabProps {
  session: SignedInSession;
  switchedTo: NonNullable<SignedInSession['switchedTo']>;
}

function SwitchedInOtherTab({ session: { user }, switchedTo }: SwitchedInOtherTabProps) {
  const go = useGo({ entersArea: true });
  const { busyId, failure, switchTo } = useOrganisationSwitch();

  async function goToNewOrganisation() {
    if (await switchTo(switchedTo.id)) go(routes.dash);
  }

  return (
    <>
      <PageTitle
        focusOnMount
      >{`You switched to ${switchedTo.name || 'another organisation'}`}</PageTitle>
      <p className="mt-3 text-muted wrap-anywhere">
        {`This page belongs to ${user.org.name || 'your other organisation'}. What you entered is kept until you go there.`}
      </p>
      <div className="mt-6 space-y-3">
        <Button wide busy={busyId === switchedTo.id} onClick={() => void goToNewOrganisation()}>
          Go there
        </Button>
        <Button
          variant="secondary"
          wide
          busy={busyId === user.orgId}
          onClick={() => void switchTo(user.orgId)}
        >
          Switch back
        </Button>
      </div>
      {failure && (
        <Notice tone="danger" className="mt-4">
          {failure}
        </Notice>
      )}
    </>
  );
}

function OrganisationChoice({ session: { user } }: { session: SignedInSession }) {
  const { keepOrganisation } = useSessionStore.getState();
  const { busyId, failure, switchTo } = useOrganisationSwitch();
  // Keeps the order of the buttons while a switch changes which organisation was used last.
  const [organisations] = useState(user.organisations ?? []);
  return (
    <>
      <PageTitle focusOnMount>Which organisation?</PageTitle>
      <ul aria-label="Your organisations" className="mt-6 space-y-3">
        {organisations.map(({ id, name, role }) => (
          <li key={id}>
            <Button
              variant="secondary"
              wide
              className="justify-between! px-4! text-left!"
              busy={busyId === id}
              onClick={() => (id === user.orgId ? keepOrganisation() : void switchTo(id))}
            >
              <span className="min-w-0">
                <span translate="no" className="block wrap-anywhere">
                  {name}
                </span>
                <span className="block text-sm font-normal text-muted">
                  {role ? roleNames[role] : ''}
                </span>
              </span>
              <ChevronRight aria-hidden size={16} className="shrink-0" />
            </Button>
          </li>
        ))}
      </ul>
      {failure && (
        <Notice tone="danger" className="mt-4">
          {failure}
        </Notice>
      )}
    </>
  );
}
