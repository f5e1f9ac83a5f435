import { createRoute, z } from '@hono/zod-openapi';
import { makeKey, reshareKey, rotateKey } from '../../../application/bridge/key-ceremony.ts';
import { lookAt } from '../../../application/bridge/look-at-places.ts';
import { ownAccount } from '../../../application/bridge/own-account.ts';
import { readStated } from '../../../application/bridge/read-stated.ts';
import { LOGO_BYTES_MAX, uploadTenantLogo } from '../../../application/bridge/tenant-logo.ts';
import {
  type BridgeOrganizationRow,
  type BridgeVaultRow,
  findBridgeOrganization,
  findTenant,
  findVault,
  type ListedVault,
  listVaults,
  stateBridgeOrganization,
  stateTenant,
  stateVault,
  VAULTS_MAX,
} from '../../../data/bridge/tenants.ts';
import { findAsset } from '../../../data/catalog/assets.ts';
import { database } from '../../../data/database.ts';
import type { Vault } from '../../../domain/bridge/chains/chain-adapter.ts';
import { CHAIN_NAMES, EXCHANGE_CHAIN } from '../../../domain/bridge/chains/chain-name.ts';
import { LANE_TERMS_MAX, ROOM_HELD_PERCENT } from '../../../domain/bridge/lane-terms.ts';
import { networkFault } from '../../../domain/bridge/places/network-fault.ts';
import type { OrganizationPlaces } from '../../../domain/bridge/places/organization-places.ts';
import { vaultFault } from '../../../domain/bridge/places/vault-fault.ts';
import { isKeyOfTwoNetworks, isSameFunds } from '../../../domain/bridge/places/vault-identity.ts';
import { hostnameOf, SIGNING_MODES } from '../../../domain/bridge/tenant.ts';
import { custodyFault } from '../../../domain/bridge/vault-signing.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/calendar/durations.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { lineOfText } from '../../responses/line-of-text.ts';
import { bodyOf, isoTime } from '../../responses/wire.ts';
import { freshActionOf } from './action-of.ts';
import { OPERATOR_WRITE_UNKEPT, VENUE_READ } from './operator-route.ts';
import { weigh } from './weighty-call.ts';

const HEX = /^[0-9a-f]*$/;
const HEX_WORDS = 'must be hexadecimal digits in lower case';
const COLOR = /^#[0-9a-f]{6}$/;
const COLOR_WORDS = 'must be a color such as #1a2b3c';
const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const ADDRESS_WORDS = 'must be an address: 0x and 40 hexadecimal digits';

const SCHEMES = ['frost-secp256k1', 'frost-taproot', 'frost-ed25519', 'multisig-secp256k1'] as const;

const TenantBody = z
  .strictObject({
    organization: z.string(),
    name: lineOfText(200),
    signingMode: z.enum(SIGNING_MODES),
    singleOperator: z.boolean().default(false).openapi({
      description:
        'Whether one operator may run all five of its signers. Outside the local environment nothing begins without it, unless BRIDGE_SIGNERS names five addresses for the organization. Its tenants and quotes say so.',
    }),
    chains: z.array(z.enum(CHAIN_NAMES)).max(CHAIN_NAMES.length),
    isEnabled: z.boolean().default(true),
    branding: z
      .strictObject({
        primaryColor: z.string().regex(COLOR, COLOR_WORDS).nullable(),
        accentColor: z.string().regex(COLOR, COLOR_WORDS).nullable(),
        supportUrl: z
          .url({ protocol: /^https$/ })
          .max(300)
          .nullable(),
      })
      .default({ primaryColor: null, accentColor: null, supportUrl: null }),
  })
  .openapi('OperatorBridgeTenant');

const OrganizationBody = z
  .strictObject({
    guard: z
      .string()
      .regex(EVM_ADDRESS, ADDRESS_WORDS)
      .openapi({ description: 'Address of its guard on the exchange’s chain.' }),
    stake: z
      .string()
      .regex(EVM_ADDRESS, ADDRESS_WORDS)
      .openapi({ description: 'Address of its signers’ stake there.' }),
    minStake: z
      .string()
      .regex(/^(0|[1-9]\d{0,29})$/, 'must be up to 30 digits')
      .default('0')
      .openapi({
        description:
          'What each signer has to stand in for, for its word to count: in the smallest unit of the coin. 0 where its seat is enough.',
      }),
    feeBps: z.int().min(0).max(1_000).default(0),
    feeAccount: z.uuid().toLowerCase().nullable().default(null).openapi({
      description:
        'Account of the organization that is credited with `feeBps` of each transfer that was paid out, a day after its end. Null where that stays in the vault. For transfers that begin from now on.',
    }),
    laneTerms: z
      .array(
        z.strictObject({
          origin: z.enum(CHAIN_NAMES),
          asset: z.string().min(1).max(32).openapi({ description: 'Symbol.' }),
          leastAmount: z
            .int()
            .min(1)
            .openapi({ description: 'In the asset’s smallest unit. A transfer of less is refused.' }),
          flatFee: z.int().min(0).openapi({
            description: 'Of each transfer beside `feeBps`, in the same unit: what it costs on the exchange’s chain.',
          }),
          coinPrice: z.int().positive().nullable().openapi({
            description:
              'What a whole coin of the origin is worth, in the same unit: payouts pay for what their chain asks. Of a token on a mainnet nothing is paid out before it is told; deposits need this lane alone, and so do both ways of a vault at a custody provider.',
          }),
          roomHeldPercent: z.int().min(1).max(100).default(ROOM_HELD_PERCENT).openapi({
            description:
              'Part of the daily limit up to which room is held for a transfer that waits. A larger one takes what it finds, and holds up nobody.',
          }),
        }),
      )
      .max(LANE_TERMS_MAX)
      .refine(
        (lanes) => new Set(lanes.map(({ origin, asset }) => `${origin} ${asset}`)).size === lanes.length,
        'a lane twice',
      )
      .default([]),
    coSignFrom: z.record(z.string(), z.int().positive()).default({}).openapi({
      description: 'By symbol, in the asset’s smallest unit: amounts from which on the hardware module has to sign.',
    }),
    quoteMs: z
      .int()
      .min(MINUTE_MS)
      .max(7 * DAY_MS)
      .default(60 * MINUTE_MS),
    queueMs: z
      .int()
      .min(MINUTE_MS)
      .max(30 * DAY_MS)
      .refine((wait_ms) => Math.abs(wait_ms - DAY_MS) >= HOUR_MS, 'a wait of about a day ends just as room comes')
      .default(2 * DAY_MS)
      .openapi({
        description:
          'How long a transfer waits for room in its lane. The first in line has it a day after it began to wait: less than 23 hours, or 25 and more.',
      }),
    answerMs: z
      .int()
      .min(MINUTE_MS)
      .max(30 * DAY_MS)
      .default(DAY_MS),
  })
  .openapi('OperatorBridgeOrganization');

const PLACES = {
  guard: OrganizationBody.shape.guard,
  stake: OrganizationBody.shape.stake,
  coSignFrom: OrganizationBody.shape.coSignFrom,
  lanes: z
    .array(z.object({ origin: z.enum(CHAIN_NAMES), asset: z.string(), leastAmount: z.int(), flatFee: z.int() }))
    .optional()
    .openapi({ description: 'Least amounts and flat fees by lane; left out for none.' }),
} as const;

const OrganizationView = z
  .object({
    ...OrganizationBody.shape,
    organization: z.string(),
    next: z
      .object({ ...PLACES, from: z.iso.datetime() })
      .nullable()
      .openapi({
        description:
          'What holds instead for transfers that begin from then on; null for nothing. Stating what holds now takes it back.',
      }),
  })
  .openapi('OperatorBridgeOrganizationView');

const VaultPlace = z.strictObject({
  network: z.enum(['mainnet', 'testnet', 'local']),
  keys: z.strictObject({
    scheme: z.enum(SCHEMES),
    groupKey: z.string().max(66).regex(HEX, HEX_WORDS),
    signerKeys: z.array(z.string().length(66).regex(HEX, HEX_WORDS)).max(5),
  }),
  contract: z.string().max(120).nullable(),
  token: z.string().max(120).nullable(),
  decimals: z.int().min(0).max(30),
  custody: z
    .strictObject({
      provider: z.string().regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, dashes or underscores'),
      account: z.string().regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, dashes or underscores'),
      asset: z.string().regex(/^[\w.-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, dashes or underscores'),
    })
    .optional()
    .openapi({
      description:
        'Where a custody provider keeps the funds: its name in BRIDGE_CUSTODY_PROVIDERS, and its ids of vault account and asset. For tenants of signing mode `custody`.',
    }),
});

const VaultBody = z
  .strictObject({ origin: z.enum(CHAIN_NAMES), chain: z.enum(CHAIN_NAMES), assetId: z.string(), place: VaultPlace })
  .openapi('OperatorBridgeVault');

const VaultView = z
  .object({
    ...VaultBody.shape,
    from: z.iso.datetime().nullable().openapi({
      description: 'The first transfers that may go by it begin then. Null where that is past.',
    }),
    next: z.object({ place: VaultPlace, from: z.iso.datetime() }).nullable().openapi({
      description:
        'Where it is instead for transfers that begin from then on; null for nowhere. Stating where it is now takes that back.',
    }),
  })
  .openapi('OperatorBridgeVaultView');

const KeyView = z
  .object({
    scheme: z.enum(SCHEMES),
    generation: z.int(),
    groupKey: z.string(),
    signerKeys: z.array(z.string()),
    createdAt: z.iso.datetime(),
  })
  .openapi('OperatorBridgeKey');

const hostnameParam = z.object({ hostname: z.string().max(253) });
const organizationParam = z.object({ organization: z.string() });

/** What operators state of the bridge: tenants, what an organization has set, where it has its assets. */
export function bridgeRoutes(exchange: Profile): void {
  stateTenantRoute(exchange);
  uploadLogoRoute(exchange);
  stateOrganizationRoute(exchange);
  stateVaultRoute(exchange);
  keyRoutes(exchange);
  getBridgeOrganizationRoute(exchange);
}

function stateTenantRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE_UNKEPT,
    createRoute({
      method: 'put',
      path: '/v1/operator/bridge/tenants/{hostname}',
      tags: ['operator'],
      summary: 'State a white-label tenant: whose it is, its name, chains and branding',
      request: { params: hostnameParam, body: bodyOf(TenantBody) },
      responses: { 200: envelopeOf('The tenant.', z.object({ ...TenantBody.shape, hostname: z.string() })) },
    }),
    async (c) => {
      const hostname = hostnameOf(c.req.valid('param').hostname);
      if (hostname === null) return failure(c, apiError('VALIDATION_ERROR', 'no hostname', { field: 'hostname' }));
      const stated = c.req.valid('json');
      const db = database(c.env.DB);
      const isStated = await stateTenant(db, { hostname, ...stated, updatedAt: Date.now() }, freshActionOf(c));
      if (!isStated) return failure(c, runsNoBridge());
      const row = await findTenant(db, hostname);
      return row === null ? failure(c, runsNoBridge()) : c.json(enveloped({ hostname, ...stated }), 200);
    },
  );
}

function uploadLogoRoute(exchange: Profile): void {
  const image = { schema: { type: 'string', format: 'binary' } } as const;
  registerRoute(
    exchange,
    { ...OPERATOR_WRITE_UNKEPT, bodyBytesMax: LOGO_BYTES_MAX },
    createRoute({
      method: 'put',
      path: '/v1/operator/bridge/tenants/{hostname}/logo',
      tags: ['operator'],
      summary: 'Upload the logo of a tenant',
      description: 'PNG, JPEG or WebP, told by its content, at most 512 KiB.',
      request: {
        params: hostnameParam,
        body: { required: true, content: { 'image/png': image, 'image/jpeg': image, 'image/webp': image } },
      },
      responses: { 200: envelopeOf('Whose logo it is now.', z.object({ hostname: z.string() })) },
    }),
    async (c) => {
      const hostname = hostnameOf(c.req.valid('param').hostname) ?? '';
      const uploaded = await uploadTenantLogo(c.env, { hostname, image: await c.req.arrayBuffer() }, freshActionOf(c));
      return uploaded.ok ? c.json(enveloped({ hostname }), 200) : failure(c, uploaded.error);
    },
  );
}

function stateOrganizationRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE_UNKEPT,
    createRoute({
      method: 'put',
      path: '/v1/operator/bridge/organizations/{organization}',
      tags: ['operator'],
      summary: 'State what an organization has set for its transfers',
      description:
        'Once it has begun a transfer, another guard, stake or amount for the hardware module, and another least amount or flat fee of a lane, holds three days later, for transfers that begin then. What is stated here is all of it: stating what holds takes back what was to follow.',
      request: { params: organizationParam, body: bodyOf(OrganizationBody) },
      responses: { 200: envelopeOf('What is set.', OrganizationView) },
    }),
    async (c) => {
      const { organization } = c.req.valid('param');
      const db = database(c.env.DB);
      const now = Date.now();
      const stated = c.req.valid('json');
      const { feeAccount: id } = stated;
      const account = id === null ? null : await ownAccount(db, { organization, id, field: 'feeAccount' });
      if (account?.ok === false) return failure(c, account.error);
      const action = freshActionOf(c);
      const waits = await weigh(c, stated, action);
      if (waits !== null) return failure(c, waits);
      if (!(await stateBridgeOrganization(db, { organization, ...stated, updatedAt: now }, action)))
        return failure(c, runsNoBridge());
      await lookNow(c, organization);
      const row = await findBridgeOrganization(db, organization, now);
      return row === null ? failure(c, runsNoBridge()) : c.json(enveloped(organizationView(row)), 200);
    },
  );
}

function stateVaultRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { ...OPERATOR_WRITE_UNKEPT, errors: ['NOT_FOUND', 'CONFLICT', 'ASSET_NOT_FOUND', 'SERVICE_UNAVAILABLE'] },
    createRoute({
      method: 'put',
      path: '/v1/operator/bridge/organizations/{organization}/vaults',
      tags: ['operator'],
      summary: 'State where an organization has an asset: a vault on its own chain, or its wrapped token here',
      description:
        'Once the organization has begun a transfer, a place holds three days later, for transfers that begin then; other keys of the same contract hold at once. CONFLICT where funds of another asset lie there, or where the key serves another network of the chain. Scheme, keys, contract, token and decimals are held against the chain. Decimals that it does not tell hold three days later, before the first transfer, too.',
      request: { params: organizationParam, body: bodyOf(VaultBody) },
      responses: { 200: envelopeOf('The vault.', VaultView) },
    }),
    async (c) => {
      const { organization } = c.req.valid('param');
      const stated = c.req.valid('json');
      const { origin, chain, assetId: asset, place } = stated;
      if (origin === EXCHANGE_CHAIN || (chain !== origin && chain !== EXCHANGE_CHAIN))
        return failure(
          c,
          apiError('VALIDATION_ERROR', 'chain is the origin, or the exchange’s own', { field: 'chain' }),
        );
      const strange = networkFault(place.network, c.env.ENVIRONMENT);
      if (strange !== null) return failure(c, apiError('VALIDATION_ERROR', strange, { field: 'place.network' }));
      const custodial = custodyFault({ chain, ...place });
      if (custodial !== null) return failure(c, apiError('VALIDATION_ERROR', custodial, { field: 'place.custody' }));
      const fault = vaultFault({ chain, ...place });
      if (fault !== null) return failure(c, apiError('VALIDATION_ERROR', fault, { field: 'place' }));
      const db = database(c.env.DB);
      if ((await findAsset(db, asset)) === null)
        return failure(c, apiError('ASSET_NOT_FOUND', 'no such asset', { assetId: asset }));
      const now = Date.now();
      const row = { organization, origin, chain, asset, place: { chain, ...place }, updatedAt: now };
      const isOther = (vault: ListedVault) => vault.origin !== origin || vault.chain !== chain || vault.asset !== asset;
      const all = await listVaults(db, organization, now);
      const others = all.filter(isOther);
      if (others.some((vault) => [vault.place, vault.next?.value].some((of) => of && isSameFunds(of, row.place))))
        return failure(c, apiError('CONFLICT', 'funds of another asset lie there', { field: 'place' }));
      if (all.some((vault) => [vault.place, vault.next?.value].some((of) => of && isKeyOfTwoNetworks(of, row.place))))
        return failure(
          c,
          apiError('CONFLICT', 'the key serves another network of this chain', { field: 'place.network' }),
        );
      const reading = await readStated(c.env, row);
      if (!reading.ok) return failure(c, reading.error);
      const action = freshActionOf(c);
      const waits = await weigh(c, stated, action);
      if (waits !== null) return failure(c, waits);
      if (!(await stateVault(db, row, action, reading.value.isTold))) return failure(c, runsNoBridge());
      await lookNow(c, organization);
      const vault = await findVault(db, row, now);
      return vault === null ? failure(c, runsNoBridge()) : c.json(enveloped(vaultView(vault)), 200);
    },
  );
}

function keyRoutes(exchange: Profile): void {
  const ways = [
    ['', 'Have the five signers make a key together; where there is one, it is answered', makeKey],
    ['/reshare', 'Give the five signers other shares of the same keys', reshareKey],
    ['/rotate', 'Have the five signers make another key beside the one that there is', rotateKey],
  ] as const;
  for (const [path, summary, run] of ways) {
    registerRoute(
      exchange,
      { ...OPERATOR_WRITE_UNKEPT, errors: ['NOT_FOUND', 'CONFLICT', 'SERVICE_UNAVAILABLE'] },
      createRoute({
        method: 'post',
        path: `/v1/operator/bridge/organizations/{organization}/keys${path}`,
        tags: ['operator'],
        summary,
        request: { params: organizationParam, body: bodyOf(z.strictObject({ scheme: z.enum(SCHEMES) })) },
        responses: { 200: envelopeOf('The key.', KeyView) },
      }),
      async (c) => {
        const { scheme: asked } = c.req.valid('json');
        const waits = await weigh(c, { scheme: asked }, freshActionOf(c));
        if (waits !== null) return failure(c, waits);
        const made = await run(c.env, c.req.valid('param').organization, asked);
        if (!made.ok) return failure(c, made.error);
        const { scheme, generation, groupKey, signerKeys, createdAt } = made.value;
        const view = { scheme, generation, groupKey, signerKeys: [...signerKeys], createdAt: isoTime(createdAt) };
        return c.json(enveloped(view), 200);
      },
    );
  }
}

function getBridgeOrganizationRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { ...VENUE_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/operator/bridge/organizations/{organization}',
      tags: ['operator'],
      summary: 'What an organization has set, and where it has its assets',
      request: { params: organizationParam },
      responses: {
        200: envelopeOf('The organization.', z.object({ ...OrganizationView.shape, vaults: z.array(VaultView) })),
      },
    }),
    async (c) => {
      const { organization } = c.req.valid('param');
      const db = database(c.env.DB);
      const now = Date.now();
      const row = await findBridgeOrganization(db, organization, now);
      if (row === null) return failure(c, apiError('NOT_FOUND', 'the organization has set nothing'));
      const vaults = (await listVaults(db, organization, now)).map(vaultView);
      return c.json(enveloped({ ...organizationView(row), vaults }), 200);
    },
  );
}

/** Signers look before this answers, and also where nobody waits for the answer. */
async function lookNow(c: AppContext, organization: string): Promise<void> {
  const look = lookAt(c.env, organization);
  c.executionCtx.waitUntil(look);
  await look;
}

function organizationView(row: BridgeOrganizationRow): z.infer<typeof OrganizationView> {
  const { organization, guard, stake, minStake, feeBps, feeAccount, laneTerms, coSignFrom, next } = row;
  const { quoteMs, queueMs, answerMs } = row;
  return {
    organization,
    guard,
    stake,
    minStake,
    feeBps,
    feeAccount,
    laneTerms: laneTerms.map((lane) => ({ ...lane, roomHeldPercent: lane.roomHeldPercent ?? ROOM_HELD_PERCENT })),
    coSignFrom: { ...coSignFrom },
    quoteMs,
    queueMs,
    answerMs,
    next: next && placesView(next.value, next.from),
  };
}

function placesView({ guard, stake, coSignFrom, lanes }: OrganizationPlaces, from: number) {
  const places = { guard, stake, coSignFrom: { ...coSignFrom }, from: isoTime(from) };
  return lanes === undefined ? places : { ...places, lanes: [...lanes] };
}

function vaultView({ origin, chain, asset, place, from, next }: BridgeVaultRow): z.infer<typeof VaultView> {
  return {
    origin,
    chain,
    assetId: asset,
    place: placeView(place),
    from: from > Date.now() ? isoTime(from) : null,
    next: next && { place: placeView(next.value), from: isoTime(next.from) },
  };
}

function placeView({ chain: _, ...place }: Vault): z.infer<typeof VaultPlace> {
  return { ...place, keys: { ...place.keys, signerKeys: [...place.keys.signerKeys] } };
}

function runsNoBridge(): ApiError {
  const message = `the organization runs no bridge, has ${VAULTS_MAX} vaults, or was changed at the same time; or another one has this hostname`;
  return apiError('CONFLICT', message);
}
