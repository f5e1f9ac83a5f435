import { createRoute, z } from '@hono/zod-openapi';
import { announceListingEvent } from '../../../application/listing/announce-listing.ts';
import { carryOnListing } from '../../../application/listing/carry-on-listing.ts';
import { findMarketScales } from '../../../application/listing/market-scales.ts';
import { stopListingEvent } from '../../../application/listing/stop-listing.ts';
import { database } from '../../../data/database.ts';
import { listAllotments, sumAllotments } from '../../../data/listing/allotments.ts';
import { findListing, type ListingEventRow, listListings } from '../../../data/listing/listing-events.ts';
import { ALLOCATIONS } from '../../../domain/listing/allocate-shares.ts';
import { ALLOTMENT_OUTCOMES, SHOWN_LISTING_STATES, shownListingState } from '../../../domain/listing/listing-state.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { pageOf, rowsToRead } from '../../responses/paging.ts';
import { wholeNumberOr } from '../../responses/whole-number.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_WRITE, ReasonBody, VENUE_READ } from './operator-route.ts';

const LOCKUP_MONTHS_MAX = 60;
const ALLOTMENTS_MAX = 1_000;

const ListingRequest = z
  .strictObject({
    price: z.number().positive(),
    sharesOffered: z.number().positive(),
    lotSize: z
      .number()
      .positive()
      .nullable()
      .default(null)
      .openapi({ description: "Shares are dealt out in multiples of it; the market's lot when left out." }),
    allocation: z.enum(ALLOCATIONS),
    lockupMonths: z.int().min(0).max(LOCKUP_MONTHS_MAX),
    opensMarket: z.boolean().default(true).openapi({
      description: 'Whether the asset gets a pair of its own afterwards. Without one, interest may be taken anew.',
    }),
  })
  .openapi('OperatorListingRequest');

const OutcomeSum = z.object({ indications: z.int(), shares: z.number() });

const ListingView = z
  .object({
    eventId: z.string(),
    assetId: z.string(),
    state: z.enum(SHOWN_LISTING_STATES),
    price: z.number(),
    sharesOffered: z.number(),
    lotSize: z.number(),
    allocation: z.enum(ALLOCATIONS),
    lockupMonths: z.int(),
    restrictionEndDate: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'When the shares that investors get are free: after lockup and hold period.' }),
    issuerAccount: z.string(),
    offerOrderId: z.string().openapi({ description: "The issuer's order." }),
    code: z.string().nullable().openapi({ description: 'Why the event was refused.' }),
    outcomes: z.record(z.enum(ALLOTMENT_OUTCOMES), OutcomeSum),
    sharesUnallocated: z.number().openapi({ description: 'Of the shares offered, what nobody has bought.' }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .openapi('OperatorListingEvent');

const AllotmentView = z
  .object({
    orderId: z.string(),
    accountId: z.string(),
    indicatedShares: z.number(),
    limitPrice: z.number(),
    allottedShares: z.number(),
    outcome: z.enum(ALLOTMENT_OUTCOMES),
    rule: z.string().nullable().openapi({ description: 'What stood in the way.', example: 'accreditation_required' }),
    code: z.string().nullable().openapi({ description: 'The code that an order has which fails that rule.' }),
  })
  .openapi('OperatorAllotment');

/** POST /v1/operator/assets/{id}/listing-event, its stop, and what became of it. */
export function listingEventRoutes(exchange: Profile): void {
  announce(exchange);
  list(exchange);
  stop(exchange);
  show(exchange);
  report(exchange);
}

function announce(exchange: Profile): void {
  registerRoute(
    exchange,
    { ...OPERATOR_WRITE, errors: [...OPERATOR_WRITE.errors, 'ASSET_NOT_FOUND'] },
    createRoute({
      method: 'post',
      path: '/v1/operator/assets/{id}/listing-event',
      tags: ['operator'],
      summary: "Announce an issuer's listing: indications of interest turn firm at its terms",
      description:
        'Each indication that is allotted shares is checked as a firm order and filled from the account of the issuer. An event that is not over when this answers goes on by itself.',
      request: {
        params: z.object({ id: z.string() }),
        body: { required: true, content: { 'application/json': { schema: ListingRequest } } },
      },
      responses: { 200: envelopeOf('The event as far as it has come.', ListingView) },
    }),
    async (c) => {
      const terms = { assetId: c.req.valid('param').id, ...c.req.valid('json') };
      const announced = await announceListingEvent(c.env, terms, actionOf(c));
      if (!announced.ok) return failure(c, announced.error);
      const event = await carryOnListing(c.env, announced.value);
      return c.json(enveloped(await listingView(c.env, event)), 200);
    },
  );
}

const eventParams = z.object({ id: z.string(), event: z.string() });

function stop(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'post',
      path: '/v1/operator/assets/{id}/listing-events/{event}/stop',
      tags: ['operator'],
      summary: 'Stop a listing event',
      description:
        "What has turned firm stands. The rest of the issuer's offer is taken back and its shares are free again; indications stand as they were. An event that is converted or over is CONFLICT.",
      request: {
        params: eventParams,
        body: { required: true, content: { 'application/json': { schema: ReasonBody } } },
      },
      responses: { 200: envelopeOf('The event as far as it has come.', ListingView) },
    }),
    async (c) => {
      const { id, event } = c.req.valid('param');
      const stopped = await stopListingEvent(c.env, { asset: id, event }, actionOf(c, c.req.valid('json').reason));
      return stopped.ok ? c.json(enveloped(await listingView(c.env, stopped.value)), 200) : failure(c, stopped.error);
    },
  );
}

/** Each is shown with its sums, which are two reads. */
const EVENTS_MAX = 20;

function list(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/assets/{id}/listing-events',
      tags: ['operator'],
      summary: 'Listing events of an asset, newest first',
      request: {
        params: z.object({ id: z.string() }),
        query: z.object({
          limit: wholeNumberOr(EVENTS_MAX, 1, EVENTS_MAX),
          cursor: z
            .uuid()
            .toLowerCase()
            .optional()
            .openapi({ description: 'Id of the last event of the page before.' }),
        }),
      },
      responses: { 200: envelopeOf('The events.', z.array(ListingView)) },
    }),
    async (c) => {
      const { limit, cursor = null } = c.req.valid('query');
      const place = { before: cursor, limit: rowsToRead(limit) };
      const found = await listListings(database(c.env.DB), c.req.valid('param').id, place);
      const page = pageOf(c, found, limit, ({ id }) => id);
      return c.json(enveloped(await Promise.all(page.map((event) => listingView(c.env, event)))), 200);
    },
  );
}

function show(exchange: Profile): void {
  registerRoute(
    exchange,
    { ...VENUE_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/operator/assets/{id}/listing-events/{event}',
      tags: ['operator'],
      summary: 'A listing event',
      request: { params: eventParams },
      responses: { 200: envelopeOf('The event.', ListingView) },
    }),
    async (c) => {
      const { id, event } = c.req.valid('param');
      const found = await findListing(database(c.env.DB), id, event);
      if (found === null) return failure(c, noSuchEvent());
      return c.json(enveloped(await listingView(c.env, found)), 200);
    },
  );
}

function report(exchange: Profile): void {
  registerRoute(
    exchange,
    { ...VENUE_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/operator/assets/{id}/listing-events/{event}/indications',
      tags: ['operator'],
      summary: 'What became of each indication at a listing event',
      request: {
        params: eventParams,
        query: z.object({
          limit: wholeNumberOr(ALLOTMENTS_MAX, 1, ALLOTMENTS_MAX),
          cursor: wholeNumberOr(-1, -1).openapi({
            description: 'Place of the last indication of the page before.',
          }),
        }),
      },
      responses: { 200: envelopeOf('Indications in order of arrival.', z.array(AllotmentView)) },
    }),
    async (c) => {
      const { id, event } = c.req.valid('param');
      const { limit, cursor } = c.req.valid('query');
      const db = database(c.env.DB);
      const found = await findListing(db, id, event);
      if (found === null) return failure(c, noSuchEvent());
      const scales = await findMarketScales(c.env, found);
      const rows = await listAllotments(db, event, { after: cursor, limit: rowsToRead(limit) });
      const page = pageOf(c, rows, limit, ({ position }) => String(position));
      const data = page.map((row) => ({
        orderId: row.orderId,
        accountId: row.account,
        indicatedShares: fromScaled(row.quantity, scales.quantityScale),
        limitPrice: fromScaled(row.price, scales.priceScale),
        allottedShares: fromScaled(row.allotted, scales.quantityScale),
        outcome: row.outcome,
        rule: row.rule,
        code: row.code,
      }));
      return c.json(enveloped(data), 200);
    },
  );
}

function noSuchEvent() {
  return apiError('NOT_FOUND', 'listing event does not exist');
}

async function listingView(env: Env, event: ListingEventRow): Promise<z.infer<typeof ListingView>> {
  const [scales, sums] = await Promise.all([findMarketScales(env, event), sumAllotments(database(env.DB), event.id)]);
  const shares = (scaled: number) => fromScaled(scaled, scales.quantityScale);
  const sumOf = (outcome: (typeof ALLOTMENT_OUTCOMES)[number]) =>
    sums.find((sum) => sum.outcome === outcome) ?? { indications: 0, allotted: 0 };
  const outcomes = Object.fromEntries(
    ALLOTMENT_OUTCOMES.map((outcome) => {
      const { indications, allotted } = sumOf(outcome);
      return [outcome, { indications, shares: shares(allotted) }];
    }),
  ) as z.infer<typeof ListingView>['outcomes'];
  return {
    eventId: event.id,
    assetId: event.asset,
    state: shownListingState(event),
    price: fromScaled(event.price, scales.priceScale),
    sharesOffered: shares(event.sharesOffered),
    lotSize: shares(event.lotSize),
    allocation: event.allocation,
    lockupMonths: event.lockupMonths,
    restrictionEndDate: event.restrictionEndsAt === null ? null : new Date(event.restrictionEndsAt).toISOString(),
    issuerAccount: event.issuerAccount,
    offerOrderId: event.offerId,
    code: event.code,
    outcomes,
    sharesUnallocated: shares(event.sharesOffered - sumOf('converted').allotted),
    createdAt: new Date(event.createdAt).toISOString(),
    updatedAt: new Date(event.updatedAt).toISOString(),
  };
}
