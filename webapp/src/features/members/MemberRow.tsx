import { type FormEvent, useState } from 'react';
import type { Role } from '@/api';
import type { Member } from '@/api/members';
import { Badge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { ConfirmDialog } from '@/components/Dialog';
import { roleTexts } from '@/modules/session/role-names';
import { memberName, removalText } from './member-text';
import { RoleChoice } from './RoleChoice';

interface MemberRowProps {
  member: Member;
  /** The name of the member in questions and in the labels of the buttons. */
  label: string;
  /** Whether the member is the signed-in user. */
  isSelf: boolean;
  canChangeRole: boolean;
  canRemove: boolean;
  busy: boolean;
  /** Returns whether the role was changed. */
  onChangeRole: (role: Role) => Promise<boolean>;
  onRemove: () => void;
}

/** A member with their role, and a form that changes the role. */
export function MemberRow(props: MemberRowProps) {
  const { member, label, isSelf, canChangeRole, canRemove, busy, onChangeRole, onRemove } = props;
  const [newRole, setNewRole] = useState<Role | null>(null);
  const [focusesButton, setFocusesButton] = useState(false);
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const name = memberName(member);

  function close(focuses = true) {
    setNewRole(null);
    setFocusesButton(focuses);
  }

  async function save(event: FormEvent) {
    event.preventDefault();
    if (newRole === null) return;
    if (newRole === member.role) close();
    else if (await onChangeRole(newRole)) close(!isSelf); // owners who change their own role lose the button
  }

  return (
    <li className="py-3 first:pt-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-2">
            <span translate="no" className="font-semibold wrap-anywhere">
              {name}
            </span>
            {isSelf && <Badge>You</Badge>}
          </p>
          {name !== member.email && (
            <p translate="no" className="text-sm text-muted wrap-anywhere">
              {member.email}
            </p>
          )}
          <p className="text-sm text-muted">{roleTexts[member.role]}</p>
        </div>
        {newRole === null && (canChangeRole || canRemove) && (
          <p className="-mx-3 flex flex-wrap gap-2">
            {canChangeRole && (
              <Button
                autoFocus={focusesButton}
                variant="quiet"
                small
                aria-label={`Change the role of ${label}`}
                busy={busy}
                onClick={() => setNewRole(member.role)}
              >
                Change role
              </Button>
            )}
            {canRemove && (
              <Button
                variant="quiet"
                small
                aria-label={`Remove ${label}`}
                busy={busy}
                onClick={() => setIsDialogOpen(true)}
              >
                Remove
              </Button>
            )}
          </p>
        )}
      </div>
      {newRole !== null && (
        <form onSubmit={save} className="mt-3 space-y-3">
          <RoleChoice
            legend={isSelf ? 'Your role' : `Role of ${label}`}
            value={newRole}
            onChange={setNewRole}
            hasFocus
          />
          <p className="flex flex-wrap gap-3">
            <Button variant="secondary" type="submit" busy={busy}>
              Save
            </Button>
            <Button variant="quiet" onClick={() => close()}>
              Cancel
            </Button>
          </p>
        </form>
      )}
      {isDialogOpen && (
        <ConfirmDialog
          title={`Remove ${label}?`}
          text={removalText(member)}
          label="Remove"
          onClose={(isConfirmed) => {
            setIsDialogOpen(false);
            if (isConfirmed) onRemove();
          }}
        />
      )}
    </li>
  );
}
