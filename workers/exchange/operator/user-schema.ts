import { z } from '@hono/zod-openapi';
import type { ChangedUser } from '../../../application/operator/change-user.ts';
import { ROLES_OF_USERS } from '../../../application/operator/open-user-account.ts';
import type { UserRow } from '../../../data/identity/users.ts';
import { isPhoneNumber, phoneNumberOf } from '../../../domain/identity/phone-number.ts';
import { CancelledIds, PendingIds } from '../../responses/cancelled-order-ids.ts';
import { lineOfText } from '../../responses/line-of-text.ts';
import { Reason } from './operator-route.ts';

const NAME_LENGTH_MAX = 200;

/** What an operator says of a user. */
export const userFields = {
  name: lineOfText(NAME_LENGTH_MAX),
  email: z.email(),
  phone: z
    .string()
    .overwrite((written) => phoneNumberOf(written) ?? written)
    .refine(isPhoneNumber, { error: 'an international number, such as +15550100002' })
    .nullable()
    .openapi({ description: 'Username of the password grant; none for a service.' }),
  roles: z.array(z.enum(ROLES_OF_USERS)).min(1).max(ROLES_OF_USERS.length),
};

/** Whether a role lets its holder do something to others: any but that of trading. */
export function givesRights(role: (typeof ROLES_OF_USERS)[number]): boolean {
  return role !== 'trader';
}

/** What is left out stays as it is. */
export const UserEditRequest = z
  .strictObject({
    ...z.object(userFields).partial().shape,
    rolesBefore: z.array(z.enum(ROLES_OF_USERS)).max(ROLES_OF_USERS.length).optional().openapi({
      description: 'The roles that the edit was made from: CONFLICT where the user has others by now.',
    }),
    reason: Reason,
  })
  .openapi('OperatorUserEdit');

export const UserRecord = z
  .object({
    userId: z.string(),
    owner: z.string(),
    ...userFields,
    service: z.boolean().openapi({ description: 'Made for machine clients; anybody else is a person.' }),
    createdAt: z.iso.datetime(),
    deactivatedAt: z.iso.datetime().nullable().openapi({ description: 'Null for an active user.' }),
  })
  .openapi('OperatorUserRecord');

export function userRecord(user: UserRow): z.infer<typeof UserRecord> {
  const { id, owner, name, email, phone, roles, service, createdAt, deactivatedAt } = user;
  return {
    userId: id,
    owner,
    name,
    email,
    phone,
    roles: [...roles],
    service,
    createdAt: new Date(createdAt).toISOString(),
    deactivatedAt: deactivatedAt === null ? null : new Date(deactivatedAt).toISOString(),
  };
}

export const UserChangeView = z
  .object({
    user: UserRecord,
    revokedKeyIds: z.array(z.string()),
    waitingClientIds: z.array(z.string()).openapi({
      description: 'Clients of others whose secret the user had been shown as an operator: they wait for another one.',
    }),
    cancelledOrderIds: CancelledIds,
    pendingOrderIds: PendingIds,
  })
  .openapi('OperatorUserChange');

export function userChangeView(changed: ChangedUser): z.infer<typeof UserChangeView> {
  const { user, keyIds, orderIds, pendingOrderIds, clientIds } = changed;
  return {
    user: userRecord(user),
    revokedKeyIds: [...keyIds],
    waitingClientIds: [...clientIds],
    cancelledOrderIds: [...orderIds],
    pendingOrderIds: [...pendingOrderIds],
  };
}
