import { createRoute, z } from '@hono/zod-openapi';
import { settleBeforeRead } from '../../../application/ledger/settle-before-read.ts';
import { findAccountOfUser } from '../../../data/accounts/accounts.ts';
import { database } from '../../../data/database.ts';
import { listApiKeys } from '../../../data/identity/api-keys.ts';
import { countHeld } from '../../../data/identity/taken-back.ts';
import { findUser } from '../../../data/identity/users.ts';
import { countOpenOrdersOfUser, countSessions } from '../../../data/identity/what-ends.ts';
import { hasPowerOver, powersOf } from '../../../domain/identity/powers.ts';
import { SCOPES } from '../../../domain/identity/principal.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { endAndUseOnWire } from '../../responses/key-end.ts';
import { notCurrent } from '../../responses/not-current.ts';
import { isoTime } from '../../responses/wire.ts';
import { OpenOrdersView } from './account-schema.ts';
import { OPERATOR_READ, readableOwner } from './operator-route.ts';
import { UserRecord, userRecord } from './user-schema.ts';

const UserDetail = UserRecord.extend({
  accountId: z.string().nullable().openapi({ description: 'Null for a user without a trading account.' }),
  powers: z.array(z.string()).openapi({ description: 'What their roles let them do to others.' }),
  keys: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        scopes: z.array(z.enum(SCOPES)),
        createdAt: z.iso.datetime(),
        expiresAt: z.iso.datetime().nullable(),
        lastUsedOn: z.iso.date().nullable(),
      }),
    )
    .nullable()
    .openapi({ description: 'API keys that hold, newest first; null for who may not revoke them.' }),
  ends: z
    .object({
      sessions: z.int().nullable().openapi({ description: 'Null for who may not end them.' }),
      applications: z
        .int()
        .nullable()
        .openapi({ description: 'That they have allowed something, agents among them; null for who may not end it.' }),
      clients: z
        .int()
        .nullable()
        .openapi({ description: 'Machine clients that speak for them; null for who may not end them.' }),
      openOrders: OpenOrdersView,
    })
    .openapi({ description: 'What a kill switch would end, beside the keys.' }),
}).openapi('OperatorUserDetail');

/** GET /v1/operator/users/{id}: a person with what they may do, and for who may end them with their keys and sessions. Another organization's is not found. */
export function getUserRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { ...OPERATOR_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/operator/users/{id}',
      tags: ['operator'],
      summary: 'A user, with powers, API keys and what a kill switch would end',
      request: { params: z.object({ id: z.string() }) },
      responses: { 200: envelopeOf('The user.', UserDetail) },
    }),
    async (c) => {
      const db = database(c.env.DB);
      const user = await findUser(db, c.req.valid('param').id);
      const owner = readableOwner(c);
      if (user === null || (owner !== null && user.owner !== owner))
        return failure(c, apiError('NOT_FOUND', 'user does not exist'));
      const account = await findAccountOfUser(db, user.id);
      if (account !== null && !(await settleBeforeRead(c.env, account.id))) return failure(c, notCurrent());
      const maySeeCredentials = hasPowerOver(principalOf(c), 'manage_credentials', user.owner);
      const [keys, openOrders, sessions, held] = await Promise.all([
        maySeeCredentials ? listApiKeys(db, user.id) : null,
        countOpenOrdersOfUser(db, user.id),
        maySeeCredentials ? countSessions(db, user.id, Date.now()) : null,
        maySeeCredentials ? countHeld(db, user.id) : null,
      ]);
      const active = keys?.filter(({ status }) => status === 'active') ?? null;
      const detail = {
        ...userRecord(user),
        accountId: account?.id ?? null,
        powers: user.deactivatedAt === null ? [...powersOf(user)] : [],
        keys:
          active?.map((key) => ({
            id: key.id,
            name: key.name,
            scopes: [...key.scopes],
            createdAt: isoTime(key.createdAt),
            ...endAndUseOnWire(key, c.env),
          })) ?? null,
        ends: { sessions, applications: held?.applications ?? null, clients: held?.clients ?? null, openOrders },
      };
      return c.json(enveloped(detail), 200);
    },
  );
}
