import { createRoute, z } from '@hono/zod-openapi';
import { projected } from '../../application/ledger/projected.ts';
import { readTaskFacts } from '../../data/accounts/task-facts.ts';
import { database } from '../../data/database.ts';
import { TASK_KINDS, type TaskKind, tasksOf } from '../../domain/tasks/own-tasks.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { enveloped, envelopeOf } from '../responses/envelope.ts';
import { failure } from '../responses/failure.ts';
import { notCurrent } from '../responses/not-current.ts';
import { orderFailure } from './order-failure.ts';

const TaskView = z
  .object({
    kind: z.enum(TASK_KINDS).openapi({
      description:
        '`factor_recovery`: an operator has asked to replace the caller’s factors; it is stopped with the identity provider. `deposit_awaited`: money that the caller has said they pay in.',
    }),
    subject: z.string().nullable().openapi({ description: 'Of a deposit, the id of its request.' }),
    since: z.iso.datetime().nullable(),
    page: z.url().nullable().openapi({ description: 'Of the identity provider, where it is done there.' }),
    dueAt: z.iso.datetime().nullable().openapi({ description: 'When it ends, or happens by itself.' }),
  })
  .openapi('OwnTask');

const timeOf = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** Who one is, and how one signs in, are pages of the identity provider. */
function pageOf(issuer: string, kind: TaskKind): string | null {
  if (kind === 'factor_recovery') return `${issuer}/security`;
  return kind.startsWith('identity_') ? `${issuer}/identity` : null;
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
      if (!(await projected(c.env))) return failure(c, notCurrent());
      const now = Date.now();
      const { accountId, accreditationStatus, accreditationType } = facts;
      const kind =
        accreditationType === null ? null : accreditationType === '506c' ? 'third_party' : 'self_attestation';
      const { accreditationEndsAt, ...read } = await readTaskFacts(database(c.env.DB), {
        userId,
        account: accountId,
        kind,
        now,
      });
      const accreditation = { status: accreditationStatus, endsAt: accreditationEndsAt };
      const tasks = tasksOf({ ...read, isKnown: facts.kycStatus === 'completed', accreditation }, now).map(
        ({ since, dueAt, ...task }) => ({
          ...task,
          page: pageOf(c.env.IAM_ISSUER, task.kind),
          since: timeOf(since),
          dueAt: timeOf(dueAt),
        }),
      );
      return c.json(enveloped(tasks), 200);
    },
  );
}
