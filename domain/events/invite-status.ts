/** E-RES-05 names pending and accepted; declined is the guest's own no, revoked the organizer's. */
export const INVITE_STATUSES = ['pending', 'accepted', 'declined', 'revoked'] as const;

export type InviteStatus = (typeof INVITE_STATUSES)[number];
