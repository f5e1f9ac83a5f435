import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { ACCREDITATION_STATUSES, KYC_STATUSES } from '../domain/accounts/account.ts';
import { TRANSFER_REQUEST_STATES } from '../domain/accounts/transfer-request.ts';
import { TRANSFER_TYPES } from '../domain/accounts/transfer-type.ts';
import { ACCREDITATION_RECORD_KINDS } from '../domain/accreditation/accreditation-record.ts';
import { EVIDENCE_KINDS } from '../domain/accreditation/evidence.ts';
import { RELATIONSHIPS } from '../domain/accreditation/family.ts';
import { VERIFICATION_STATES } from '../domain/accreditation/verification.ts';
import {
  ACCREDITATION_TYPES,
  ASSET_CATEGORIES,
  ASSET_STATUSES,
  EXECUTION_ROUTE_NAMES,
  RAILS,
  REGULATIONS,
} from '../domain/assets/asset.ts';
import { BAR_INTERVALS } from '../domain/charts/bar-interval.ts';
import type { Grant } from '../domain/identity/grant.ts';
import type { Role, Scope } from '../domain/identity/principal.ts';
import { TOOL_TRANSPORTS } from '../domain/identity/tool-transport.ts';
import { ADJUSTMENT_TYPES } from '../domain/ledger/adjustment-type.ts';
import { BREAK_KINDS } from '../domain/ledger/records.ts';
import { UNSETTLED_KINDS } from '../domain/ledger/unsettled.ts';
import type { RateBucket } from '../domain/limits/rate-bucket.ts';
import { ALLOCATIONS } from '../domain/listing/allocate-shares.ts';
import { ALLOTMENT_OUTCOMES, LISTING_STATES } from '../domain/listing/listing-state.ts';
import { MARKET_ROUTES, MARKET_STATUSES } from '../domain/markets/market.ts';
import { TRADING_HOURS } from '../domain/markets/trading-hours.ts';
import { REFUSED_ACTIONS } from '../domain/order-entry/refusal-rules.ts';
import { ORDER_STATUSES, ORDER_TYPES, SIDES, TIMES_IN_FORCE } from '../domain/orders/order.ts';

/**
 * D1 database `exchange` (binding DB). Times are Unix milliseconds; amounts, prices and quantities are scaled integers
 * (domain/money). Tables of orders, trades, balances and lots are a projection of the ledger (docs/design/ledger.md#projection). They
 * carry no CHECK, because the ledger has judged what they hold. The views `postings` and `settlements`, triggers and WITHOUT ROWID live in
 * the SQL migrations, which Drizzle does not generate.
 */

export const organizations = sqliteTable('organizations', {
  id: text().primaryKey(),
  name: text().notNull(),
  /** Number of the ledger shard; 0, the only one there is (docs/design/ledger.md#room-of-a-shard). */
  shard: integer().notNull().default(0),
  createdAt: integer().notNull(),
});

/** People and machine clients of the identity provider. */
export const users = sqliteTable(
  'users',
  {
    id: text().primaryKey(),
    owner: text()
      .notNull()
      .references(() => organizations.id),
    phone: text().unique(),
    email: text().notNull(),
    name: text().notNull(),
    roles: text({ mode: 'json' }).$type<readonly Role[]>().notNull().default([]),
    /** Tokens issued before this time are refused. */
    tokensValidAfter: integer().notNull().default(0),
    /** Since when neither tokens nor keys of theirs hold, and none are made; null for an active user. */
    deactivatedAt: integer(),
    createdAt: integer().notNull(),
  },
  (t) => [index('users_owner').on(t.owner)],
);

/**
 * A trading account of one user, or a boundary account, where money and assets enter and leave
 * (docs/design/ledger.md#boundary-accounts). Its compliance facts and their version are projected from the ledger, which asserts the
 * version when it admits an order.
 */
export const accounts = sqliteTable(
  'accounts',
  {
    id: text().primaryKey(),
    owner: text().notNull(),
    userId: text().references(() => users.id),
    boundary: integer({ mode: 'boolean' }).notNull().default(false),
    kycStatus: text({ enum: KYC_STATUSES }).notNull().default('pending'),
    accreditationStatus: text({ enum: ACCREDITATION_STATUSES }).notNull().default('none'),
    /** `506c` (third-party verified), `506b` (self-certified) or null. */
    accreditationType: text({ enum: ACCREDITATION_TYPES }),
    usPerson: integer({ mode: 'boolean' }).notNull().default(true),
    /** Annual income and net worth in US cents, for the Reg CF limit, 17 CFR 227.100(a)(2). */
    annualIncome: integer().notNull().default(0),
    netWorth: integer().notNull().default(0),
    frozen: integer({ mode: 'boolean' }).notNull().default(false),
    factsVersion: integer().notNull().default(1),
    createdAt: integer().notNull(),
  },
  (t) => [index('accounts_user').on(t.userId)],
);

/**
 * What an account's accreditation rests on: a verification by a third party with its evidence (17 CFR 230.506(c)(2)(ii)), or what the person has
 * certified (506(b)). A record never changes but for its end; facts of the account follow from the records.
 */
export const accreditationRecords = sqliteTable(
  'accreditation_records',
  {
    /** UUIDv7 of the action that made it. */
    id: text().primaryKey(),
    account: text()
      .notNull()
      .references(() => accounts.id),
    kind: text({ enum: ACCREDITATION_RECORD_KINDS }).notNull(),
    /** Of a third party: who, and where its evidence is kept. */
    verifier: text(),
    evidence: text(),
    /** What it rests on; null where nobody said. */
    evidenceKind: text({ enum: EVIDENCE_KINDS }),
    /** Of the person: what was certified. */
    textVersion: text(),
    text: text(),
    /** When it was verified or certified. */
    at: integer().notNull(),
    expiresAt: integer(),
    /** User id of who recorded it. */
    actor: text().notNull(),
    createdAt: integer().notNull(),
    endedAt: integer(),
    endedBy: text(),
    endedReason: text(),
  },
  (t) => [
    index('accreditation_records_account').on(t.account, t.id),
    index('accreditation_records_expiry').on(t.expiresAt).where(sql`${t.expiresAt} is not null`),
  ],
);

/**
 * Verifications by a third party that people have asked for (17 CFR 230.506(c)(2)(ii)). A record of D1's own: the accreditation record that
 * follows from one has its id.
 */
export const accreditationVerifications = sqliteTable(
  'accreditation_verifications',
  {
    /** UUIDv7 of the request. */
    id: text().primaryKey(),
    account: text()
      .notNull()
      .references(() => accounts.id),
    owner: text().notNull(),
    evidenceKind: text({ enum: EVIDENCE_KINDS }).notNull(),
    provider: text().notNull(),
    /** The provider's own id; null until it has answered. */
    reference: text(),
    state: text({ enum: VERIFICATION_STATES }).notNull(),
    /** Why it was refused. */
    reason: text(),
    /** User id of who asked. */
    actor: text().notNull(),
    createdAt: integer().notNull(),
    /** When its provider was last asked about it. */
    askedAt: integer().notNull(),
    decidedAt: integer(),
    /** Until when an accreditation rests on it. */
    expiresAt: integer(),
    /** Whether it is decided, and the account's facts follow from that. */
    applied: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (t) => [
    index('accreditation_verifications_account').on(t.account, t.id),
    index('accreditation_verifications_waiting').on(t.askedAt).where(sql`${t.applied} = 0`),
  ],
);

/** Callbacks of verification providers, by the ids of their events, so that each is taken once. */
export const verificationEvents = sqliteTable(
  'verification_events',
  {
    id: text().primaryKey(),
    /** SHA-256 of its body, hexadecimal. */
    hash: text().notNull(),
    at: integer().notNull(),
  },
  (t) => [index('verification_events_at').on(t.at)],
);

/**
 * Sales under an exemption, projected: a trade by which a buyer has received shares within their hold period, once for each offering of them. The seller
 * has relied on an exemption of that hold period.
 */
export const restrictedSales = sqliteTable(
  'restricted_sales',
  {
    /** `<trade> <offering>`. */
    id: text('lot').primaryKey(),
    trade: text().notNull(),
    asset: text().notNull(),
    buyOrder: text().notNull(),
    buyer: text().notNull(),
    /** Of the shares within their hold; the trade may have taken free ones too. */
    quantity: integer().notNull(),
    restrictionEndsAt: integer().notNull(),
    offeringType: text(),
    at: integer().notNull(),
  },
  (t) => [index('restricted_sales_asset').on(t.asset, t.at), index('restricted_sales_order').on(t.buyOrder)],
);

/**
 * Orders and amendments that order entry has refused, each with the rule and what the rule saw: a record of D1's own, written before the answer.
 * Beyond so many a day an account's refusals are counted alone, a row a rule (data/compliance/order-refusals.ts).
 */
export const orderRefusals = sqliteTable(
  'order_refusals',
  {
    /** UUIDv7: of a refused order, its own; `<account>.<day>.<rule>` of a row that only counts. */
    id: text().primaryKey(),
    account: text().notNull(),
    owner: text().notNull(),
    userId: text().notNull(),
    keyId: text(),
    action: text({ enum: REFUSED_ACTIONS }).notNull(),
    orderId: text().notNull(),
    /** Null where what was named is not listed. */
    asset: text(),
    book: text(),
    code: text().notNull(),
    rule: text().notNull(),
    /** JSON: further rules, the order as asked for, facts of account and asset, lots. */
    facts: text().notNull(),
    count: integer().notNull().default(1),
    at: integer().notNull(),
  },
  (t) => [
    index('order_refusals_account').on(t.account, t.at, t.id),
    index('order_refusals_asset').on(t.asset, t.at, t.id),
    index('order_refusals_at').on(t.at),
  ],
);

/**
 * Accounts that are family of each other (17 CFR 227.501(c)), projected from the ledger: what an operator has recorded, and its end. One that
 * has ended stays.
 */
export const familyRelations = sqliteTable(
  'family_relations',
  {
    /** UUIDv7 of the action that made it. */
    id: text().primaryKey(),
    account: text().notNull(),
    relative: text().notNull(),
    /** What the relative is to the account. */
    relationship: text({ enum: RELATIONSHIPS }).notNull(),
    /** Where the evidence is kept. */
    evidence: text().notNull(),
    /** User id of who recorded it. */
    recordedBy: text().notNull(),
    createdAt: integer().notNull(),
    endedAt: integer(),
    endedBy: text(),
    endedReason: text(),
  },
  (t) => [
    index('family_relations_account').on(t.account, t.id),
    index('family_relations_relative').on(t.relative, t.id),
  ],
);

export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: text().primaryKey(),
    account: text()
      .notNull()
      .references(() => accounts.id),
    userId: text()
      .notNull()
      .references(() => users.id),
    owner: text().notNull(),
    name: text().notNull(),
    /** AES-GCM ciphertext of the secret, base64url of iv ‖ ciphertext, under the secret API_KEY_MASTER_KEY. */
    secretCiphertext: text().notNull(),
    scopes: text({ mode: 'json' }).$type<readonly Scope[]>().notNull(),
    /** Addresses or CIDR blocks; null allows any. */
    ipAllowlist: text({ mode: 'json' }).$type<readonly string[]>(),
    /** Overrides of the limits table, by bucket name; null for the defaults. */
    rateLimits: text({ mode: 'json' }).$type<Readonly<Partial<Record<RateBucket, number>>>>(),
    /** Largest position by asset in scaled units; null for none. */
    positionLimits: text({ mode: 'json' }).$type<Readonly<Record<string, number>>>(),
    /** Largest loss of a UTC day in US cents; null for none. */
    dailyLossMax: integer(),
    /** Largest order by asset in scaled units; null for none. */
    orderSizeLimits: text({ mode: 'json' }).$type<Readonly<Record<string, number>>>(),
    /** Largest notional of the orders placed in a UTC day, in US cents; null for none. */
    dailyNotionalMax: integer(),
    /** Market symbols that it may trade; null for all. */
    symbols: text({ mode: 'json' }).$type<readonly string[]>(),
    /** Projected from the ledger, with `revokedAt`. */
    status: text({ enum: ['active', 'revoked'] })
      .notNull()
      .default('active'),
    createdAt: integer().notNull(),
    revokedAt: integer(),
  },
  (t) => [index('api_keys_account').on(t.account), check('api_keys_status', sql`${t.status} in ('active', 'revoked')`)],
);

/** Every call of an agent tool (X-AGT-22). Append-only: triggers refuse UPDATE and DELETE. */
export const agentToolCalls = sqliteTable(
  'agent_tool_calls',
  {
    /** UUIDv7: the time of the call, and the order of the list. */
    id: text().primaryKey(),
    keyId: text().notNull(),
    transport: text({ enum: TOOL_TRANSPORTS }).notNull(),
    tool: text().notNull(),
    /** The declared parameters whose values are valid, and nothing else. */
    parameters: text({ mode: 'json' }).$type<Readonly<Record<string, unknown>>>().notNull(),
    /** `OK`, or the error code of the exchange. */
    resultCode: text().notNull(),
    calledAt: integer().notNull(),
  },
  (t) => [index('agent_tool_calls_key').on(t.keyId, t.id)],
);

/** Everything that a balance can be of: securities, crypto, currencies, and allowances (docs/design/ledger.md#limits-as-balances). */
export const assets = sqliteTable(
  'assets',
  {
    id: text().primaryKey(),
    symbol: text().notNull().unique(),
    name: text().notNull(),
    category: text({ enum: ASSET_CATEGORIES }).notNull(),
    /** Null for currencies and allowances. */
    rail: text({ enum: RAILS }),
    exchange: text(),
    status: text({ enum: ASSET_STATUSES }).notNull().default('APPROVED'),
    /** Decimals of a quantity. */
    scale: integer().notNull(),
    tradeable: integer({ mode: 'boolean' }).notNull().default(true),
    /** Null for what is not traded itself. */
    executionRoute: text({ enum: EXECUTION_ROUTE_NAMES }),
    accreditationType: text({ enum: ACCREDITATION_TYPES }),
    regulation: text({ enum: REGULATIONS }),
    offeringType: text(),
    tracksLots: integer({ mode: 'boolean' }).notNull().default(false),
    issuerName: text(),
    /** Account that the issuer's shares and money are of; null where nobody has named one. */
    issuerAccount: text(),
    description: text(),
    /** Address of its image elsewhere; '' for none. */
    image: text().notNull().default(''),
    /** Of an asset without a market: US dollars, scaled by PRICE_SCALE_WITHOUT_MARKET; null where nobody has stated one. */
    referencePrice: integer(),
    /** Its image in the bucket ASSET_IMAGES; null for none. */
    imageObject: text(),
    createdAt: integer().notNull(),
  },
  (t) => [index('assets_category').on(t.category)],
);

/**
 * Listing events of pre-IPO assets (docs/design/pre-ipo.md#the-listing-event): a record of its own, as are its allotments. What they moved
 * stands in the ledger.
 */
export const listingEvents = sqliteTable(
  'listing_events',
  {
    /** Of the operator's action. */
    id: text().primaryKey(),
    asset: text().notNull(),
    /** Market of its indications. */
    book: text().notNull(),
    state: text({ enum: LISTING_STATES }).notNull(),
    price: integer().notNull(),
    sharesOffered: integer().notNull(),
    lotSize: integer().notNull(),
    allocation: text({ enum: ALLOCATIONS }).notNull(),
    lockupMonths: integer().notNull(),
    /** What binds the lots that investors get. */
    restrictionEndsAt: integer(),
    offeringType: text(),
    issuerAccount: text().notNull(),
    /** Whether the asset gets its pair afterwards. */
    opensMarket: integer({ mode: 'boolean' }).notNull(),
    /** The issuer's order. */
    offerId: text().notNull(),
    /** Why it came to nothing: a code of docs/design/gateways.md#errors. */
    code: text(),
    /** Operator and request, for the entries of what follows. */
    actor: text().notNull(),
    requestId: text().notNull(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (t) => [
    // An asset is listed once at a time.
    uniqueIndex('listing_events_open').on(t.asset).where(sql`${t.state} not in ('done', 'refused')`),
    index('listing_events_asset').on(t.asset, t.id),
  ],
);

/** What became of each indication at a listing event. */
export const listingAllotments = sqliteTable(
  'listing_allotments',
  {
    event: text().notNull(),
    /** In order of arrival, from 0. */
    position: integer().notNull(),
    orderId: text().notNull(),
    account: text().notNull(),
    /** As it was indicated. */
    quantity: integer().notNull(),
    price: integer().notNull(),
    allotted: integer().notNull(),
    outcome: text({ enum: ALLOTMENT_OUTCOMES }).notNull(),
    /** The rule that stood in the way, and the code that orders have for it. */
    rule: text(),
    code: text(),
  },
  (t) => [
    primaryKey({ columns: [t.event, t.position] }),
    index('listing_allotments_pending').on(t.event, t.position).where(sql`${t.outcome} = 'pending'`),
  ],
);

/**
 * Changes of assets of which it is not known that their markets have followed: written with the change, deleted once they have
 * (docs/design/operators.md#states-of-an-asset).
 */
export const pendingAssetChanges = sqliteTable(
  'pending_asset_changes',
  {
    /** Of the operator's action; its event says what has changed. */
    id: text().primaryKey(),
    asset: text().notNull(),
    /** When it was last gone on with: what waits longest comes first. */
    triedAt: integer().notNull(),
  },
  (t) => [index('pending_asset_changes_asset').on(t.asset), index('pending_asset_changes_tried').on(t.triedAt)],
);

/** Objects of the bucket ASSET_IMAGES that no asset names: about to be stored, given up, or replaced. */
export const unreferencedImages = sqliteTable('unreferenced_images', {
  object: text().primaryKey(),
  since: integer().notNull(),
});

/**
 * Trading pairs with a book of their own: domain/markets/market.ts says what each column means. What an operator may change of them,
 * and its version, is projected from the ledger.
 */
export const markets = sqliteTable(
  'markets',
  {
    symbol: text().primaryKey(),
    route: text({ enum: MARKET_ROUTES }).notNull().default('internal'),
    baseAsset: text()
      .notNull()
      .references(() => assets.id),
    quoteAsset: text()
      .notNull()
      .references(() => assets.id),
    priceScale: integer().notNull(),
    tickSize: integer().notNull(),
    lotSize: integer().notNull(),
    quantityMin: integer().notNull(),
    quantityMax: integer().notNull(),
    makerFeeBps: integer().notNull().default(0),
    takerFeeBps: integer().notNull().default(0),
    bandBps: integer().notNull().default(0),
    bandHaltSeconds: integer().notNull().default(0),
    /** Unix ms at which the last halt of its own ends, or has ended; null before the first. Told by its book. */
    haltedUntil: integer(),
    referencePrice: integer(),
    status: text({ enum: MARKET_STATUSES }).notNull().default('open'),
    /** When its orders may go to the broker. */
    tradingHours: text({ enum: TRADING_HOURS }).notNull().default('always'),
    rulesVersion: integer().notNull().default(1),
    createdAt: integer().notNull(),
  },
  (t) => [index('markets_base_asset').on(t.baseAsset)],
);

/** One row: the market-wide halt, projected from the ledger. */
export const venue = sqliteTable('venue', {
  id: integer().primaryKey(),
  halted: integer({ mode: 'boolean' }).notNull().default(false),
});

/**
 * Last journal row of each ledger shard that stands here. A move from another row drives `seq` to −1 and aborts the batch, and so does any
 * move while what is projected is being emptied.
 */
export const projections = sqliteTable(
  'projections',
  {
    shard: text().primaryKey(),
    seq: integer().notNull(),
    emptying: integer().notNull().default(0),
  },
  (t) => [check('projections_move', sql`${t.seq} >= 0`)],
);

/** Last values. Nothing but a boundary account is ever negative (L2). Created WITHOUT ROWID. */
export const balances = sqliteTable(
  'balances',
  {
    account: text().notNull(),
    asset: text().notNull(),
    available: integer().notNull().default(0),
    held: integer().notNull().default(0),
    boundary: integer().notNull().default(0),
    /** Dollars paid for what is held now; the running average cost of assets without lots. */
    cost: integer().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.account, t.asset] })],
);

/**
 * Last values of the holdings of securities, first-in-first-out by (acquiredAt, id). `reserved` is what open sells have taken. A lot of
 * which nothing is left has no row.
 */
export const lots = sqliteTable(
  'lots',
  {
    id: text().primaryKey(),
    account: text().notNull(),
    asset: text().notNull(),
    quantity: integer().notNull(),
    reserved: integer().notNull().default(0),
    /** Dollars paid for `quantity`. */
    cost: integer().notNull(),
    acquiredAt: integer().notNull(),
    restrictionEndsAt: integer(),
    offeringType: text(),
  },
  (t) => [index('lots_fifo').on(t.account, t.asset, t.acquiredAt, t.id)],
);

/**
 * Orders of internal books and of other routes, each as it stood last. `reserve`, `allowance` and `position` are what it still holds; 0
 * when final. Created WITHOUT ROWID.
 */
export const orders = sqliteTable(
  'orders',
  {
    id: text().primaryKey(),
    account: text().notNull(),
    owner: text().notNull(),
    keyId: text(),
    /** Market symbol, or null for a route without a book. */
    book: text(),
    assetId: text().notNull(),
    open: integer().notNull(),
    status: text({ enum: ORDER_STATUSES }).notNull(),
    side: text({ enum: SIDES }).notNull(),
    type: text({ enum: ORDER_TYPES }).notNull(),
    timeInForce: text({ enum: TIMES_IN_FORCE }).notNull(),
    quantity: integer().notNull(),
    price: integer(),
    stopPrice: integer(),
    expiresAt: integer(),
    /** An order that was never matched has given it up to the attempt that followed. */
    clientOrderId: text(),
    filled: integer().notNull().default(0),
    /** Quote units exchanged by the fills so far. */
    filledNotional: integer().notNull().default(0),
    fee: integer().notNull().default(0),
    reserveAsset: text().notNull(),
    reserve: integer().notNull().default(0),
    allowanceAsset: text(),
    allowance: integer().notNull().default(0),
    positionAsset: text(),
    position: integer().notNull().default(0),
    restricted: integer().notNull().default(0),
    preIpo: integer().notNull().default(0),
    /** Why it was rejected or cancelled: a code of docs/design/matching.md#codes-of-orders, or a cancel reason. */
    code: text(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
    executedAt: integer(),
    cancelledAt: integer(),
  },
  (t) => [
    index('orders_account').on(t.account, t.open, t.id),
    index('orders_client_order_id').on(t.account, t.clientOrderId).where(sql`${t.clientOrderId} is not null`),
  ],
);

/**
 * How far the archive of final orders is (docs/design/ledger.md#order-archive); one row. Nothing refers to objects of earlier
 * generations any more: the read model was emptied since.
 */
export const orderArchive = sqliteTable(
  'order_archive',
  {
    id: integer().primaryKey(),
    generation: integer().notNull(),
    /** Steps taken so far. A step moves it on from where it found it, or aborts by the CHECK. */
    steps: integer().notNull(),
    /** The account that was seen to last; '' before the first. */
    visited: text().notNull(),
  },
  (t) => [check('order_archive_steps', sql`${t.steps} >= 0`)],
);

/**
 * Final orders that have left `orders` for the bucket ORDER_ARCHIVE, one object a row. The slices of an account never overlap. Created
 * WITHOUT ROWID.
 */
export const orderSlices = sqliteTable(
  'order_slices',
  {
    account: text().notNull(),
    /** Lowest and highest id of its orders. */
    first: text().notNull(),
    last: text().notNull(),
    /** Of the object, and the SHA-256 of its text. */
    key: text().notNull(),
    hash: text().notNull(),
    orders: integer().notNull(),
    /** JSON arrays of what occurs in it, so that a listing reads no slice in vain. */
    statuses: text().notNull(),
    books: text().notNull(),
    assets: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account, t.last] })],
);

/** Which archived orders carry a client order id, by the hash of account and id. Created WITHOUT ROWID. */
export const archivedClientOrderIds = sqliteTable(
  'archived_client_order_ids',
  { hash: integer().notNull(), orderId: text().notNull() },
  (t) => [primaryKey({ columns: [t.hash, t.orderId] })],
);

/** What trades need of their archived orders: an archived order that has traded keeps this much here. Created WITHOUT ROWID. */
export const tradedOrders = sqliteTable('traded_orders', {
  id: text().primaryKey(),
  account: text().notNull(),
  book: text().notNull(),
  side: text({ enum: SIDES }).notNull(),
  allowanceAsset: text(),
  positionAsset: text(),
  filled: integer().notNull(),
  filledNotional: integer().notNull(),
  fee: integer().notNull(),
});

/** Objects of the bucket ORDER_ARCHIVE that no slice names: about to be written, given up, or replaced. */
export const unreferencedObjects = sqliteTable('unreferenced_objects', {
  key: text().primaryKey(),
  since: integer().notNull(),
});

/** Created WITHOUT ROWID, as is ledger_transactions: their keys rise with time. */
export const trades = sqliteTable(
  'trades',
  {
    id: text().primaryKey(),
    book: text().notNull(),
    /** Trade sequence of the book, gapless. */
    sequence: integer().notNull(),
    assetId: text().notNull(),
    quoteAsset: text().notNull(),
    price: integer().notNull(),
    quantity: integer().notNull(),
    notional: integer().notNull(),
    takerSide: text({ enum: SIDES }).notNull(),
    buyOrder: text().notNull(),
    sellOrder: text().notNull(),
    buyer: text().notNull(),
    seller: text().notNull(),
    buyerFee: integer().notNull(),
    sellerFee: integer().notNull(),
    /** Dollars that the seller had paid for the shares: 0 for a boundary account, null where the ledger has not told it. */
    sellerCost: integer(),
    executedAt: integer().notNull(),
    /** What either order had filled with it, and had left to fill; null for trades from before books said so. */
    buyFilled: integer(),
    buyRemaining: integer(),
    sellFilled: integer(),
    sellRemaining: integer(),
    /** Of the rate of its quote asset at which it settled (`rates`); null for dollars, and from before one was stated. */
    rateVersion: integer(),
    /** Dollars that it drew on the buyer's allowance; null where that is its notional, or nothing. */
    allowance: integer(),
    /** Of a broker's execution: the day in New York on which it settles, as its midnight of UTC. Null where it settled at once. */
    settlesOn: integer(),
  },
  (t) => [
    uniqueIndex('trades_book').on(t.book, t.sequence),
    index('trades_buyer').on(t.buyer, t.id),
    index('trades_seller').on(t.seller, t.id),
    index('trades_without_cost').on(t.seller, t.assetId).where(sql`${t.sellerCost} is null`),
  ],
);

/**
 * What was stated of assets that markets quote in, version by version: units of the venue's dollar for `denominator` units of the asset. The
 * highest version of an asset is in force. Created WITHOUT ROWID.
 */
export const rates = sqliteTable(
  'rates',
  {
    asset: text().notNull(),
    version: integer().notNull(),
    numerator: integer().notNull(),
    denominator: integer().notNull(),
    statedAt: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.asset, t.version] })],
);

/**
 * Trades that were taken back (nothing of them stands) or settled at another price, with what they stand at. The row of the trade stays as
 * it settled; the view `postings` shows the difference. Created WITHOUT ROWID.
 */
export const tradeAdjustments = sqliteTable(
  'trade_adjustments',
  {
    tradeId: text().primaryKey(),
    /** Of the operator's action, and of its ledger transaction. */
    id: text().notNull(),
    type: text({ enum: ADJUSTMENT_TYPES }).notNull(),
    price: integer().notNull(),
    quantity: integer().notNull(),
    notional: integer().notNull(),
    buyerFee: integer().notNull(),
    sellerFee: integer().notNull(),
    reason: text().notNull(),
    createdAt: integer().notNull(),
    /** Place among all adjustments, by the ledger's journal: what is projected later has a higher one. */
    sequence: integer().notNull().default(0),
    /** Accounts of the trade. */
    buyer: text().notNull().default(''),
    seller: text().notNull().default(''),
    /** Whether the cash of its sale had not settled: the difference stands in broker clearing. */
    unsettled: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (t) => [
    index('trade_adjustments_buyer').on(t.buyer, t.sequence),
    index('trade_adjustments_seller').on(t.seller, t.sequence),
  ],
);

/**
 * How a broker's position and open orders differed from ours when they were last compared, a row as long as the difference lasts
 * (docs/design/broker.md#reconciliation). One that was seen twice alike is a break.
 */
export const brokerDifferences = sqliteTable(
  'broker_differences',
  {
    market: text().notNull(),
    kind: text({ enum: ['position', 'open_here', 'open_there'] }).notNull(),
    /** Empty for the position. */
    orderId: text().notNull(),
    detail: text().notNull(),
    /** Since when it is the same. */
    firstSeenAt: integer().notNull(),
    lastSeenAt: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.market, t.kind, t.orderId] })],
);

/** When routed markets were compared with the broker, and since when that has failed (docs/design/broker.md#reconciliation). */
export const brokerComparisons = sqliteTable('broker_comparisons', {
  market: text().primaryKey(),
  comparedAt: integer(),
  /** The first run since then that could not compare it; null where the last one could. */
  failingSince: integer(),
  triedAt: integer().notNull(),
});

/**
 * What the prime broker has told by webhook, by the ids of its events (docs/design/prime.md#the-webhook): an event that comes again is known,
 * and one that no book could take is kept.
 */
export const primeEvents = sqliteTable(
  'prime_events',
  {
    id: text().primaryKey(),
    /** SHA-256 of the body, in hex: the same event comes with the same body. */
    digest: text().notNull(),
    receivedAt: integer().notNull(),
    /** Why no book took it, in words; null where one did. */
    unclaimed: text(),
    /** Of one that no book took. */
    body: text(),
  },
  (t) => [
    index('prime_events_taken').on(t.receivedAt).where(sql`unclaimed IS NULL`),
    index('prime_events_unclaimed').on(t.receivedAt).where(sql`unclaimed IS NOT NULL`),
  ],
);

/** Reports of a broker that fit no order of ours: nothing moved for them (docs/design/broker.md#breaks). */
export const brokerBreaks = sqliteTable(
  'broker_breaks',
  {
    book: text().notNull(),
    /** The broker's id of the report. */
    id: text().notNull(),
    kind: text({ enum: BREAK_KINDS }).notNull(),
    orderId: text().notNull(),
    executionId: text(),
    detail: text().notNull(),
    at: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.book, t.id] })],
);

/**
 * What the sales of an account have realised in all, as its trades stand: proceeds after fees less what the shares had cost, in quote units. Of
 * trades whose cost is known; 0 for those that settled at a rate, since costs are dollars. Created WITHOUT ROWID.
 */
export const realizedProfits = sqliteTable(
  'realized_profits',
  {
    account: text().notNull(),
    asset: text().notNull(),
    quoteAsset: text().notNull(),
    profit: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.account, t.asset, t.quoteAsset] })],
);

/**
 * Transactions of money and allowances that are no fills: `amount` goes to `account` (from it, if negative), against `boundary`. The view
 * `postings` shows their legs and those of every trade.
 */
export const ledgerTransactions = sqliteTable('ledger_transactions', {
  id: text().primaryKey(),
  kind: text({ enum: [...TRANSFER_TYPES, 'grant', 'settlement'] }).notNull(),
  account: text().notNull(),
  asset: text().notNull(),
  amount: integer().notNull(),
  /** Boundary account. */
  boundary: text().notNull(),
  createdAt: integer().notNull(),
});

/**
 * Cash of sales and shares of purchases at a broker that wait to settle, summed by account, asset and day. Created WITHOUT ROWID.
 */
export const unsettledSums = sqliteTable(
  'unsettled_sums',
  {
    account: text().notNull(),
    asset: text().notNull(),
    kind: text({ enum: UNSETTLED_KINDS }).notNull(),
    /** A day in New York, as its midnight of UTC. */
    settlesOn: integer().notNull(),
    amount: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.asset, t.kind, t.settlesOn] }),
    index('unsettled_sums_day').on(t.settlesOn, t.account, t.asset, t.kind),
  ],
);

/** Deposits and withdrawals, as the transactions list shows them. */
export const transfers = sqliteTable(
  'transfers',
  {
    /** Same id as its ledger transaction. */
    id: text().primaryKey(),
    account: text().notNull(),
    type: text({ enum: TRANSFER_TYPES }).notNull(),
    asset: text().notNull(),
    amount: integer().notNull(),
    status: text({ enum: ['completed'] }).notNull(),
    reference: text(),
    createdAt: integer().notNull(),
  },
  (t) => [index('transfers_account').on(t.account, t.id)],
);

/**
 * What users ask to pay in and out, projected: `amount` of an open withdrawal is held. One that was executed has the row of `transfers` under
 * its id. Created WITHOUT ROWID.
 */
export const transferRequests = sqliteTable(
  'transfer_requests',
  {
    id: text().primaryKey(),
    account: text().notNull(),
    type: text({ enum: TRANSFER_TYPES }).notNull(),
    asset: text().notNull(),
    amount: integer().notNull(),
    state: text({ enum: TRANSFER_REQUEST_STATES }).notNull(),
    reference: text(),
    /** Why it was rejected. */
    reason: text(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (t) => [index('transfer_requests_account').on(t.account, t.id), index('transfer_requests_state').on(t.state, t.id)],
);

/** Bars per market and interval, summed up by the projection. `bucket` is the bar's start. Created WITHOUT ROWID. */
export const bars = sqliteTable(
  'bars',
  {
    book: text().notNull(),
    interval: text({ enum: BAR_INTERVALS }).notNull(),
    bucket: integer().notNull(),
    open: integer().notNull(),
    high: integer().notNull(),
    low: integer().notNull(),
    close: integer().notNull(),
    volume: integer().notNull(),
    quoteVolume: integer().notNull(),
    trades: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.book, t.interval, t.bucket] })],
);

/** Events that leave the system. Each is written together with the change that it tells of (docs/design/shape.md#events-out). */
export const domainEvents = sqliteTable(
  'domain_events',
  {
    id: text().primaryKey(),
    type: text().notNull(),
    subject: text().notNull(),
    payload: text().notNull(),
    createdAt: integer().notNull(),
    /** When it was handed to the queue; null until then. */
    dispatchedAt: integer(),
  },
  (t) => [
    index('domain_events_waiting').on(t.id).where(sql`${t.dispatchedAt} is null`),
    /** The audit trail of operators: data/audit/trail/audit-trail.ts. Triggers of its migration keep it append-only. */
    index('domain_events_operator').on(t.id).where(sql`${t.type} glob 'operator.*'`),
  ],
);

/** Machine clients and applications of the identity provider. */
export const oauthClients = sqliteTable('oauth_clients', {
  id: text().primaryKey(),
  owner: text().notNull(),
  name: text().notNull(),
  /** SHA-256 of the secret, hexadecimal; null for a public client (password grant). */
  secretHash: text(),
  grants: text({ mode: 'json' }).$type<readonly Grant[]>().notNull(),
  /** User that a client-credentials token speaks for; null speaks for the client itself. */
  userId: text(),
  /** From then on it gets no token, and those that it got have ended; null while it is active. */
  revokedAt: integer(),
  createdAt: integer().notNull(),
});

/** One-time codes of a phone number: 6 digits, 5 minutes (docs/design/identity.md#one-time-codes). */
export const oneTimeCodes = sqliteTable('one_time_codes', {
  phone: text().primaryKey(),
  /** Keyed hash of the code in force; empty once it is spent. */
  codeHash: text().notNull(),
  /** The code itself, sealed, so that it can be sent again. */
  codeSealed: text().notNull().default(''),
  expiresAt: integer().notNull(),
  /** The code before, until it ends by itself. */
  earlierHash: text().notNull().default(''),
  earlierExpiresAt: integer().notNull().default(0),
  /** Tries of the day that began at `triesSince`, of addresses that have not asked for a code, and of those that have. */
  triesLeft: integer().notNull(),
  askersTriesLeft: integer().notNull().default(0),
  triesSince: integer().notNull().default(0),
  sentAt: integer().notNull(),
  /** Messages since `sendsSince`, of an hour. */
  sends: integer().notNull().default(0),
  sendsSince: integer().notNull().default(0),
});

/** What an address has asked, tried and proved for a phone number. */
export const oneTimeCodeAddresses = sqliteTable('one_time_code_addresses', {
  /** Keyed hash of phone and address. */
  address: text().primaryKey(),
  askedAt: integer().notNull().default(0),
  signedInAt: integer().notNull().default(0),
  tries: integer().notNull().default(0),
  triesSince: integer().notNull().default(0),
  sentAt: integer().notNull().default(0),
  sends: integer().notNull().default(0),
  sendsSince: integer().notNull().default(0),
});

/** Refresh tokens; rotated on use, a reused one revokes its family. */
export const refreshTokens = sqliteTable(
  'refresh_tokens',
  {
    hash: text().primaryKey(),
    family: text().notNull(),
    userId: text().notNull(),
    clientId: text().notNull(),
    scope: text().notNull(),
    expiresAt: integer().notNull(),
    usedAt: integer(),
    revokedAt: integer(),
  },
  (t) => [index('refresh_tokens_family').on(t.family), index('refresh_tokens_user').on(t.userId)],
);

/** Revoked access tokens until they expire. */
export const revokedTokens = sqliteTable('revoked_tokens', {
  jti: text().primaryKey(),
  expiresAt: integer().notNull(),
});

/** Signing keys of the embedded identity provider: private JWK encrypted under IAM_KEY_ENCRYPTION_KEY. */
export const signingKeys = sqliteTable('signing_keys', {
  kid: text().primaryKey(),
  publicJwk: text().notNull(),
  privateJwkCiphertext: text().notNull(),
  createdAt: integer().notNull(),
  retiredAt: integer(),
});

/** Messages of the local OtpSender, for /iam/dev/outbox; written only when ENVIRONMENT is local. */
export const devOutbox = sqliteTable('dev_outbox', {
  id: integer().primaryKey({ autoIncrement: true }),
  phone: text().notNull(),
  text: text().notNull(),
  createdAt: integer().notNull(),
});
