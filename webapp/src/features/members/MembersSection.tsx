import { useRef } from 'react';
import type { Role } from '@/api';
import { changeRole, type Member, removeMember } from '@/api/members';
import { AccountSection } from '@/components/AccountSection';
import { Notice } from '@/components/Notice';
import { roleNames } from '@/modules/session/role-names';
import { SendResult } from '@/modules/session/SendResult';
import { type User, useSessionStore } from '@/modules/session/session-store';
import { MemberRow } from './MemberRow';
import { memberLabel } from './member-text';
import { useChange } from './use-change';

interface MembersSectionProps {
  members: Member[];
  user: User;
  isOwner: boolean;
  /** Loads the members again after a change. */
  reload: () => Promise<unknown>;
}

/** The members. Owners also see buttons that change or remove a member. */
export function MembersSection({ members, user, isOwner, reload }: MembersSectionProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { change, state, doneTitle, busyKey, dialog } = useChange(
    'A member could not be changed',
    reload,
  );
  const isOnlyOwner = isOwner && members.filter(({ role }) => role === 'owner').length === 1;

  async function setRole(member: Member, role: Role): Promise<boolean> {
    const isSelf = member.userId === user.id;
    const isChanged = await change(
      member.userId,
      async () => {
        await changeRole(member.userId, role);
        if (isSelf) await useSessionStore.getState().refresh();
      },
      isSelf
        ? `Your role is now ${roleNames[role]}`
        : `The role of ${memberLabel(member, members)} is now ${roleNames[role]}`,
    );
    if (isChanged && isSelf) heading.current?.focus(); // the button that opened the form is removed
    return isChanged;
  }

  async function remove(member: Member) {
    const text = `${memberLabel(member, members)} was removed`;
    const isRemoved = await change(member.userId, () => removeMember(member.userId), text);
    if (isRemoved) heading.current?.focus(); // the pressed button is removed
  }

  return (
    <AccountSection title="Current members" headingRef={heading}>
      <ul aria-label="Members" className="divide-y divide-line">
        {members.map((member) => (
          <MemberRow
            key={member.userId}
            member={member}
            label={memberLabel(member, members)}
            isSelf={member.userId === user.id}
            canChangeRole={isOwner && !(isOnlyOwner && member.userId === user.id)}
            canRemove={isOwner && member.userId !== user.id}
            busy={busyKey === member.userId}
            onChangeRole={(role) => setRole(member, role)}
            onRemove={() => void remove(member)}
          />
        ))}
      </ul>
      <div className="mt-4 space-y-5">
        {isOnlyOwner && (
          <Notice live={false}>
            <p>Only you can manage members. Add a second owner.</p>
          </Notice>
        )}
        <SendResult state={state} doneTitle={doneTitle} failedTitle="The member was not changed" />
      </div>
      {dialog}
    </AccountSection>
  );
}
