import { createRoute, z } from '@hono/zod-openapi';
import { endSessionOf, endSessionsOf, sessionsOf } from '../../../application/identity/sessions/own-sessions.ts';
import type { SessionRow } from '../../../data/identity/sessions.ts';
import { principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actorOf } from '../actor-of.ts';

const Session = z
  .object({
    id: z.string(),
    clientId: z.string(),
    device: z.string().nullable().openapi({ description: 'Such as `Firefox on Windows`; null where it did not say.' }),
    place: z.string().nullable().openapi({ description: 'Tells the places of the user apart, and nothing else.' }),
    begunAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime(),
    endsAt: z.iso.datetime().openapi({ description: 'Refreshing does not move it.' }),
    endedAt: z.iso.datetime().nullable(),
    current: z.boolean().openapi({ description: 'Whether it is the one that asks.' }),
  })
  .openapi('Session');

const ofUser = z.object({
  userId: z.string().min(1).optional().openapi({ description: 'Another user, for whoever manages credentials.' }),
});

/** GET /v1/sessions: what the caller, or a user whose credentials the caller manages, has signed in for. */
export function listSessionsRoute(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'bearer' }, bucket: 'private', errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/sessions',
      summary: 'Sessions of the caller, or of a user of theirs, that are not over',
      request: { query: ofUser },
      responses: { 200: envelopeOf('Sessions, newest first, 1,000 at most.', z.array(Session)) },
    }),
    async (c) => {
      const { userId = principalOf(c).userId } = c.req.valid('query');
      const sessions = await sessionsOf(c.env, actorOf(c), userId);
      if (!sessions.ok) return failure(c, sessions.error);
      const current = c.get('accessToken')?.sessionId ?? null;
      return c.json(enveloped(sessions.value.map((session) => sessionOnWire(session, current))), 200);
    },
  );
}

/** DELETE /v1/sessions/{id}: with every token that came of it. */
export function endSessionRoute(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'bearer' }, bucket: 'stops', errors: ['NOT_FOUND'] },
    createRoute({
      method: 'delete',
      path: '/v1/sessions/{id}',
      summary: 'End a session of the caller, or of a user of theirs',
      request: { params: z.object({ id: z.string() }) },
      responses: { 200: envelopeOf('The session.', Session) },
    }),
    async (c) => {
      const ended = await endSessionOf(c.env, actorOf(c), c.req.valid('param').id);
      if (!ended.ok) return failure(c, ended.error);
      return c.json(enveloped(sessionOnWire(ended.value, c.get('accessToken')?.sessionId ?? null)), 200);
    },
  );
}

/** DELETE /v1/sessions: all of a user, the one that asks among them. */
export function endSessionsRoute(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'bearer' }, bucket: 'stops', errors: ['NOT_FOUND'] },
    createRoute({
      method: 'delete',
      path: '/v1/sessions',
      summary: 'End every session of the caller, or of a user of theirs',
      description: 'The one that asks among them. API keys and machine clients go on.',
      request: { query: ofUser },
      responses: { 200: envelopeOf('Ended', z.object({ userId: z.string() })) },
    }),
    async (c) => {
      const { userId = principalOf(c).userId } = c.req.valid('query');
      const ended = await endSessionsOf(c.env, actorOf(c), userId);
      return ended.ok ? c.json(enveloped({ userId }), 200) : failure(c, ended.error);
    },
  );
}

function sessionOnWire(session: SessionRow, current: string | null): z.infer<typeof Session> {
  const { id, clientId, device, place, begunAt, lastUsedAt, endsAt, endedAt } = session;
  return {
    id,
    clientId,
    device,
    place,
    begunAt: new Date(begunAt).toISOString(),
    lastUsedAt: new Date(lastUsedAt).toISOString(),
    endsAt: new Date(endsAt).toISOString(),
    endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
    current: id === current,
  };
}
