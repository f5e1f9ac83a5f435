import { createRoute, z } from '@hono/zod-openapi';
import { signInsOf } from '../../../application/identity/sign-ins/list-sign-ins.ts';
import { SIGN_IN_TYPES } from '../../../domain/identity/sign-in-entry.ts';
import { principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { pageOf, rowsToRead } from '../../responses/paging.ts';
import { wholeNumberOr } from '../../responses/whole-number.ts';
import { isoTime } from '../../responses/wire.ts';

const LIMIT_MAX = 1_000;
const LIMIT_DEFAULT = 100;

const SignIn = z
  .object({
    id: z.string(),
    type: z.enum(SIGN_IN_TYPES),
    reason: z.string().nullable().openapi({ example: 'wrong_code' }),
    clientId: z.string().nullable(),
    keyId: z.string().nullable(),
    sessionId: z.string().nullable(),
    device: z.string().nullable(),
    place: z.string().nullable().openapi({ description: 'Tells the places of the user apart, and nothing else.' }),
    times: z.int().openapi({ description: 'Refusals and tokens of machines are counted by the hour.' }),
    firstAt: z.iso.datetime(),
    lastAt: z.iso.datetime(),
  })
  .openapi('SignIn');

/** GET /v1/sign-ins: who signed in as the caller, who tried to, and what became of their keys; of others for whoever sees accounts. */
export function listSignInsRoute(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'bearer' }, bucket: 'private', errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/sign-ins',
      summary: 'Sign-ins, refusals and credentials of the caller, or of a user of theirs',
      description: 'Newest first; what is counted stands at the beginning of its hour. Kept for 180 days.',
      request: {
        query: z.object({
          userId: z.string().min(1).optional().openapi({ description: 'Another user, for whoever sees accounts.' }),
          from: z.iso.datetime({ offset: true }).optional(),
          to: z.iso.datetime({ offset: true }).optional().openapi({ description: 'Not included.' }),
          limit: wholeNumberOr(LIMIT_DEFAULT, 1, LIMIT_MAX),
          cursor: z.uuid().optional(),
        }),
      },
      responses: { 200: envelopeOf('Entries', z.array(SignIn)) },
    }),
    async (c) => {
      const principal = principalOf(c);
      const { userId = principal.userId, from, to, limit, cursor = null } = c.req.valid('query');
      const found = await signInsOf(c.env, principal, {
        userId,
        from: from === undefined ? null : Date.parse(from),
        to: to === undefined ? null : Date.parse(to),
        before: cursor,
        limit: rowsToRead(limit),
      });
      if (!found.ok) return failure(c, found.error);
      const page = pageOf(c, found.value, limit, (last) => last.id);
      const views = page.map(({ userId: _, createdAt, lastAt, ...entry }) => ({
        ...entry,
        firstAt: isoTime(createdAt),
        lastAt: isoTime(lastAt),
      }));
      return c.json(enveloped(views), 200);
    },
  );
}
