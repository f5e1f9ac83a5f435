import { createRoute, z } from '@hono/zod-openapi';
import { ACTIVATION_MS, chooseSigningKey } from '../../../application/identity/signing-keys/choose-signing-key.ts';
import { createSigningKey } from '../../../application/identity/signing-keys/create-signing-key.ts';
import { forgetSigningKey, publishedKeys } from '../../../application/identity/signing-keys/signing-key.ts';
import { ACCESS_TOKEN_LIFETIME_S } from '../../../application/identity/tokens/issue-tokens.ts';
import { database } from '../../../data/database.ts';
import { addSigningKey } from '../../../data/identity/signing-keys.ts';
import { VENUE_OWNER } from '../../../domain/identity/venue.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';

const Query = z.object({
  /** `at_once` retires every other key: for a key that leaked. Tokens it signed end with it. */
  retire: z.enum(['unused', 'at_once']).default('unused'),
});
const Rotated = z.object({
  data: z.object({ kid: z.string(), retired: z.array(z.string()) }),
  message: z.literal('ok'),
});

/** Adds a signing key, which signs once verifiers can know it, and retires keys whose last token has expired. */
export function rotateSigningKeyRoute(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'bearer', role: 'operator' }, bucket: 'private' },
    createRoute({
      method: 'post',
      path: '/v1/signing-keys/rotate',
      summary: 'Add a signing key and retire those that are no longer needed',
      request: { query: Query },
      responses: { 200: { description: 'Rotated', content: { 'application/json': { schema: Rotated } } } },
    }),
    async (c) => {
      if (principalOf(c).owner !== VENUE_OWNER)
        return failure(c, apiError('FORBIDDEN', 'only an operator of the venue may do this'));
      const now = Date.now();
      const keys = await publishedKeys(c.env);
      const retired = (c.req.valid('query').retire === 'at_once' ? keys : unusedKeys(keys, now)).map((key) => key.kid);
      const key = await createSigningKey(c.env, now);
      await addSigningKey(database(c.env.DB), key, retired);
      forgetSigningKey();
      return c.json({ data: { kid: key.kid, retired }, message: 'ok' as const }, 200);
    },
  );
}

/** Keys older than the one that signs, once it has signed for as long as a token lives. */
function unusedKeys<Key extends { readonly kid: string; readonly createdAt: number }>(
  keys: readonly Key[],
  now: number,
): Key[] {
  const signing = chooseSigningKey(keys, now);
  if (signing === null || signing.createdAt + ACTIVATION_MS + ACCESS_TOKEN_LIFETIME_S * 1_000 > now) return [];
  return keys.filter((key) => key.createdAt < signing.createdAt);
}
