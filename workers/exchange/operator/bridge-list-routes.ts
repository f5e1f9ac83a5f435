import { createRoute, z } from '@hono/zod-openapi';
import { readTransfer } from '../../../application/bridge/return-funds.ts';
import { listBridges, listClusters, listTenantsOf } from '../../../data/bridge/tenants.ts';
import { listShownTransfers } from '../../../data/bridge/transfers.ts';
import { findAssetBySymbol } from '../../../data/catalog/assets.ts';
import { database } from '../../../data/database.ts';
import { SIGNING_MODES } from '../../../domain/bridge/tenant.ts';
import { REFUND_REASONS, TRANSFER_STATES } from '../../../domain/bridge/transfer.ts';
import type { Place } from '../../../domain/bridge/transfer-terms.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import type { TransferView } from '../../../durable-objects/transfer/api.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { linkNextPage } from '../../responses/link-next-page.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { wholeNumberOr } from '../../responses/whole-number.ts';
import { isoTime, isoTimeOrNull } from '../../responses/wire.ts';
import { VENUE_READ } from './operator-route.ts';

const TRANSFERS_MAX = 100;
const ORGANIZATION_LENGTH_MAX = 100;

const ListedBridgeView = z
  .object({
    organization: z.string(),
    name: z.string(),
    feeBps: z.int().nullable().openapi({ description: 'Null where it has set nothing yet.' }),
    tenants: z.int(),
    vaults: z.int(),
    changesAt: z.iso.datetime().nullable().openapi({ description: 'When what it has set changes after a notice.' }),
  })
  .openapi('OperatorListedBridge');

const TenantsView = z
  .object({
    tenants: z.array(
      z.object({
        hostname: z.string(),
        name: z.string(),
        signingMode: z.enum(SIGNING_MODES),
        singleOperator: z.boolean(),
        chains: z.array(z.string()),
        isEnabled: z.boolean(),
        updatedAt: z.iso.datetime(),
      }),
    ),
    keys: z.array(
      z.object({ scheme: z.string(), generation: z.int(), groupKey: z.string(), createdAt: z.iso.datetime() }),
    ),
  })
  .openapi('OperatorBridgeTenants');

const PlaceView = z.object({
  chain: z.string().nullable().openapi({ description: 'Null for an account of the ledger.' }),
  address: z.string().openapi({ description: 'Of an account its id.' }),
});

const ListedTransferView = z
  .object({
    transferId: z.uuid(),
    hostname: z.string(),
    state: z.enum(TRANSFER_STATES),
    asset: z.string().nullable(),
    source: PlaceView.nullable(),
    destination: PlaceView.nullable(),
    updatedAt: z.iso.datetime(),
  })
  .openapi('OperatorBridgeListedTransfer');

const TransferDetailView = z
  .object({
    transferId: z.uuid(),
    organization: z.string(),
    hostname: z.string(),
    state: z.enum(TRANSFER_STATES),
    asset: z.string(),
    amount: z.number(),
    fee: z.number(),
    source: PlaceView,
    destination: PlaceView,
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    until: z.iso.datetime().nullable().openapi({ description: 'When the state ends by itself.' }),
    waitsFor: z.string().nullable(),
    refundReason: z.enum(REFUND_REASONS).nullable().openapi({ description: '`vetoed`: somebody has stopped it.' }),
    attestedBy: z.array(z.int()),
    refusedBy: z.array(z.int()),
    cheaters: z.array(z.int()).openapi({ description: 'Signers whose shares were wrong.' }),
    isUncovered: z.boolean().openapi({ description: 'Its funds were lost after it was paid.' }),
    history: z.array(z.object({ state: z.enum(TRANSFER_STATES), at: z.iso.datetime() })),
  })
  .openapi('OperatorBridgeTransfer');

const organizationParam = z.object({ organization: z.string() });

/** What operators read of all bridges: whose there are, their tenants and keys, their transfers. */
export function bridgeListRoutes(exchange: Profile): void {
  listBridgesRoute(exchange);
  listTenantsRoute(exchange);
  listTransfersRoute(exchange);
  getTransferRoute(exchange);
}

function listBridgesRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/bridge/organizations',
      tags: ['operator'],
      summary: 'Organizations with a bridge, by id',
      request: {
        query: z.object({
          limit: limitQuery,
          cursor: z
            .string()
            .max(ORGANIZATION_LENGTH_MAX)
            .default('')
            .openapi({ description: 'Id of the last one of the page before.' }),
        }),
      },
      responses: { 200: envelopeOf('The organizations.', z.array(ListedBridgeView)) },
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid('query');
      const place = { after: cursor, limit: rowsToRead(limit), now: Date.now() };
      const page = pageOf(c, await listBridges(database(c.env.DB), place), limit, ({ organization }) => organization);
      const views = page.map(({ changesAt, ...bridge }) => ({ ...bridge, changesAt: isoTimeOrNull(changesAt) }));
      return c.json(enveloped(views), 200);
    },
  );
}

function listTenantsRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/bridge/organizations/{organization}/tenants',
      tags: ['operator'],
      summary: 'Tenants of an organization, and the public keys of its signers',
      description: 'Up to 200 tenants by hostname.',
      request: { params: organizationParam },
      responses: { 200: envelopeOf('What is there.', TenantsView) },
    }),
    async (c) => {
      const { organization } = c.req.valid('param');
      const db = database(c.env.DB);
      const [tenants, keys] = await Promise.all([listTenantsOf(db, organization), listClusters(db, organization)]);
      const view = {
        tenants: tenants.map(({ hostname, name, signingMode, singleOperator, chains, isEnabled, updatedAt }) => ({
          hostname,
          name,
          signingMode,
          singleOperator,
          chains: [...chains],
          isEnabled,
          updatedAt: isoTime(updatedAt),
        })),
        keys: keys.map(({ scheme, generation, groupKey, createdAt }) => ({
          scheme,
          generation,
          groupKey,
          createdAt: isoTime(createdAt),
        })),
      };
      return c.json(enveloped(view), 200);
    },
  );
}

function listTransfersRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/bridge/transfers',
      tags: ['operator'],
      summary: 'Transfers of an organization, newest first',
      request: {
        query: z.object({
          organization: z.string().min(1).max(ORGANIZATION_LENGTH_MAX),
          state: z.enum(TRANSFER_STATES).optional(),
          limit: wholeNumberOr(TRANSFERS_MAX, 1, TRANSFERS_MAX),
          cursor: z.uuid().toLowerCase().optional(),
        }),
      },
      responses: { 200: envelopeOf('The transfers, as they were last written down.', z.array(ListedTransferView)) },
    }),
    async (c) => {
      const { organization, state = null, limit, cursor = null } = c.req.valid('query');
      const filter = { state, asset: null, account: null };
      const page = { filter, before: cursor, limit };
      const { transfers, next } = await listShownTransfers(database(c.env.DB), organization, page);
      if (next !== null) linkNextPage(c, next);
      const views = transfers.map((shown) => ({
        transferId: shown.id,
        hostname: shown.hostname,
        state: shown.state,
        asset: shown.asset,
        source: shown.terms && placeView(shown.terms.source),
        destination: shown.terms && placeView(shown.terms.destination),
        updatedAt: isoTime(shown.updatedAt),
      }));
      return c.json(enveloped(views), 200);
    },
  );
}

function getTransferRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { ...VENUE_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/operator/bridge/transfers/{id}',
      tags: ['operator'],
      summary: 'A transfer of the bridge: what it is to do, where it stands, who has attested it',
      request: { params: z.object({ id: z.uuid().toLowerCase() }) },
      responses: { 200: envelopeOf('The transfer.', TransferDetailView) },
    }),
    async (c) => {
      const view = await readTransfer(c.env, c.req.valid('param').id);
      if (view === null) return failure(c, apiError('NOT_FOUND', 'no such transfer'));
      const asset = await findAssetBySymbol(database(c.env.DB), view.terms.asset);
      return c.json(enveloped(transferView(view, asset?.scale ?? 0)), 200);
    },
  );
}

function transferView(view: TransferView, scale: number): z.infer<typeof TransferDetailView> {
  const { terms, transfer, hostname, createdAt, waitsFor, cheaters } = view;
  return {
    transferId: terms.id,
    organization: terms.organization,
    hostname,
    state: transfer.state,
    asset: terms.asset,
    amount: fromScaled(terms.amount, scale),
    fee: fromScaled(terms.fee, scale),
    source: placeView(terms.source),
    destination: placeView(terms.destination),
    createdAt: isoTime(createdAt),
    expiresAt: isoTime(terms.expiresAt),
    until: isoTimeOrNull(transfer.until),
    waitsFor,
    refundReason: transfer.refundReason,
    attestedBy: [...transfer.attestedBy],
    refusedBy: [...transfer.refusedBy],
    cheaters: [...new Set(cheaters)],
    isUncovered: transfer.isUncovered,
    history: transfer.history.map(({ to, at }) => ({ state: to, at: isoTime(at) })),
  };
}

function placeView(place: Place): z.infer<typeof PlaceView> {
  return place.kind === 'account'
    ? { chain: null, address: place.account }
    : { chain: place.chain, address: place.address };
}
