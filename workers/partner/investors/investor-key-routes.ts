import { createRoute, z } from '@hono/zod-openapi';
import {
  createInvestorKey,
  type InvestorAccountOf,
  listInvestorKeys,
  noSuchAccount,
  revokeInvestorKey,
} from '../../../application/partner/investors/investor-keys.ts';
import type { StoredApiKey } from '../../../data/identity/api-keys.ts';
import { SCOPES } from '../../../domain/identity/principal.ts';
import { isAddressBlock } from '../../../domain/limits/address.ts';
import { type AppContext, bearerOf, partnerOf } from '../../middleware/app-env.ts';
import { clientAddressOf } from '../../middleware/client-address.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { endAndUseOnWire } from '../../responses/key-end.ts';
import { lineOfText } from '../../responses/line-of-text.ts';
import { bodyOf, isoTime, isoTimeOrNull, jsonOf } from '../../responses/wire.ts';
import { INVESTOR_KEY, INVESTOR_KEY_REQUEST, SECRET_OF_KEY } from '../examples.ts';

const SECURITIES_MAX = 100;

const KeyRequest = z
  .strictObject({
    name: lineOfText(100),
    scopes: z.array(z.enum(SCOPES)).min(1).max(2).default(['read', 'trade']),
    security_ids: z
      .array(z.uuid())
      .min(1)
      .max(SECURITIES_MAX)
      .openapi({ description: 'Listed securities that it may trade, and nothing else.' }),
    ip_allowlist: z
      .array(z.string().refine(isAddressBlock, 'an IP address or CIDR block'))
      .min(1)
      .max(50)
      .nullable()
      .default(null),
    expires_at: z.iso
      .datetime({ offset: true })
      .nullable()
      .default(null)
      .openapi({ description: 'When the key ends by itself; the venue may set a maximum.' }),
  })
  .openapi('InvestorKeyRequest', { example: INVESTOR_KEY_REQUEST });

const KeyView = z
  .object({
    key_id: z.uuid().openapi({ description: 'X-API-Key, and Username (553) of a FIX session.' }),
    name: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    markets: z.array(z.string()).openapi({ description: 'Symbols of the order-book profile, and of FIX.' }),
    ip_allowlist: z.array(z.string()).nullable(),
    status: z.enum(['active', 'revoked']),
    created_at: z.iso.datetime(),
    revoked_at: z.iso.datetime().nullable(),
    expires_at: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'When it ends by itself, as stated or by the maximum of the venue; null for never.' }),
    last_used_on: z.iso.date().nullable().openapi({ description: 'The day of its last use, UTC; null for none.' }),
  })
  .openapi('InvestorKey', { example: INVESTOR_KEY });

const KeyWithSecretView = KeyView.extend({
  secret: z.string().openapi({ description: 'X-API-Secret, and Password (554) of a FIX session. Shown this once.' }),
}).openapi('InvestorKeyWithSecret', { example: { ...INVESTOR_KEY, secret: SECRET_OF_KEY } });

const LISTER = { credential: 'partner', roles: ['cross_lister'] } as const;
const tags = ['investors'];
const path = '/v1/investors/{id}/accounts/{account_id}/keys';
const params = z.object({ id: z.uuid(), account_id: z.string().max(100) });

/**
 * POST, GET and DELETE of keys by which a lister trades for an account of its investor, over FIX 4.4 and the order-book profile (P-SVC-01). No
 * Idempotency-Key: keeping the answer would keep the secret.
 */
export function investorKeyRoutes(partner: Profile): void {
  registerRoute(
    partner,
    {
      access: LISTER,
      bucket: 'private',
      freshFactor: true,
      errors: ['NOT_FOUND', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
    },
    createRoute({
      method: 'post',
      path,
      tags,
      summary: 'Make a key for an investor’s account; its secret is shown once',
      description:
        'It opens FIX 4.4 sessions, the sockets of the order-book profile and gRPC for this account. It does nothing while the organization is suspended.',
      request: { params, body: bodyOf(KeyRequest) },
      responses: { 201: jsonOf('The key.', KeyWithSecretView) },
    }),
    async (c) => {
      const { security_ids: securities, ip_allowlist: ipAllowlist, expires_at: end, ...terms } = c.req.valid('json');
      const expiresAt = end === null ? null : Date.parse(end);
      const made = await createInvestorKey(
        c.env,
        accountOf(c, c.req.valid('param')),
        { ...terms, securities, ipAllowlist, expiresAt },
        bearerOf(c),
      );
      if (!made.ok) return failure(c, made.error);
      return c.json({ ...keyOnWire(made.value.key, c.env), secret: made.value.secret }, 201);
    },
  );
  registerRoute(
    partner,
    { access: LISTER, bucket: 'private', errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path,
      tags,
      summary: 'Keys of an investor’s account, newest first',
      request: { params },
      responses: { 200: jsonOf('Without their secrets.', z.object({ keys: z.array(KeyView) })) },
    }),
    async (c) => {
      const keys = await listInvestorKeys(c.env, accountOf(c, c.req.valid('param')));
      return keys === null
        ? failure(c, noSuchAccount())
        : c.json({ keys: keys.map((key) => keyOnWire(key, c.env)) }, 200);
    },
  );
  registerRoute(
    partner,
    {
      access: { ...LISTER, whileSuspended: true },
      bucket: 'stops',
      errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    },
    createRoute({
      method: 'delete',
      path: `${path}/{key_id}`,
      tags,
      summary: 'End a key, and cancel its open orders',
      request: { params: params.extend({ key_id: z.uuid() }) },
      responses: { 204: { description: 'It opens nothing any more.' } },
    }),
    async (c) => {
      const { key_id: key, ...of } = c.req.valid('param');
      const ended = await revokeInvestorKey(c.env, accountOf(c, of), { key, requestId: c.get('requestId') });
      return ended.ok ? c.body(null, 204) : failure(c, ended.error);
    },
  );
}

function accountOf(c: AppContext, { id, account_id }: z.infer<typeof params>): InvestorAccountOf {
  return {
    organization: partnerOf(c).organization,
    investor: id,
    account: account_id,
    clientAddress: clientAddressOf(c),
  };
}

function keyOnWire(key: StoredApiKey, env: Env): z.infer<typeof KeyView> {
  const { id, name, scopes, symbols, ipAllowlist, status, createdAt, revokedAt } = key;
  const { expiresAt, lastUsedOn } = endAndUseOnWire(key, env);
  return {
    key_id: id,
    name,
    scopes: [...scopes],
    markets: [...(symbols ?? [])],
    ip_allowlist: ipAllowlist === null ? null : [...ipAllowlist],
    status,
    created_at: isoTime(createdAt),
    revoked_at: isoTimeOrNull(revokedAt),
    expires_at: expiresAt,
    last_used_on: lastUsedOn,
  };
}
