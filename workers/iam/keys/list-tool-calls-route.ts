import { createRoute, z } from '@hono/zod-openapi';
import { findManagedKey, noSuchKey } from '../../../application/identity/keys/find-managed-key.ts';
import { listToolCalls } from '../../../data/audit/trail/tool-calls.ts';
import { database } from '../../../data/database.ts';
import { TOOL_TRANSPORTS } from '../../../domain/identity/tool-transport.ts';
import { principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { pageOf, rowsToRead } from '../../responses/paging.ts';
import { wholeNumberOr } from '../../responses/whole-number.ts';
import { isoTime } from '../../responses/wire.ts';

const LIMIT_MAX = 1_000;
const LIMIT_DEFAULT = 100;

const ToolCall = z.object({
  id: z.string(),
  keyId: z.string(),
  transport: z.enum(TOOL_TRANSPORTS),
  tool: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  /** `OK`, or the error code. */
  resultCode: z.string(),
  calledAt: z.iso.datetime(),
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
          limit: wholeNumberOr(LIMIT_DEFAULT, 1, LIMIT_MAX),
          cursor: z.uuid().optional(),
        }),
      },
      responses: { 200: envelopeOf('Tool calls', z.array(ToolCall)) },
    }),
    async (c) => {
      const key = await findManagedKey(c.env, principalOf(c), c.req.valid('param').id, 'see_accounts');
      if (key === null) return failure(c, noSuchKey());
      const { limit, cursor = null } = c.req.valid('query');
      const found = await listToolCalls(database(c.env.DB), {
        keyId: key.id,
        before: cursor,
        limit: rowsToRead(limit),
      });
      const page = pageOf(c, found, limit, (last) => last.id);
      return c.json(enveloped(page.map((call) => ({ ...call, calledAt: isoTime(call.calledAt) }))), 200);
    },
  );
}
