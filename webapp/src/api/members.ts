import { get, post } from './client';
import { flag, id, ignored, list, nullable, object, oneOf, optional, text, time } from './decode';
import { role } from './parts';
import type { Role } from './types';

// The calls about the members of an organisation. The specification does not name them.

/** A user who can sign in to the organisation. */
export interface Member {
  userId: string;
  firstName: string;
  lastName: string;
  email: string;
  role: Role;
  joinedAt: string;
  /** Whether removing the member deletes the account, because it belongs to no other organisation. */
  deletesAccount?: boolean;
}

/** An invitation that was not accepted yet. */
export interface Invitation {
  email: string;
  role: Role;
  /** The name of the owner who sent the invitation. */
  inviter: string;
  expiresAt: string;
  expired?: boolean;
}

export interface Members {
  members: Member[];
  /** Absent for users who are not owners. */
  invitations?: Invitation[];
}

/** What the visitor has to do to accept an invitation. */
export type InvitationStep = 'register' | 'sign_in' | 'join' | 'switch' | 'sign_out';

/** The invitation that a link belongs to. */
export interface LinkedInvitation {
  organisation: string;
  email: string;
  role: Role;
  inviter: string;
  step: InvitationStep;
}

/** The fields with which an invited user without an account accepts the invitation. */
export interface NewUser {
  firstName: string;
  lastName: string;
  password: string;
}

export const members = object<Members>({
  members: list(
    object<Member>({
      userId: id,
      firstName: optional(text, ''),
      lastName: optional(text, ''),
      email: text,
      role,
      joinedAt: time,
      deletesAccount: optional(flag),
    }),
  ),
  invitations: optional(
    list(
      object<Invitation>({
        email: text,
        role,
        inviter: optional(text, ''),
        expiresAt: time,
        expired: optional(flag),
      }),
    ),
  ),
});

/** Returns the members and, for owners, the invitations. */
export const listMembers = () => get('/vc-admin/org/members', members);

/** Sends an invitation. It replaces an earlier one to the address. */
export const inviteMember = (email: string, newRole: Role) =>
  post('/vc-admin/org/members/invite', ignored, { email, role: newRole });

/** Sends an invitation again, with a new link. */
export const resendInvitation = (email: string) =>
  post('/vc-admin/org/members/resend', ignored, { email });

/** Deletes an invitation. */
export const revokeInvitation = (email: string) =>
  post('/vc-admin/org/members/revoke', ignored, { email });

export const changeRole = (userId: string, newRole: Role) =>
  post('/vc-admin/org/members/edit', ignored, { userId, role: newRole });

export const removeMember = (userId: string) =>
  post('/vc-admin/org/members/del', ignored, { userId });

export const departure = object<{ organisation: string | null }>({ organisation: nullable(id) });

/** Leaves the organisation. Returns the organisation to which the session was switched; null if the session has ended. */
export const leaveOrganisation = async () =>
  (await post('/vc-admin/org/members/leave', departure)).organisation;

/** Switches the session to another organisation of the user. */
export const switchOrganisation = (organisation: string) =>
  post('/vc-admin/user/organisation', ignored, { id: organisation });

export const linkedInvitation = object<LinkedInvitation>({
  organisation: text,
  email: text,
  role,
  inviter: optional(text, ''),
  step: oneOf<InvitationStep>('register', 'sign_in', 'join', 'switch', 'sign_out'),
});

/** Returns the invitation that this token belongs to. */
export const showInvitation = (token: string) =>
  post('/vc-admin/auth/invitation/show', linkedInvitation, { token });

/** Accepts an invitation. Creates the account of a new user and signs in. */
export const acceptInvitation = (token: string, newUser?: NewUser) =>
  post('/vc-admin/auth/invitation/accept', ignored, { token, ...newUser });
