import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/**
 * D1 database `exchange` (binding DB). Times are Unix milliseconds; amounts, prices and quantities are scaled integers
 * (domain/money). Hold guards and WITHOUT ROWID live in the SQL migrations, which Drizzle does not generate.
 */

export const organizations = sqliteTable('organizations', {
  id: text().primaryKey(),
  name: text().notNull(),
  /** Where the organization's ledger lives; 0 while there is one D1 (DESIGN 8, Growing past one D1). */
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
    /** JSON array of role names: trader, operator, transfer_agent … */
    roles: text().notNull().default('[]'),
    /** Tokens issued before this time are refused. */
    tokensValidAfter: integer().notNull().default(0),
    createdAt: integer().notNull(),
  },
  (t) => [index('users_owner').on(t.owner)],
);

/**
 * A trading account of one user, or a boundary account, where money and assets enter and leave (DESIGN 7). Compliance facts stand
 * here because admission asserts `factsVersion`: whoever changes a fact raises it in the same statement.
 */
export const accounts = sqliteTable(
  'accounts',
  {
    id: text().primaryKey(),
    owner: text().notNull(),
    userId: text().references(() => users.id),
    boundary: integer({ mode: 'boolean' }).notNull().default(false),
    /** `pending`, `completed`, `rejected`. */
    kycStatus: text().notNull().default('pending'),
    /** `none`, `pending`, `completed`, `expired`. */
    accreditationStatus: text().notNull().default('none'),
    /** `506c` (third-party verified), `506b` (self-certified) or null. */
    accreditationType: text(),
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
    /** JSON array: `read`, `trade`. */
    scopes: text().notNull(),
    /** JSON array of addresses or CIDR blocks; null allows any. */
    ipAllowlist: text(),
    /** Overrides of the limits table, by bucket name, as JSON; null for the defaults. */
    rateLimits: text(),
    /** JSON object asset → largest position in scaled units; null for none. */
    positionLimits: text(),
    /** Largest loss from 00:00 UTC in quote units; null for none. */
    dailyLossMax: integer(),
    /** JSON object asset → largest order in scaled units; null for none. */
    orderSizeLimits: text(),
    /** Largest notional of the orders placed in a UTC day, in quote units; null for none. */
    dailyNotionalMax: integer(),
    /** JSON array of market symbols that it may trade; null for all. */
    symbols: text(),
    status: text().notNull().default('active'),
    createdAt: integer().notNull(),
    revokedAt: integer(),
  },
  (t) => [index('api_keys_account').on(t.account), check('api_keys_status', sql`${t.status} in ('active', 'revoked')`)],
);

/**
 * What each order counts against the daily notional limit of its API key while it is open; once final, it counts what it has filled.
 * Only orders of keys with that limit have a row.
 */
export const keyOrderNotionals = sqliteTable(
  'key_order_notionals',
  {
    orderId: text().primaryKey(),
    keyId: text().notNull(),
    /** UTC day on which it was placed, in days since the Unix epoch. */
    day: integer().notNull(),
    /** Quote units: price, or the collar of an order without one, times quantity. */
    notional: integer().notNull(),
  },
  (t) => [index('key_order_notionals_day').on(t.keyId, t.day)],
);

/**
 * What the fills of a key's orders had come to, net, market by market, when a UTC day began: its daily loss counts from there. Only
 * the last day for which it was worked out is kept. The row of market '' says that the day has been worked out.
 */
export const keyPositions = sqliteTable(
  'key_positions',
  {
    keyId: text().notNull(),
    /** Days since the Unix epoch. */
    day: integer().notNull(),
    book: text().notNull(),
    quantity: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.keyId, t.day, t.book] })],
);

/** Every call of an agent tool (exchange.md, profile E). Append-only: triggers refuse UPDATE and DELETE. */
export const agentToolCalls = sqliteTable(
  'agent_tool_calls',
  {
    /** UUIDv7: the time of the call, and the order of the list. */
    id: text().primaryKey(),
    keyId: text().notNull(),
    /** `stdio` or `http`. */
    transport: text().notNull(),
    tool: text().notNull(),
    /** JSON object of the declared parameters whose values are valid, and nothing else. */
    parameters: text().notNull(),
    /** `OK`, or the error code of the exchange. */
    resultCode: text().notNull(),
    calledAt: integer().notNull(),
  },
  (t) => [index('agent_tool_calls_key').on(t.keyId, t.id)],
);

/** Everything that a balance can be of: securities, crypto, currencies, and allowances (DESIGN 8: limits are balances). */
export const assets = sqliteTable(
  'assets',
  {
    id: text().primaryKey(),
    symbol: text().notNull().unique(),
    name: text().notNull(),
    /** Category id of exchange.md, or `currency`, or `allowance`. */
    category: text().notNull(),
    /** `public`, `private`, `digital`; null for currencies and allowances. */
    rail: text(),
    exchange: text(),
    /** `APPROVED`, `PENDING`, `SUSPENDED`, `DELISTED`. */
    status: text().notNull().default('APPROVED'),
    scale: integer().notNull(),
    tradeable: integer({ mode: 'boolean' }).notNull().default(true),
    /** `internal`, `broker`, `prime`, `indication` (DESIGN 11); null for what is not traded itself. */
    executionRoute: text(),
    /** `506c`, `506b` or null. */
    accreditationType: text(),
    /** `reg_d_506c`, `reg_d_506b`, `reg_cf`, `reg_s`, `reg_a`, `retail` or null. */
    regulation: text(),
    offeringType: text(),
    tracksLots: integer({ mode: 'boolean' }).notNull().default(false),
    issuerName: text(),
    description: text(),
    image: text().notNull().default(''),
    createdAt: integer().notNull(),
  },
  (t) => [index('assets_category').on(t.category)],
);

/** Trading pairs with a book of their own: domain/markets/market.ts says what each column means. */
export const markets = sqliteTable('markets', {
  symbol: text().primaryKey(),
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
  referencePrice: integer(),
  status: text().notNull().default('open'),
  rulesVersion: integer().notNull().default(1),
  createdAt: integer().notNull(),
});

/** One row: the market-wide halt. */
export const venue = sqliteTable('venue', {
  id: integer().primaryKey(),
  halted: integer({ mode: 'boolean' }).notNull().default(false),
});

/** Fence and settlement cursor of each order book object (DESIGN 8). A mismatch drives `batch` to −1 and aborts the batch. */
export const books = sqliteTable(
  'books',
  {
    book: text().primaryKey(),
    owner: text().notNull(),
    batch: integer().notNull(),
    settled: integer().notNull(),
    /** JSON: the rows of orders and amendments that batch `batch` asked to admit, ids first; recovery releases what the journal lacks. */
    admission: text().notNull().default('[]'),
    /** JSON: [account, asset, amount] of accounts that can hold all that they ask for in this batch, and are admitted together. */
    together: text().notNull().default('[]'),
    /** Orders of the batch that were admitted together. */
    admittedTogether: integer().notNull().default(0),
  },
  (t) => [check('books_fence', sql`${t.batch} >= 0`)],
);

/** L2: nothing but a boundary account is ever negative. Created WITHOUT ROWID. */
export const balances = sqliteTable(
  'balances',
  {
    account: text().notNull(),
    asset: text().notNull(),
    available: integer().notNull().default(0),
    held: integer().notNull().default(0),
    boundary: integer().notNull().default(0),
    /** Quote units paid for what is held now; the running average cost of assets without lots. */
    cost: integer().notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.asset] }),
    check('balances_not_negative', sql`${t.boundary} = 1 or (${t.available} >= 0 and ${t.held} >= 0)`),
  ],
);

/** Holdings of securities, first-in-first-out by (acquiredAt, id). `reserved` is what open sells have taken. */
export const lots = sqliteTable(
  'lots',
  {
    id: text().primaryKey(),
    account: text().notNull(),
    asset: text().notNull(),
    quantity: integer().notNull(),
    reserved: integer().notNull().default(0),
    /** Quote units paid for `quantity`. */
    cost: integer().notNull(),
    acquiredAt: integer().notNull(),
    restrictionEndsAt: integer(),
    offeringType: text(),
  },
  (t) => [
    index('lots_fifo').on(t.account, t.asset, t.acquiredAt, t.id),
    check('lots_reserved', sql`${t.reserved} >= 0 and ${t.reserved} <= ${t.quantity}`),
  ],
);

/** Which lots an order's (or amendment's) hold took, in FIFO order by `line`. Created WITHOUT ROWID. */
export const lotReservations = sqliteTable(
  'lot_reservations',
  {
    orderId: text().notNull(),
    lotId: text().notNull(),
    quantity: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.orderId, t.lotId] })],
);

/**
 * Orders of internal books and of other routes. A row with open = 1 enters by the view `order_admissions`, whose trigger takes its holds
 * or ignores the row, or with many others in the batch of its book, which takes the holds of all of them (data/ledger). `reserve`, `allowance` and `position` are what it still holds; 0 when final. Created WITHOUT ROWID.
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
    admitBatch: integer().notNull().default(0),
    open: integer().notNull(),
    status: text().notNull(),
    side: text().notNull(),
    type: text().notNull(),
    timeInForce: text().notNull(),
    quantity: integer().notNull(),
    price: integer(),
    stopPrice: integer(),
    expiresAt: integer(),
    clientOrderId: text(),
    filled: integer().notNull().default(0),
    /** Quote units exchanged by the fills so far. */
    filledNotional: integer().notNull().default(0),
    fee: integer().notNull().default(0),
    reserveAsset: text().notNull(),
    reserve: integer().notNull(),
    allowanceAsset: text(),
    allowance: integer().notNull().default(0),
    positionAsset: text(),
    position: integer().notNull().default(0),
    restricted: integer().notNull().default(0),
    preIpo: integer().notNull().default(0),
    /** Why it was rejected or cancelled: an error code of exchange.md / DESIGN 13, or a cancel reason. */
    code: text(),
    factsVersion: integer().notNull().default(0),
    rulesVersion: integer().notNull().default(0),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
    executedAt: integer(),
    cancelledAt: integer(),
  },
  (t) => [
    index('orders_account').on(t.account, t.open, t.id),
    uniqueIndex('orders_client_order_id').on(t.account, t.clientOrderId).where(sql`${t.clientOrderId} is not null`),
    check('orders_reserve', sql`${t.reserve} >= 0 and ${t.allowance} >= 0 and ${t.position} >= 0`),
    check(
      'orders_final_holds_nothing',
      sql`${t.open} = 1 or (${t.reserve} = 0 and ${t.allowance} = 0 and ${t.position} = 0)`,
    ),
  ],
);

/** The extra hold of an amendment, in a row of its own; 0 once the engine has applied or refused it. */
export const amendments = sqliteTable('amendments', {
  id: text().primaryKey(),
  orderId: text().notNull(),
  account: text().notNull(),
  book: text().notNull(),
  admitBatch: integer().notNull(),
  open: integer().notNull(),
  reserveAsset: text().notNull(),
  reserve: integer().notNull(),
  allowanceAsset: text(),
  allowance: integer().notNull().default(0),
  positionAsset: text(),
  position: integer().notNull().default(0),
  factsVersion: integer().notNull(),
  rulesVersion: integer().notNull(),
  createdAt: integer().notNull(),
});

/** Created WITHOUT ROWID, as are ledger_transactions, postings and settlements: their keys rise with time. */
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
    takerSide: text().notNull(),
    buyOrder: text().notNull(),
    sellOrder: text().notNull(),
    buyer: text().notNull(),
    seller: text().notNull(),
    buyerFee: integer().notNull(),
    sellerFee: integer().notNull(),
    executedAt: integer().notNull(),
  },
  (t) => [
    uniqueIndex('trades_book').on(t.book, t.sequence),
    index('trades_buyer').on(t.buyer, t.id),
    index('trades_seller').on(t.seller, t.id),
  ],
);

/** One per fill (same id as the trade), deposit, withdrawal, grant … */
export const ledgerTransactions = sqliteTable('ledger_transactions', {
  id: text().primaryKey(),
  /** `fill`, `deposit`, `withdrawal`, `grant`, `replenish`. */
  kind: text().notNull(),
  createdAt: integer().notNull(),
});

export const postings = sqliteTable(
  'postings',
  {
    transaction: text().notNull(),
    line: integer().notNull(),
    account: text().notNull(),
    asset: text().notNull(),
    amount: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.transaction, t.line] })],
);

/** Deposits and withdrawals, as the transactions list shows them. */
export const transfers = sqliteTable(
  'transfers',
  {
    /** Same id as its ledger transaction. */
    id: text().primaryKey(),
    account: text().notNull(),
    /** `deposit` or `withdrawal`. */
    type: text().notNull(),
    asset: text().notNull(),
    amount: integer().notNull(),
    status: text().notNull(),
    reference: text(),
    createdAt: integer().notNull(),
  },
  (t) => [index('transfers_account').on(t.account, t.id)],
);

export const settlements = sqliteTable('settlements', {
  /** Same id as the trade. */
  tradeId: text().primaryKey(),
  /** `pending`, `SETTLED`, `FAILED`, `REVERSED` (partner.md). */
  status: text().notNull(),
  settlesAt: integer().notNull(),
});

/** Bars per market and interval, kept up by the settlement. `bucket` is the bar's start. Created WITHOUT ROWID. */
export const bars = sqliteTable(
  'bars',
  {
    book: text().notNull(),
    /** `1m`, `5m`, `15m`, `1h`, `1d`. */
    interval: text().notNull(),
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

/** Whatever leaves the system starts here, in the batch of the change it tells of (DESIGN 12). */
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
    /** The audit trail of operators: data/audit-trail.ts. Triggers of its migration keep it append-only. */
    index('domain_events_operator').on(t.id).where(sql`${t.type} glob 'operator.*'`),
  ],
);

/** Idempotency-Key records, kept 24 h (DESIGN 14). */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    /** Who sent it: account or user id. */
    scope: text().notNull(),
    key: text().notNull(),
    /** SHA-256 of method, path and body, hexadecimal. */
    requestHash: text().notNull(),
    /** Id given to what the request creates, before anything else is done. */
    resourceId: text().notNull(),
    responseStatus: integer(),
    responseBody: text(),
    createdAt: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.scope, t.key] }), index('idempotency_keys_created').on(t.createdAt)],
);

/** Machine clients and applications of the identity provider. */
export const oauthClients = sqliteTable('oauth_clients', {
  id: text().primaryKey(),
  owner: text().notNull(),
  name: text().notNull(),
  /** SHA-256 of the secret, hexadecimal; null for a public client (password grant). */
  secretHash: text(),
  /** JSON array of grant types. */
  grants: text().notNull(),
  /** User that a client-credentials token speaks for. */
  userId: text(),
  createdAt: integer().notNull(),
});

/** One-time codes: 6 digits, 5 minutes, 5 tries; only a keyed hash is stored. */
export const oneTimeCodes = sqliteTable('one_time_codes', {
  phone: text().primaryKey(),
  codeHash: text().notNull(),
  expiresAt: integer().notNull(),
  triesLeft: integer().notNull(),
  sentAt: integer().notNull(),
  /** Codes sent since `sendsSince`: an hour's worth is limited, else resending would buy any number of tries. */
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
