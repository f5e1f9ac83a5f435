import { createRoute, z } from '@hono/zod-openapi';
import { database } from '../../../data/database.ts';
import { listDevOutbox } from '../../../data/identity/dev-outbox.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';

const Message = z.object({ phone: z.string(), text: z.string(), createdAt: z.int() });

/** What the local OtpSender sent. Outside ENVIRONMENT `local` there is no such page. */
export function readDevOutboxRoute(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'public' }, bucket: 'public' },
    createRoute({
      method: 'get',
      path: '/dev/outbox',
      hide: true,
      responses: {
        200: {
          description: 'Newest first',
          content: { 'application/json': { schema: z.object({ data: z.array(Message) }) } },
        },
      },
    }),
    async (c) => {
      if (c.env.ENVIRONMENT !== 'local') return failure(c, apiError('NOT_FOUND', 'no such resource'));
      c.set('readableBy', null);
      return c.json({ data: await listDevOutbox(database(c.env.DB)) }, 200);
    },
  );
}
