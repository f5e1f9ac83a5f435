import { createRoute, z } from '@hono/zod-openapi';
import { uuidv7 } from 'uuidv7';
import { countToolCall } from '../../application/agent/count-tool-call.ts';
import { recordToolCall } from '../../data/audit/trail/tool-calls.ts';
import { database } from '../../data/database.ts';
import { agentToolNamed } from '../../protocol/agent/agent-tools.ts';
import { loggableParameters } from '../../protocol/agent/loggable-parameters.ts';
import { apiError } from '../../protocol/errors/api-error.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';

const ToolCallBody = z
  .strictObject({
    tool: z.string().max(64),
    parameters: z.unknown(),
    result_code: z.string().regex(/^[A-Z_]{2,40}$/, 'must be 2 to 40 capital letters or underscores'),
  })
  .openapi('AgentToolCall');

/** POST /v1/agent/tool-calls: the tool server over standard input and output tells of each call; key and time are the exchange's to say. */
export function recordAgentToolCallRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'key', scope: 'read' }, bucket: 'reports' },
    createRoute({
      method: 'post',
      path: '/v1/agent/tool-calls',
      summary: 'Log a call of an agent tool',
      description: 'Appends to the log that the owner of the key reads. Called by the agent tool server.',
      request: { body: { required: true, content: { 'application/json': { schema: ToolCallBody } } } },
      responses: {
        201: {
          description: 'Logged.',
          content: { 'application/json': { schema: z.object({ id: z.uuid(), called_at: z.int() }) } },
        },
      },
    }),
    async (c) => {
      const { keyId, userId } = principalOf(c);
      if (keyId === null) return failure(c, apiError('FORBIDDEN', 'tool calls are logged under an API key'));
      const { tool: name, parameters, result_code: resultCode } = c.req.valid('json');
      const tool = agentToolNamed(name);
      if (tool === null) return failure(c, apiError('VALIDATION_ERROR', 'there is no such tool', { tool: name }));
      const refusal = await countToolCall(database(c.env.DB), { userId, tool: name });
      if (refusal !== null) return failure(c, refusal);
      const id = uuidv7();
      const calledAt = Date.now();
      await recordToolCall(database(c.env.DB), {
        id,
        keyId,
        transport: 'stdio',
        tool: name,
        parameters: loggableParameters(tool, parameters),
        resultCode,
        calledAt,
      });
      return c.json({ id, called_at: calledAt }, 201);
    },
  );
}
