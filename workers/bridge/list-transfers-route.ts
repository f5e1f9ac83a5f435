import { createRoute, z } from '@hono/zod-openapi';
import { hasOneOperator } from '../../application/bridge/tenant-signers.ts';
import { listShownTransfers, type ShownTransfer } from '../../data/bridge/transfers.ts';
import { database } from '../../data/database.ts';
import { TRANSFER_STATES } from '../../domain/bridge/transfer.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { linkNextPage } from '../responses/link-next-page.ts';
import { wholeNumberOr } from '../responses/whole-number.ts';
import { isoTime, jsonOf } from '../responses/wire.ts';
import { TENANT_READ } from './bridge-route.ts';
import { knownTenantOf, ownTenant, tenantQuery } from './tenant-of.ts';
import { AssetSymbol, BridgeTransferView, termsOnWire } from './transfer-schema.ts';

const PAGE_MAX = 100;

const { id, state, asset, source, destination, quote } = BridgeTransferView.shape;

const ListedTransfer = z
  .object({
    id,
    hostname: z.string().openapi({ description: 'At which it was asked for.' }),
    state,
    asset: asset.nullable(),
    source: source.nullable(),
    destination: destination.nullable(),
    quote: quote.nullable(),
    updated_at: z.iso.datetime().openapi({ description: 'When its state was written here last.' }),
  })
  .openapi('BridgeListedTransfer');

/** GET /api/v1/transfer: transfers of the organization, over all its hostnames. */
export function listTransfersRoute(bridge: Profile): void {
  registerRoute(
    bridge,
    { ...TENANT_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/api/v1/transfer',
      tags: ['transfers'],
      summary: 'Your transfers, newest first',
      description:
        'Each is as its object last said; `GET …/{id}` asks the object itself. `asset`, `source`, `destination` and `quote` are null, and found by no filter, where a transfer was begun before lists showed them and was not gone on with since (`POST …/{id}/complete`).',
      request: {
        query: tenantQuery.extend({
          state: z.enum(TRANSFER_STATES).optional(),
          asset: AssetSymbol.optional(),
          account_id: z
            .uuid()
            .toLowerCase()
            .optional()
            .openapi({ description: 'The customer’s account that is its source or its destination.' }),
          limit: wholeNumberOr(PAGE_MAX, 1, PAGE_MAX).openapi({
            description: 'Page size. The next page is in the Link header.',
          }),
          cursor: z.uuid().toLowerCase().optional(),
        }),
      },
      responses: {
        200: jsonOf(
          'The transfers. With more than one filter a page may be short and yet lead on: the last one has no Link header.',
          z.object({ transfers: z.array(ListedTransfer) }),
        ),
      },
    }),
    async (c) => {
      const { hostname, limit, cursor, ...stated } = c.req.valid('query');
      const at = await knownTenantOf(c, hostname);
      const tenant = at.ok ? ownTenant(c, at.value) : at;
      if (!tenant.ok) return failure(c, tenant.error);
      const filter = {
        state: stated.state ?? null,
        asset: stated.asset ?? null,
        account: stated.account_id ?? null,
      };
      const query = { filter, before: cursor ?? null, limit };
      const page = await listShownTransfers(database(c.env.DB), tenant.value.organization, query);
      if (page.next !== null) linkNextPage(c, page.next);
      const isOfOne = hasOneOperator(c.env, tenant.value);
      return c.json({ transfers: page.transfers.map((shown) => listedOnWire(shown, isOfOne)) }, 200);
    },
  );
}

function listedOnWire({ terms, ...shown }: ShownTransfer, isOfOne: boolean): z.infer<typeof ListedTransfer> {
  return {
    id: shown.id,
    hostname: shown.hostname,
    state: shown.state,
    ...(terms === null ? NO_TERMS : termsOnWire(terms, isOfOne)),
    updated_at: isoTime(shown.updatedAt),
  };
}

const NO_TERMS = { asset: null, source: null, destination: null, quote: null };
