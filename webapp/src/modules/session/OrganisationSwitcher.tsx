import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { Button } from '@/components/Button';
import { ChevronDownIcon } from '@/components/icons';
import { Notice } from '@/components/Notice';
import { cx } from '@/lib/cx';
import { routes } from '@/lib/paths';
import { useGo } from './navigation';
import { useSession } from './session-store';
import { useOrganisationSwitch } from './use-organisation-switch';

/** Names the organisation and lists the others of the user. Renders nothing for a user of one organisation. */
export function OrganisationSwitcher() {
  const session = useSession();
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const go = useGo({ entersArea: true });
  const [isOpen, setIsOpen] = useState(false);
  const { busyId, failure, switchTo } = useOrganisationSwitch();
  const user = session.status === 'signedIn' ? session.user : null;
  const organisations = user?.organisations ?? [];
  if (!user || organisations.length < 2) return null;

  async function open(organisationId: string) {
    if (!(await switchTo(organisationId))) return;
    setIsOpen(false);
    go(routes.dash);
  }

  function closeOnEscape({ key }: KeyboardEvent) {
    if (key !== 'Escape') return;
    setIsOpen(false);
    button.current?.focus();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the list from any of its buttons
    <div onKeyDown={closeOnEscape} className="py-2 @account:mb-3 @account:-ml-3 @account:py-0">
      <Button
        ref={button}
        variant="secondary"
        wide
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
        className="justify-between! px-3! text-left! text-sm"
      >
        <span className="min-w-0">
          <span className="sr-only">{'Organisation: '}</span>
          <span translate="no" className="wrap-anywhere">
            {user.org.name}
          </span>
        </span>
        <ChevronDownIcon size={16} className={cx('shrink-0', isOpen && 'rotate-180')} />
      </Button>
      <ul id={id} aria-label="Your other organisations" hidden={!isOpen} className="mt-1 space-y-1">
        {organisations
          .filter((organisation) => organisation.id !== user.orgId)
          .map((organisation) => (
            <li key={organisation.id}>
              <Button
                variant="quiet"
                wide
                translate="no"
                busy={busyId === organisation.id}
                onClick={() => void open(organisation.id)}
                className="justify-start! px-3! text-left! text-sm wrap-anywhere"
              >
                {organisation.name}
              </Button>
            </li>
          ))}
      </ul>
      {failure && (
        <Notice tone="danger" className="mt-2 text-sm">
          {failure}
        </Notice>
      )}
    </div>
  );
}
