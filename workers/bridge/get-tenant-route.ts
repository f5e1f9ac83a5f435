import { createRoute, z } from '@hono/zod-openapi';
import { laneRules } from '../../application/bridge/lane-rules.ts';
import { readTenantLogo } from '../../application/bridge/tenant-logo.ts';
import { hasOneOperator } from '../../application/bridge/tenant-signers.ts';
import { findBridgeOrganization, listVaults } from '../../data/bridge/tenants.ts';
import { database } from '../../data/database.ts';
import { CHAIN_NAMES, EXCHANGE_CHAIN } from '../../domain/bridge/chains/chain-name.ts';
import { laneTermsOf, quoteTerms, roomHeldUpTo } from '../../domain/bridge/lane-terms.ts';
import { SIGNING_MODES } from '../../domain/bridge/tenant.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { apiError } from '../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { isoTime, jsonOf } from '../responses/wire.ts';
import { tenantOf, tenantQuery } from './tenant-of.ts';
import { SINGLE_OPERATOR } from './transfer-schema.ts';

const AssetView = z.object({
  asset_id: z.string(),
  symbol: z.string().openapi({ description: 'What `asset` of a transfer names.' }),
  scale: z.int().openapi({ description: 'Decimals that an amount in whole units may have.' }),
  token: z.string().nullable().openapi({ description: 'On that chain. Null for the chain’s own coin.' }),
  decimals: z.int().openapi({ description: 'Of the token or coin there.' }),
  vault: z.string().nullable().openapi({
    description:
      'Contract that holds it there. Null where none does. To pay in, follow `deposit` of a transfer: what is sent here otherwise is lost.',
  }),
  wrapped: z.string().nullable().openapi({
    description: 'Contract of its wrapped token on the exchange’s chain. Null where it has none.',
  }),
  least_amount: z.number().nullable().openapi({
    description: 'A transfer of less is refused (AMOUNT_TOO_SMALL), in whole units. Null where none is stated.',
  }),
  flat_fee: z.number().openapi({
    description:
      'Of each transfer beside `fee_bps`, in whole units. A payout also pays for what its chain asks of it at that time: `quote.fee` of the transfer has it.',
  }),
  takes_deposits: z.boolean().openapi({
    description:
      'False while a request to pay in is refused with CONFLICT and `reason` `unstated`: operators have stated nothing of the lane.',
  }),
  takes_withdrawals: z.boolean().openapi({
    description:
      'False while a request to pay out is refused with CONFLICT and `reason` `unstated`, or `unpriced`: operators have not stated what a coin of the chain is worth.',
  }),
  daily_limit: z.number().nullable().openapi({
    description:
      'What all transfers of a day may come to, each of them at most, in whole units. Null where the chain does not say now.',
  }),
  room_held_up_to: z.number().nullable().openapi({
    description:
      'A transfer of so much at most that finds no room has it within a day of its turn, in whole units. One of more waits until there happens to be room, and goes back where there is none in time. Null where the chain does not say now.',
  }),
  challenge_from: z.number().nullable().openapi({
    description:
      'Amount in whole units from which on a transfer is challenged before it is paid. Null where none is, and where the chain does not say now.',
  }),
  challenge_seconds: z.int().nullable().openapi({
    description: 'How long such a challenge lasts. 0 where none is challenged. Null where the chain does not say now.',
  }),
});

const TenantView = z
  .object({
    hostname: z.string(),
    name: z.string(),
    signing_mode: z.enum(SIGNING_MODES).openapi({
      description:
        'Who could move what lies in the vaults. `native`: five signers of the exchange; `single_operator` says whether one operator has all five. `custom`: any three of five signers that the tenant has others run. `custody`: the custody provider.',
    }),
    single_operator: z.boolean().openapi({ description: SINGLE_OPERATOR }),
    branding: z.object({
      logo_url: z.string().nullable(),
      primary_color: z.string().nullable(),
      accent_color: z.string().nullable(),
      support_url: z.string().nullable(),
    }),
    chains: z.array(
      z.object({
        name: z.enum(CHAIN_NAMES),
        assets: z.array(AssetView).openapi({ description: 'What of it is bridged.' }),
      }),
    ),
    fee_bps: z.int().nullable().openapi({ description: 'Null where it takes no transfers yet.' }),
    fee_account: z.string().nullable().openapi({
      description:
        'Account that is credited with `fee_bps` of each transfer, a day after it was paid out. Null where that stays in the vault.',
    }),
    quote_seconds: z
      .int()
      .nullable()
      .openapi({ description: 'How long a quote stands. Null where it takes no transfers yet.' }),
    places_change_at: z.iso.datetime().nullable().openapi({
      description:
        'When the next change of a vault, wrapped token, guard or stake holds that operators of the exchange have stated. Null where none waits: one that you did not agree to can be taken back until then.',
    }),
  })
  .openapi('BridgeTenant');

/** GET /api/tenant (P-BRG-01). */
export function getTenantRoute(bridge: Profile): void {
  registerRoute(
    bridge,
    { access: { credential: 'public' }, bucket: 'public', errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/api/tenant',
      tags: ['tenant'],
      summary: 'A tenant: name, branding, chains, limits, challenges',
      request: { query: tenantQuery },
      responses: { 200: jsonOf('The tenant.', TenantView) },
    }),
    async (c) => {
      const { hostname } = c.req.valid('query');
      const found = await tenantOf(c, hostname);
      if (!found.ok) return failure(c, found.error);
      const tenant = found.value;
      const db = database(c.env.DB);
      const now = Date.now();
      const vaults = tenant.organization === null ? [] : await listVaults(db, tenant.organization, now);
      const settings = tenant.organization === null ? null : await findBridgeOrganization(db, tenant.organization, now);
      const changes = [
        ...[settings, ...vaults].flatMap((row) => row?.next?.from ?? []),
        ...vaults.map(({ from }) => from).filter((from) => from > now),
      ];
      const held = vaults.filter(({ from }) => from <= now);
      const served = held.filter(({ origin, chain }) => origin === chain && tenant.chains.includes(origin));
      const lanes = settings === null ? [] : await laneRules(c.env, settings.guard, served);
      const assets = served.map((vault, index) => {
        const { asset, symbol, scale, origin, place } = vault;
        const wrapped = held.find((of) => of.origin === origin && of.asset === asset && of.chain === EXCHANGE_CHAIN);
        const lane = lanes[index] ?? null;
        const challenge = lane?.challenge ?? null;
        const terms = laneTermsOf(settings?.laneTerms ?? [], { origin, asset: symbol });
        const of = { feeBps: settings?.feeBps ?? 0, lane: terms, scale, vault: place };
        const takes = (paysOut: boolean) => settings !== null && quoteTerms({ ...of, paysOut }, null).ok;
        return {
          origin,
          view: {
            asset_id: asset,
            symbol,
            scale,
            token: place.token,
            decimals: place.decimals,
            vault: place.contract,
            wrapped: wrapped?.place.contract ?? null,
            least_amount: terms === undefined ? null : fromScaled(terms.leastAmount, scale),
            flat_fee: fromScaled(terms?.flatFee ?? 0, scale),
            takes_deposits: takes(false),
            takes_withdrawals: takes(true),
            daily_limit: lane === null ? null : fromScaled(lane.limit, scale),
            room_held_up_to: lane === null ? null : fromScaled(roomHeldUpTo(lane.limit, terms?.roomHeldPercent), scale),
            challenge_from: challenge === null ? null : fromScaled(challenge.from, scale),
            challenge_seconds: lane === null ? null : (challenge?.seconds ?? 0),
          },
        };
      });
      const { primaryColor, accentColor, supportUrl } = tenant.branding;
      const logoUrl = new URL(c.req.url);
      logoUrl.pathname = logoUrl.pathname.replace(/\/api\/tenant$/, '/api/tenant/logo');
      logoUrl.search = new URLSearchParams({ hostname: tenant.hostname }).toString();
      const view = {
        hostname: tenant.hostname,
        name: tenant.name,
        signing_mode: tenant.signingMode,
        single_operator: hasOneOperator(c.env, tenant),
        branding: {
          logo_url: tenant.hasLogo ? logoUrl.toString() : null,
          primary_color: primaryColor,
          accent_color: accentColor,
          support_url: supportUrl,
        },
        chains: tenant.chains.map((name) => ({
          name,
          assets: assets.filter(({ origin }) => origin === name).map(({ view: shown }) => shown),
        })),
        fee_bps: settings?.feeBps ?? null,
        fee_account: settings?.feeAccount ?? null,
        quote_seconds: settings === null ? null : Math.floor(settings.quoteMs / 1_000),
        places_change_at: changes.length === 0 ? null : isoTime(Math.min(...changes)),
      };
      return c.json(view, 200);
    },
  );
}

/** GET /api/tenant/logo: the image that the operator has uploaded. */
export function getTenantLogoRoute(bridge: Profile): void {
  registerRoute(
    bridge,
    { access: { credential: 'public' }, bucket: 'public', errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/api/tenant/logo',
      tags: ['tenant'],
      summary: 'Its logo',
      request: { query: tenantQuery },
      responses: { 200: { description: 'The image: PNG, JPEG or WebP.' } },
    }),
    async (c) => {
      const found = await tenantOf(c, c.req.valid('query').hostname);
      if (!found.ok) return failure(c, found.error);
      const logo = await readTenantLogo(c.env, found.value.hostname);
      if (logo === null) return failure(c, apiError('NOT_FOUND', 'the tenant has no logo'));
      return new Response(logo.body, {
        headers: {
          'content-type': logo.contentType,
          'cache-control': 'public, max-age=300',
          'x-content-type-options': 'nosniff',
        },
      });
    },
  );
}
