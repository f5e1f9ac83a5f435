import { isBoundary } from './balances.ts';
import type { CheckpointPiece } from './columns.ts';
import { Ledger } from './ledger.ts';
import { LEDGER_LIMITS, type LedgerLimits } from './ledger-limits.ts';
import { LEDGER_CODE } from './ledger-rules.ts';
import type { BatchOutcome, OutcomeOf, RefusedAdmission } from './outcomes.ts';
import type {
  AmendmentAdmission,
  BalanceMove,
  LotMove,
  OrderAdmission,
  OrderState,
  ReceivedLot,
  SettlementChunk,
} from './records.ts';
import type { BookBatch, FactsChange, FamilyChange, LedgerTransaction, MarketRules, Transfer } from './transactions.ts';

/** Midnight of 1 January 2026, UTC. */
export const START = Date.UTC(2026, 0, 1);

export const USD = 'usd';
export const SHARES = 'acme';
export const BOOK = 'ACME-USD';

/** A UUIDv7 that was given out at `time_ms`; the same for the same arguments. */
export function idAt(time_ms: number, number: number): string {
  const time = time_ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${number.toString(16).padStart(12, '0')}`;
}

/** Accounts have ids of another time than orders. */
export const ALICE = idAt(0, 1);
export const BOB = idAt(0, 2);

/** A limit order that holds nothing unless the terms say so. */
export function order(terms: Partial<OrderAdmission> & { readonly id: string }): OrderAdmission {
  return {
    account: ALICE,
    owner: 'org-test',
    keyId: null,
    side: 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    quantity: 10,
    price: 100,
    stopPrice: null,
    expiresAt: null,
    clientOrderId: null,
    status: 'open',
    reserveAsset: terms.side === 'sell' ? SHARES : USD,
    reserve: 0,
    allowanceAsset: null,
    allowance: 0,
    positionAsset: null,
    position: 0,
    factsVersion: 1,
    rulesVersion: 1,
    createdAt: START,
    code: null,
    daily: null,
    ...terms,
  };
}

export function amendment(
  terms: Partial<AmendmentAdmission> & { readonly id: string; readonly orderId: string },
): AmendmentAdmission {
  return {
    account: ALICE,
    reserveAsset: USD,
    reserve: 0,
    allowanceAsset: null,
    allowance: 0,
    positionAsset: null,
    position: 0,
    factsVersion: 1,
    rulesVersion: 1,
    createdAt: START,
    exposure: { notional: 0, quantity: 0, proceeds: 0 },
    limitedKey: null,
    ...terms,
  };
}

/** An order that has ended and holds nothing, unless the terms say otherwise. */
export function orderState(terms: Partial<OrderState> & { readonly id: string }): OrderState {
  return {
    status: 'cancelled',
    filled: 0,
    filledNotional: 0,
    fee: 0,
    reserve: 0,
    allowance: 0,
    position: 0,
    restricted: false,
    quantity: 10,
    price: 100,
    code: null,
    updatedAt: START,
    executedAt: null,
    cancelledAt: null,
    ...terms,
  };
}

export function chunk(terms: Partial<SettlementChunk>): SettlementChunk {
  return { trades: [], orders: [], balances: [], lots: [], lotMoves: [], amendments: [], bars: [], ...terms };
}

/** A change of what an account has available. */
export function move(account: string, asset: string, available: number, cost: Partial<BalanceMove> = {}): BalanceMove {
  return { account, asset, available, bought: 0, sold: 0, ...cost };
}

export function lotMove(
  reservationId: string,
  lotId: string,
  { consumed = 0, released = 0 }: Partial<LotMove>,
): LotMove {
  return { reservationId, lotId, consumed, released };
}

export function lot(terms: Partial<ReceivedLot> & { readonly id: string; readonly quantity: number }): ReceivedLot {
  return { account: ALICE, cost: 0, acquiredAt: START, restrictionEndsAt: null, offeringType: null, ...terms };
}

export const OPEN_RULES: MarketRules = {
  status: 'open',
  quantityMin: 1,
  quantityMax: 1_000,
  makerFeeBps: 0,
  takerFeeBps: 0,
  bandBps: 0,
  bandHaltSeconds: 0,
  referencePrice: null,
};

export const FACTS: NonNullable<FactsChange['facts']> = {
  kycStatus: 'completed',
  accreditationStatus: 'none',
  accreditationType: null,
  usPerson: true,
  annualIncome: 0,
  netWorth: 0,
  frozen: false,
};

type LandedBatch = Extract<BatchOutcome, { type: 'landed' }>;

type BatchTerms = Partial<Omit<BookBatch, 'kind'>>;

/** Who, how much, and the lots of who receives. */
export type RegisterLegTerms = readonly [account: string, change: number, lots?: readonly ReceivedLot[]];

const NOTHING_GUARANTEED: Partial<LedgerLimits> = {
  balancesForGuaranteed: 0,
  balancesGuaranteedPerAccount: 0,
  balancesForFew: 0,
  balancesGuaranteedOfFew: 0,
  reservationsForGuaranteed: 0,
  reservationsGuaranteedPerAccount: 0,
  reservationsForFew: 0,
  reservationsGuaranteedOfFew: 0,
  reservationsForFewest: 0,
  reservationsGuaranteedOfFewest: 0,
  amendmentsForGuaranteed: 0,
  amendmentsGuaranteedPerAccount: 0,
  amendmentsForFew: 0,
  amendmentsGuaranteedOfFew: 0,
  lotsForGuaranteed: 0,
  lotsGuaranteedPerAccount: 0,
  lotsForFew: 0,
  lotsGuaranteedOfFew: 0,
  /** Nor has a security a bound. */
  lotsGuaranteedPerSecurity: Number.MAX_SAFE_INTEGER,
  limitedKeysForGuaranteed: 0,
  limitedKeysGuaranteedPerAccount: 0,
};

/** A ledger that goes by the rules of now. */
export function ledgerOfNow(limits: Partial<LedgerLimits> = {}): Ledger {
  const ledger = new Ledger();
  const rules = { version: LEDGER_CODE.rules.version, limits: { ...LEDGER_LIMITS, ...limits } };
  ledger.apply({ kind: 'ledger_rules', ...rules }, { time: START, backlogged: false });
  return ledger;
}

/** A ledger with the one book that owns BOOK and sends its batches in turn, until told otherwise. */
export class LedgerBench {
  ledger: Ledger;
  time = START;
  backlogged = false;
  #ids = 1_000;

  /** @param limits with any of them, nothing is guaranteed to anybody unless they say so */
  constructor(limits: Partial<LedgerLimits> = {}) {
    this.ledger = ledgerOfNow(Object.keys(limits).length === 0 ? {} : { ...NOTHING_GUARANTEED, ...limits });
    this.apply({ kind: 'own', book: BOOK, owner: 'first', previousOwner: '' });
  }

  /** A new id, given out now. */
  id(): string {
    this.#ids += 1;
    return idAt(this.time, this.#ids);
  }

  apply<T extends LedgerTransaction>(transaction: T): OutcomeOf[T['kind']] {
    return this.ledger.apply(transaction, { time: this.time, backlogged: this.backlogged }).outcome;
  }

  /** The batch whose turn it is. */
  batch(terms: BatchTerms = {}): BookBatch {
    const { owner, batch, settled } = this.ledger.fence(terms.book ?? BOOK);
    return {
      kind: 'batch',
      book: BOOK,
      owner,
      batch: batch + 1,
      settledFrom: settled,
      settledTo: settled + (terms.chunks?.length ?? 0),
      baseAsset: SHARES,
      quoteAsset: USD,
      tracksLots: true,
      emitsEvents: false,
      chunks: [],
      orders: [],
      amendments: [],
      ...terms,
    };
  }

  /** Sends the batch whose turn it is. */
  send(terms: BatchTerms = {}): LandedBatch {
    const outcome = this.apply(this.batch(terms));
    if (outcome.type !== 'landed') throw new Error(`the batch was ${outcome.type}`);
    return outcome;
  }

  /** Sends an order alone; why it was refused, null when it was admitted. */
  refusalOf(terms: Partial<OrderAdmission> & { readonly id?: string }): RefusedAdmission | null {
    return this.send({ orders: [order({ id: this.id(), ...terms })] }).refused[0] ?? null;
  }

  /** Sends an order alone, which must be admitted; its id. */
  admit(terms: Partial<OrderAdmission>): string {
    const id = terms.id ?? this.id();
    const refused = this.refusalOf({ ...terms, id });
    if (refused !== null) throw new Error(`the order was refused: ${refused.refusal}`);
    return id;
  }

  settle(...chunks: Partial<SettlementChunk>[]): void {
    this.send({ chunks: chunks.map(chunk) });
  }

  transfer(type: Transfer['type'], terms: Partial<Transfer> & { readonly amount: number }): OutcomeOf['transfer'] {
    return this.apply({
      kind: 'transfer',
      id: this.id(),
      type,
      account: ALICE,
      asset: USD,
      cost: 0,
      tracksLots: terms.asset === SHARES,
      lots: [],
      reference: null,
      createdAt: this.time,
      event: null,
      ...terms,
    });
  }

  /** Shares that come as these lots, oldest first. */
  depositLots(account: string, ...lots: ReceivedLot[]): void {
    const amount = lots.reduce((sum, { quantity }) => sum + quantity, 0);
    const cost = lots.reduce((sum, each) => sum + each.cost, 0);
    const outcome = this.transfer('deposit', { account, asset: SHARES, amount, cost, lots });
    if (outcome.type !== 'done') throw new Error(`the deposit came to ${outcome.type}`);
  }

  /** What a register does to SHARES; who receives has one lot of it, unless the leg names others. */
  registerEntry(...legs: RegisterLegTerms[]): OutcomeOf['register_entry'] {
    const id = this.id();
    const lotsOf = (account: string, quantity: number, at: number): ReceivedLot[] =>
      quantity > 0 && !isBoundary(account)
        ? [lot({ id: `${id}.${at}`, account, quantity, acquiredAt: this.time })]
        : [];
    return this.apply({
      kind: 'register_entry',
      id,
      asset: SHARES,
      legs: legs.map(([account, change, lots], at) => ({ account, change, lots: lots ?? lotsOf(account, change, at) })),
      createdAt: this.time,
      event: null,
    });
  }

  grant(account: string, asset: string, amount: number): OutcomeOf['grant'] {
    return this.apply({ kind: 'grant', id: this.id(), account, asset, amount, createdAt: this.time, expect: [] });
  }

  facts(terms: Partial<FactsChange> = {}): OutcomeOf['facts'] {
    const change: FactsChange = {
      kind: 'facts',
      id: this.id(),
      account: ALICE,
      expectedVersion: 1,
      facts: null,
      cancelsOrders: false,
      createdAt: this.time,
      event: null,
      ...terms,
    };
    return this.apply(change);
  }

  family(terms: Partial<FamilyChange> = {}): OutcomeOf['family'] {
    const id = this.id();
    const event = { id, type: 'operator.family_recorded', subject: ALICE, payload: {}, createdAt: this.time };
    return this.apply({
      kind: 'family',
      id,
      relation: id,
      account: ALICE,
      relative: BOB,
      expectedVersion: 1,
      expectedRelativeVersion: 1,
      change: { type: 'recorded', relationship: 'sibling', evidence: 'a register', by: 'operator' },
      createdAt: this.time,
      event,
      ...terms,
    });
  }

  market(rules: Partial<MarketRules>, expectedVersion = 1): OutcomeOf['market'] {
    return this.apply({
      kind: 'market',
      id: this.id(),
      symbol: BOOK,
      expectedVersion,
      rules: { ...OPEN_RULES, ...rules },
      createdAt: this.time,
      event: null,
    });
  }

  /** Goes on with what a checkpoint of the ledger says. */
  restart(): void {
    this.ledger = Ledger.restore(storedPieces(this.ledger));
  }
}

/** The pieces of a checkpoint as they are read back from storage. */
export function storedPieces(ledger: Ledger): CheckpointPiece[] {
  return Array.from(ledger.checkpoint(), ({ name, data }) => ({ name, data: data.slice() }));
}
