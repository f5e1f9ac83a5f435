import { createRoute, z } from '@hono/zod-openapi';
import { providerPage } from '../../application/console/provider-page.ts';
import { projected } from '../../application/ledger/projected.ts';
import { readTaskFacts } from '../../data/accounts/task-facts.ts';
import { database } from '../../data/database.ts';
import { kycStatusAt } from '../../domain/accounts/kyc-status-at.ts';
import { TASK_KINDS, type TaskKind, tasksOf } from '../../domain/tasks/own-tasks.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { enveloped, envelopeOf } from '../responses/envelope.ts';
import { orderFailure } from './order-failure.ts';

const TaskView = z
  .object({
    kind: z.enum(TASK_KINDS).openapi({
      description:
        '`factor_recovery`: an operator has asked to replace the caller’s factors; it is stopped with the identity provider. `identity_in_review` and `identity_not_counted`: the account does not count as that of a person who is known, so orders and payments are refused. `deposit_awaited`: money that the caller may pay in now, since the venue has approved the request; left out while the ledger is behind or out of reach.',
    }),
    subject: z.string().nullable().openapi({ description: 'Of a deposit, the id of its request.' }),
    since: z.iso.datetime().nullable(),
    page: z.url().nullable().openapi({
      description:
        'Of the identity provider, where it is done there. Null too where the provider is not the venue’s own.',
    }),
    dueAt: z.iso.datetime().nullable().openapi({ description: 'When it ends, or happens by itself.' }),
  })
  .openapi('OwnTask');

const timeOf = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** Who one is, and how one signs in, are pages of the identity provider. */
function pageOf(env: Env, kind: TaskKind): string | null {
  if (kind === 'factor_recovery') return providerPage(env, 'security');
  return kind.startsWith('identity_') ? providerPage(env, 'identity') : null;
}

/** GET /v1/account/tasks: what waits for the caller. */
export function listTasksRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'tenant' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/account/tasks',
      tags: ['account'],
      summary: 'What waits for the caller, what is most pressing first',
      responses: { 200: envelopeOf('The tasks.', z.array(TaskView)) },
    }),
    async (c) => {
      const { facts, userId } = principalOf(c);
      if (facts === null) return orderFailure(c, { reason: 'no_account' });
      // What waits at the identity provider may be an attack under way: it is told also while the ledger is out of reach.
      const isCurrent = await projected(c.env);
      const now = Date.now();
      const { accountId, accreditationStatus, accreditationType } = facts;
      const kind =
        accreditationType === null ? null : accreditationType === '506c' ? 'third_party' : 'self_attestation';
      const {
        accreditationEndsAt,
        deposits: approved,
        ...read
      } = await readTaskFacts(database(c.env.DB), {
        userId,
        account: accountId,
        kind,
        now,
      });
      const accreditation = { status: accreditationStatus, endsAt: accreditationEndsAt };
      const deposits = isCurrent ? approved : [];
      const isKnown = kycStatusAt(facts, Date.now()) === 'completed';
      const tasks = tasksOf({ ...read, deposits, isKnown, accreditation }, now).map(({ since, dueAt, ...task }) => ({
        ...task,
        page: pageOf(c.env, task.kind),
        since: timeOf(since),
        dueAt: timeOf(dueAt),
      }));
      return c.json(enveloped(tasks), 200);
    },
  );
}
