import { createRoute, z } from '@hono/zod-openapi';
import { findManagedKey } from '../../../application/identity/find-managed-key.ts';
import { listToolCalls } from '../../../data/audit/trail/tool-calls.ts';
import { database } from '../../../data/database.ts';
import { TOOL_TRANSPORTS } from '../../../domain/identity/tool-transport.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { linkNextPage } from '../../responses/link-next-page.ts';

const LIMIT_MAX = 1_000;
const LIMIT_DEFAULT = 100;

const ToolCalls = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      keyId: z.string(),
      transport: z.enum(TOOL_TRANSPORTS),
      tool: z.string(),
      parameters: z.record(z.string(), z.unknown()),
      /** `OK`, or the error code. */
      resultCode: z.string(),
      calledAt: z.iso.datetime(),
    }),
  ),
  message: z.literal('ok'),
});

/** What agents did under an API key, newest first: its owner's to read, and an operator's. Also of a revoked key. */
export function listToolCallsRoute(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'bearer' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/keys/{id}/tool-calls',
      summary: 'Tool calls made under a key',
      request: {
        params: z.object({ id: z.string() }),
        query: z.object({
          limit: z.coerce.number().int().min(1).max(LIMIT_MAX).default(LIMIT_DEFAULT),
          cursor: z.uuid().optional(),
        }),
      },
      responses: { 200: { description: 'Tool calls', content: { 'application/json': { schema: ToolCalls } } } },
    }),
    async (c) => {
      const key = await findManagedKey(c.env, principalOf(c), c.req.valid('param').id);
      if (key === null) return failure(c, apiError('NOT_FOUND', 'no such key'));
      const { limit, cursor = null } = c.req.valid('query');
      const found = await listToolCalls(database(c.env.DB), { keyId: key.id, before: cursor, limit: limit + 1 });
      const page = found.slice(0, limit);
      const last = page.at(-1);
      if (found.length > limit && last !== undefined) linkNextPage(c, last.id);
      const data = page.map((call) => ({ ...call, calledAt: new Date(call.calledAt).toISOString() }));
      return c.json({ data, message: 'ok' as const }, 200);
    },
  );
}
