import { createRoute, z } from '@hono/zod-openapi';
import { projected } from '../../../application/ledger/projected.ts';
import { requestsByReference } from '../../../data/accounts/transfer-requests.ts';
import { database } from '../../../data/database.ts';
import { FOUND_KINDS, type FoundById, type FoundKind, findById } from '../../../data/overview/found-by-id.ts';
import { readPaymentReference } from '../../../domain/accounts/payment-reference.ts';
import { ownId } from '../../../domain/identity/own-id.ts';
import { holdsPower } from '../../../domain/identity/powers.ts';
import { visibleTo } from '../../../domain/identity/visible-object.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { PRICE_SCALE_WITHOUT_MARKET } from '../../../domain/order-entry/without-market.ts';
import { principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { isoTimeOrNull } from '../../responses/wire.ts';
import { OPERATOR_READ, readableOwner } from './operator-route.ts';

const KINDS = Object.keys(FOUND_KINDS) as [FoundKind, ...FoundKind[]];
const ID_LENGTH_MAX = 100;

const FoundView = z
  .object({
    kind: z.enum(KINDS),
    id: z.string(),
    name: z.string().nullable(),
    state: z.string().nullable().openapi({ description: '`archived`: an order of which only what it traded is kept.' }),
    organization: z.string().nullable(),
    accountId: z.string().nullable().openapi({ description: 'Of a trade and of its settlement, the buyer’s.' }),
    otherAccountId: z.string().nullable().openapi({ description: 'Of a trade and of its settlement, the seller’s.' }),
    userId: z.string().nullable(),
    symbol: z.string().nullable().openapi({ description: 'Of its market, or its asset.' }),
    assetId: z.string().nullable(),
    side: z.string().nullable(),
    quantity: z.number().nullable(),
    filled: z.number().nullable(),
    price: z.number().nullable(),
    timestamp: z.iso.datetime().nullable(),
  })
  .openapi('OperatorFound');

/** GET /v1/operator/search: what has an id. What the operator may not see is as unknown as what is not there. */
export function findByIdRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/search',
      tags: ['operator'],
      summary: 'What has an id: a person, an account, an order, a trade, a payment, an asset, a market and so on',
      description:
        'By the whole id, or the reference that a customer has written on a payment. An operator of another organization than the venue finds what is of their own. An archived order that has not traded is not found.',
      request: { query: z.object({ id: z.string().trim().min(1).max(ID_LENGTH_MAX) }) },
      responses: { 200: envelopeOf('All that has it; nothing where it is unknown.', z.array(FoundView)) },
    }),
    async (c) => {
      const { id } = c.req.valid('query');
      const principal = principalOf(c);
      // What was placed a moment ago is there; where the ledger stands still, what was known before is found all the same.
      await projected(c.env);
      const kinds = KINDS.filter((kind) => holdsPower(principal, FOUND_KINDS[kind]));
      const db = database(c.env.DB);
      const found = await findById(db, ownId(id), kinds);
      const reference = readPaymentReference(id);
      if (reference !== null && kinds.includes('transfer_request'))
        for (const request of await requestsByReference(db, reference))
          found.push(...(await findById(db, request, ['transfer_request'])));
      const reader = readableOwner(c);
      const views = found.flatMap((one) => {
        const seen = visibleTo(one, reader);
        return seen === null ? [] : [foundView(seen)];
      });
      return c.json(enveloped(views), 200);
    },
  );
}

function foundView(found: FoundById & { readonly kind: FoundKind }): z.infer<typeof FoundView> {
  const { kind, id, name, state, userId, symbol, assetId, side } = found;
  const shares = (scaled: number | null) => (scaled === null ? null : fromScaled(scaled, found.quantityScale ?? 0));
  return {
    kind,
    id,
    name,
    state,
    organization: found.owner,
    accountId: found.account,
    otherAccountId: found.otherAccount,
    userId,
    symbol,
    assetId,
    side,
    quantity: shares(found.quantity),
    filled: shares(found.filled),
    price: found.price === null ? null : fromScaled(found.price, found.priceScale ?? PRICE_SCALE_WITHOUT_MARKET),
    timestamp: isoTimeOrNull(found.at),
  };
}
