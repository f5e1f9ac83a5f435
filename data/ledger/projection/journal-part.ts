import { referenceOfTransfer } from '../../../domain/accounts/reference-of-transfer.ts';
import { isBoundary } from '../../../domain/ledger/balances.ts';
import { BOUNDARY_ACCOUNT, bridgeBoundary } from '../../../domain/ledger/boundary-accounts.ts';
import { CLEARING_OF } from '../../../domain/ledger/broker-clearing.ts';
import type { JournaledTransaction, JournalRow, SaleCost } from '../../../domain/ledger/journal-row.ts';
import type {
  AdjustmentOutcome,
  BatchOutcome,
  BookedExecution,
  BreakOutcome,
  BridgeOutcome,
  ChangeOutcome,
  DistributionOutcome,
  FamilyOutcome,
  RateOutcome,
  RecordOutcome,
  RegisterEntryOutcome,
  SettlementOutcome,
  SplitOutcome,
  TransferDecisionOutcome,
  TransferOutcome,
  TransferRequestOutcome,
} from '../../../domain/ledger/outcomes.ts';
import type {
  BarUpdate,
  BrokerBreak,
  DomainEvent,
  HeldAssets,
  OrderState,
  SettlementChunk,
  StopPriceChange,
  Trade,
} from '../../../domain/ledger/records.ts';
import { adjustedTerms } from '../../../domain/ledger/trade-adjustments.ts';
import type {
  BookBatch,
  BreakBooking,
  BreakResolution,
  BridgeMovement,
  Distribution,
  FactsChange,
  FamilyChange,
  Grant,
  KeyRevocation,
  MarketChange,
  RateChange,
  RegisterEntry,
  RejectedOrder,
  Settlement,
  Split,
  TradeAdjustment,
  Transfer,
  TransferDecision,
  TransferRequest,
  VenueChange,
} from '../../../domain/ledger/transactions.ts';
import { type UnsettledPlace, unsettledKey, waitingOf } from '../../../domain/ledger/unsettled.ts';
import type { LastValues } from './last-values.ts';
import { admittedOrder, isReleased, orderStateRow, rejectedOrder } from './order-rows.ts';
import { refusalCode } from './refusal-code.ts';
import { restrictedSalesOf } from './restricted-sales-of.ts';
import type {
  BalanceRow,
  BandRow,
  BarRow,
  BookedExecutionRow,
  BrokerBreakRow,
  EndedFamilyRow,
  EventRow,
  FactsRow,
  FactsVersionRow,
  FamilyRelationRow,
  IdRow,
  LedgerTransactionRow,
  LotRow,
  MarketHaltRow,
  MarketRow,
  OrderRow,
  OrderStateRow,
  RateRow,
  RealizedProfitRow,
  ResolvedBreakRow,
  RestrictedSaleRow,
  RevokedKeyRow,
  TableRows,
  TradeAdjustmentRow,
  TradeRow,
  TransferRequestRow,
  TransferRow,
  TransferStateRow,
  UnsettledRow,
  VenueRow,
} from './table-rows.ts';

/** Many more than a row takes (`groupTransactionsMax` of the ledger): row and entry make a place in the journal. */
const ENTRIES_PER_ROW_MAX = 65_536;

/** What a part of the journal comes to in D1. */
export interface ProjectedPart {
  /** The row before its first, and its last. */
  readonly from: number;
  readonly to: number;
  readonly rows: TableRows;
}

/**
 * A part of the journal on its way to D1: rows that follow each other, turned into rows of D1's tables as they come. What tells of one order or
 * one bar becomes one row; balances and lots that they touch are read from the ledger's last values. In which pieces a journal is projected
 * makes no difference in the end.
 */
export class JournalPart {
  readonly from: number;
  #to: number;
  /** Of the row that is being added: when what its entries move has moved. */
  #time = 0;
  #bytes = 0;
  readonly #orders = new Map<string, OrderRow>();
  readonly #orderStates = new Map<string, OrderStateRow>();
  readonly #stopPrices = new Map<string, StopPriceChange>();
  readonly #releasedOrders: IdRow[] = [];
  readonly #trades: TradeRow[] = [];
  readonly #announcedTrades: IdRow[] = [];
  readonly #tradeAdjustments: TradeAdjustmentRow[] = [];
  readonly #realizedProfits = new Map<string, RealizedProfitRow>();
  readonly #adjustedSales: IdRow[] = [];
  readonly #restrictedSales: RestrictedSaleRow[] = [];
  readonly #brokerBreaks: BrokerBreakRow[] = [];
  readonly #resolvedBreaks: ResolvedBreakRow[] = [];
  readonly #bookedExecutions: BookedExecutionRow[] = [];
  readonly #bars = new Map<string, BarRow>();
  /** Assets by account. */
  readonly #touchedBalances = new Map<string, Set<string>>();
  readonly #touchedLots = new Set<string>();
  readonly #touchedUnsettled = new Map<string, UnsettledPlace>();
  readonly #transfers: TransferRow[] = [];
  readonly #transferRequests: TransferRequestRow[] = [];
  readonly #transferStates = new Map<string, TransferStateRow>();
  readonly #ledgerTransactions: LedgerTransactionRow[] = [];
  readonly #factsVersions = new Map<string, FactsVersionRow>();
  readonly #facts = new Map<string, FactsRow>();
  readonly #familyRelations: FamilyRelationRow[] = [];
  readonly #endedFamily: EndedFamilyRow[] = [];
  readonly #revokedKeys = new Map<string, RevokedKeyRow>();
  readonly #markets = new Map<string, MarketRow>();
  readonly #marketHalts = new Map<string, MarketHaltRow>();
  readonly #bands = new Map<string, BandRow>();
  #venue: VenueRow | null = null;
  readonly #rates: RateRow[] = [];
  readonly #events: EventRow[] = [];

  /** @param from the row that the first one follows */
  constructor(from: number) {
    this.from = from;
    this.#to = from;
  }

  get to(): number {
    return this.#to;
  }

  get length(): number {
    return this.#to - this.from;
  }

  /** Text of its rows. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether it has events that leave the system: somebody waits to be told of them. */
  get tells(): boolean {
    return this.#announcedTrades.length + this.#events.length > 0;
  }

  /** @throws Error when the row does not follow the last one */
  add({ seq, time, entries }: JournalRow, bytes: number): void {
    if (seq !== this.#to + 1) throw new Error(`journal row ${seq} does not follow row ${this.#to}`);
    this.#to = seq;
    this.#time = time;
    this.#bytes += bytes;
    for (const [index, entry] of entries.entries()) this.#add(entry, seq * ENTRIES_PER_ROW_MAX + index);
  }

  /** With balances and lots as they are now. */
  projected(values: LastValues): ProjectedPart {
    return { from: this.from, to: this.#to, rows: this.#tableRows(values) };
  }

  /** @param place among all entries of the journal */
  #add({ transaction, outcome, saleCosts = [] }: JournaledTransaction, place: number): void {
    switch (transaction.kind) {
      case 'batch':
        this.#addBatch(transaction, outcome as BatchOutcome, saleCosts);
        return;
      case 'transfer':
        this.#addTransfer(transaction, outcome as TransferOutcome);
        return;
      case 'transfer_request':
        this.#addTransferRequest(transaction, outcome as TransferRequestOutcome);
        return;
      case 'transfer_decision':
        this.#addTransferDecision(transaction, outcome as TransferDecisionOutcome);
        return;
      case 'grant':
        this.#addGrant(transaction, outcome as ChangeOutcome);
        return;
      case 'facts':
        this.#addFacts(transaction, outcome as ChangeOutcome);
        return;
      case 'family':
        this.#addFamily(transaction, outcome as FamilyOutcome);
        return;
      case 'revoke_keys':
        this.#addRevocation(transaction, outcome as ChangeOutcome);
        return;
      case 'market':
        this.#addMarketChange(transaction, outcome as ChangeOutcome);
        return;
      case 'venue':
        this.#addVenueChange(transaction, outcome as ChangeOutcome);
        return;
      case 'rate':
        this.#addRate(transaction, outcome as RateOutcome);
        return;
      case 'adjust_trade':
        this.#addTradeAdjustment(transaction, outcome as AdjustmentOutcome, place);
        return;
      case 'register_entry':
        this.#addRegisterEntry(transaction, outcome as RegisterEntryOutcome);
        return;
      case 'distribution':
        this.#addDistribution(transaction, outcome as DistributionOutcome);
        return;
      case 'bridge':
        this.#addBridgeMovement(transaction, outcome as BridgeOutcome);
        return;
      case 'split':
        this.#addSplit(transaction, outcome as SplitOutcome);
        return;
      case 'settle':
        this.#addSettlement(transaction, outcome as SettlementOutcome);
        return;
      case 'resolve_break':
        this.#addBreakResolution(transaction, outcome as BreakOutcome);
        return;
      case 'rejected_order':
        this.#addRejectedOrder(transaction.order, outcome as RecordOutcome);
        return;
      case 'own':
      case 'cancelled':
      case 'ledger_rules':
        return;
    }
  }

  #tableRows(values: LastValues): TableRows {
    const lots: LotRow[] = [];
    const goneLots: IdRow[] = [];
    for (const id of this.#touchedLots) {
      const lot = values.lot(id);
      if (lot === null) goneLots.push({ id });
      else lots.push(lot);
    }
    const unsettled: UnsettledRow[] = [];
    const settled: UnsettledPlace[] = [];
    for (const place of this.#touchedUnsettled.values()) {
      const amount = values.unsettled(place);
      if (amount === null) settled.push(place);
      else unsettled.push({ ...place, amount });
    }
    const balances: BalanceRow[] = [];
    for (const [account, assets] of this.#touchedBalances) {
      const boundary = isBoundary(account) ? 1 : 0;
      for (const asset of assets) balances.push({ account, asset, boundary, ...values.balance(account, asset) });
    }
    return {
      orders: [...this.#orders.values()],
      orderStates: [...this.#orderStates.values()],
      stopPrices: [...this.#stopPrices.values()],
      releasedOrders: this.#releasedOrders,
      trades: this.#trades,
      announcedTrades: this.#announcedTrades,
      tradeAdjustments: this.#tradeAdjustments,
      realizedProfits: [...this.#realizedProfits.values()],
      adjustedSales: this.#adjustedSales,
      restrictedSales: this.#restrictedSales,
      brokerBreaks: this.#brokerBreaks,
      resolvedBreaks: this.#resolvedBreaks,
      bookedExecutions: this.#bookedExecutions,
      bars: [...this.#bars.values()],
      balances,
      lots,
      goneLots,
      unsettled,
      settled,
      transfers: this.#transfers,
      transferRequests: this.#transferRequests,
      transferStates: [...this.#transferStates.values()],
      ledgerTransactions: this.#ledgerTransactions,
      factsVersions: [...this.#factsVersions.values()],
      facts: [...this.#facts.values()],
      familyRelations: this.#familyRelations,
      endedFamily: this.#endedFamily,
      revokedKeys: [...this.#revokedKeys.values()],
      markets: [...this.#markets.values()],
      marketHalts: [...this.#marketHalts.values()],
      bands: [...this.#bands.values()],
      venue: this.#venue === null ? [] : [this.#venue],
      rates: this.#rates,
      events: this.#events,
    };
  }

  #addBatch(batch: BookBatch, outcome: BatchOutcome, saleCosts: readonly SaleCost[]): void {
    if (outcome.type !== 'landed') return;
    const costs = saleCosts.values();
    for (const chunk of batch.chunks) this.#addChunk(batch, chunk, costs, outcome.rateVersion ?? null);
    const refusals = new Map(outcome.refused.map(({ id, refusal }) => [id, refusal]));
    for (const order of batch.orders) {
      const refusal = refusals.get(order.id);
      const rejectedAs = refusal === undefined ? order.code : refusalCode(refusal);
      if (refusal !== undefined && rejectedAs === null) continue;
      this.#orders.set(order.id, admittedOrder(batch, order, rejectedAs));
      if (rejectedAs === null) this.#touchHolds(order);
    }
    for (const amendment of batch.amendments) if (!refusals.has(amendment.id)) this.#touchHolds(amendment);
    for (const { lotId } of outcome.lots) this.#touchedLots.add(lotId);
  }

  /** @param saleCosts of this chunk's trades, then of those that follow */
  #addChunk(
    batch: BookBatch,
    chunk: SettlementChunk,
    saleCosts: Iterator<SaleCost>,
    rateVersion: TradeRow['rateVersion'],
  ): void {
    for (const trade of chunk.trades) {
      const told = saleCosts.next().value ?? null;
      this.#addTrade(batch, trade, { rateVersion, sellerCost: isBoundary(trade.seller) ? 0 : told });
    }
    this.#restrictedSales.push(...restrictedSalesOf(batch.baseAsset, chunk));
    for (const state of chunk.orders) this.#addOrderState(state);
    for (const { account, asset } of chunk.balances) this.#touch(account, asset);
    for (const { id } of chunk.lots) this.#touchedLots.add(id);
    for (const { lotId } of chunk.lotMoves) this.#touchedLots.add(lotId);
    for (const bar of chunk.bars) this.#addBar(batch.book, bar);
    for (const change of chunk.stopPrices ?? []) this.#addStopPrice(change);
    for (const each of chunk.breaks ?? []) this.#brokerBreaks.push(brokerBreakRow(batch.book, each));
    const { haltedUntil } = chunk;
    if (haltedUntil != null) this.#marketHalts.set(batch.book, { symbol: batch.book, haltedUntil });
    const band = bandRow(batch.book, chunk);
    if (band !== null) this.#bands.set(batch.book, band);
  }

  #addTrade(
    { book, baseAsset, quoteAsset, emitsEvents }: BookBatch,
    trade: Trade,
    settled: Pick<TradeRow, 'sellerCost' | 'rateVersion'>,
  ): void {
    const { buyFilled = null, buyRemaining = null, sellFilled = null, sellRemaining = null } = trade;
    const { allowance = null, settlesOn = null } = trade;
    const progress = { buyFilled, buyRemaining, sellFilled, sellRemaining };
    this.#trades.push({
      ...trade,
      ...progress,
      ...settled,
      book,
      assetId: baseAsset,
      quoteAsset,
      allowance,
      settlesOn,
    });
    const waiting = waitingOf(trade, trade, { baseAsset, quoteAsset });
    if (waiting !== null) {
      this.#touch(waiting.account, waiting.asset);
      this.#touchUnsettled(waiting);
    }
    if (emitsEvents) this.#announcedTrades.push({ id: trade.id });
    const { sellerCost, rateVersion } = settled;
    if (sellerCost === null || isBoundary(trade.seller)) return;
    // Costs are dollars where rates are stated: what was realised in another currency is not told, only that something was sold.
    const profit = rateVersion === null ? trade.notional - trade.sellerFee - sellerCost : 0;
    this.#addRealized({ account: trade.seller, asset: baseAsset, quoteAsset, profit });
  }

  #addRealized(realized: RealizedProfitRow): void {
    const { account, asset, quoteAsset, profit } = realized;
    const key = `${account} ${asset} ${quoteAsset}`;
    const before = this.#realizedProfits.get(key)?.profit ?? 0;
    this.#realizedProfits.set(key, { ...realized, profit: before + profit });
  }

  #addOrderState(state: OrderState): void {
    const row = orderStateRow(state);
    const order = this.#orders.get(state.id);
    if (order === undefined) {
      this.#orderStates.set(state.id, row);
      if (isReleased(state)) this.#releasedOrders.push({ id: state.id });
    } else {
      Object.assign(order, row);
      if (isReleased(state)) order.clientOrderId = null;
    }
  }

  #addStopPrice({ id, stopPrice }: StopPriceChange): void {
    const order = this.#orders.get(id);
    if (order === undefined) this.#stopPrices.set(id, { id, stopPrice });
    else order.stopPrice = stopPrice;
  }

  #addBar(book: string, update: BarUpdate): void {
    const key = `${book} ${update.interval} ${update.bucket}`;
    const bar = this.#bars.get(key);
    if (bar === undefined) {
      this.#bars.set(key, { book, ...update });
      return;
    }
    bar.high = Math.max(bar.high, update.high);
    bar.low = Math.min(bar.low, update.low);
    bar.close = update.close;
    bar.volume += update.volume;
    bar.quoteVolume += update.quoteVolume;
    bar.trades += update.trades;
  }

  #addTransfer(transfer: Transfer, outcome: TransferOutcome): void {
    if (outcome.type !== 'done') return;
    const { id, type, account, asset, amount, reference, event } = transfer;
    const isDeposit = type === 'deposit';
    this.#show({ id, account, type, asset, amount, reference });
    this.#post({
      id,
      kind: type,
      account,
      asset,
      amount: isDeposit ? amount : -amount,
      boundary: isDeposit ? BOUNDARY_ACCOUNT.deposits : BOUNDARY_ACCOUNT.withdrawals,
    });
    for (const lotId of outcome.lotIds) this.#touchedLots.add(lotId);
    this.#addEvent(event, { before: outcome.before, after: outcome.after });
  }

  #addTradeAdjustment(adjustment: TradeAdjustment, outcome: AdjustmentOutcome, sequence: number): void {
    if (outcome.type !== 'done') return;
    const { id, trade, baseAsset, quoteAsset, to, reason, createdAt, event } = adjustment;
    const terms = adjustedTerms(adjustment);
    const type = to === null ? 'bust' : 'correction';
    const { buyer, seller } = trade;
    const unsettled = outcome.unsettled?.kind === 'cash';
    const accounts = { buyer, seller, unsettled };
    this.#tradeAdjustments.push({ tradeId: trade.id, id, type, ...terms, reason, createdAt, sequence, ...accounts });
    if (outcome.unsettled !== undefined) this.#touchUnsettled(outcome.unsettled);
    if (!isBoundary(seller)) this.#adjustedSales.push({ id: trade.id });
    for (const account of [trade.buyer, trade.seller]) this.#touch(account, quoteAsset);
    if (trade.buyerFee + trade.sellerFee > 0) this.#touch(BOUNDARY_ACCOUNT.fees, quoteAsset);
    for (const account of [trade.buyer, trade.seller]) this.#touch(account, baseAsset);
    for (const lotId of outcome.lotIds) this.#touchedLots.add(lotId);
    this.#addEvent(event);
  }

  /** Cash leaves broker clearing, each sum in a transaction of its own: `<settlement>.<n>`. */
  #addSettlement({ id, event }: Settlement, outcome: SettlementOutcome): void {
    if (outcome.type !== 'done') return;
    const boundary = BOUNDARY_ACCOUNT.brokerClearing;
    for (const [index, { amount, ...place }] of outcome.settled.entries()) {
      const { account, asset, kind } = place;
      this.#touchUnsettled(place);
      if (kind === 'cash' && amount > 0)
        this.#post({ id: `${id}.${index}`, kind: 'settlement', account, asset, amount, boundary });
    }
    this.#addEvent(event);
  }

  /** Each leg but that of issuance is a transaction of its own against issuance, `<entry>.<n>`; together they post what the entry did. */
  #addRegisterEntry({ id, asset, legs, event }: RegisterEntry, outcome: RegisterEntryOutcome): void {
    if (outcome.type !== 'done') return;
    const boundary = BOUNDARY_ACCOUNT.issuance;
    for (const [index, { account, change: amount }] of legs.entries()) {
      if (account === boundary) continue;
      this.#post({ id: `${id}.${index}`, kind: 'register_entry', account, asset, amount, boundary });
    }
    for (const lotId of outcome.lotIds) this.#touchedLots.add(lotId);
    this.#addEvent(event);
  }

  /** Each leg that was done is a transaction of its own, `<distribution>.<n>`, and a deposit or withdrawal of its account. */
  #addDistribution({ id, asset, legs, reference }: Distribution, outcome: DistributionOutcome): void {
    if (outcome.type !== 'done') return;
    const boundary = BOUNDARY_ACCOUNT.distributions;
    const skipped = new Set(outcome.skipped.map(({ account }) => account));
    for (const [index, { account, change: amount }] of legs.entries()) {
      if (skipped.has(account)) continue;
      const posted = { id: `${id}.${index}`, account, asset };
      this.#post({ ...posted, kind: 'distribution', amount, boundary });
      const type = amount > 0 ? 'deposit' : 'withdrawal';
      this.#show({ ...posted, type, amount: Math.abs(amount), reference });
    }
  }

  /** A deposit or withdrawal of its account. */
  #addBridgeMovement({ vault, type, ...of }: BridgeMovement, outcome: BridgeOutcome): void {
    if (outcome.type !== 'done' || type === 'void') return;
    const { id, account, asset, amount, transfer, commitment = null } = of;
    const posted = { id, account, asset };
    this.#post({
      ...posted,
      commitment,
      kind: 'bridge',
      amount: type === 'mint' ? amount : -amount,
      boundary: bridgeBoundary(vault),
    });
    const shown = type === 'mint' ? 'deposit' : 'withdrawal';
    const reference = referenceOfTransfer(transfer);
    this.#show({ ...posted, type: shown, amount, reference });
  }

  /** What each account has more or less is a transaction of its own against issuance, `<step>.<n>`; what it got for them of another asset, too. */
  #addSplit({ id, asset }: Split, outcome: SplitOutcome): void {
    if (outcome.type !== 'done') return;
    const boundary = BOUNDARY_ACCOUNT.issuance;
    const { changes, converted } = outcome;
    const all = [
      ...changes.map((each) => ({ ...each, asset })),
      ...(converted?.changes.map((each) => ({ ...each, asset: converted.asset })) ?? []),
    ];
    for (const [index, { change: amount, ...of }] of all.entries())
      this.#post({ id: `${id}.${index}`, kind: 'split', ...of, amount, boundary });
    for (const lotId of outcome.lotIds) this.#touchedLots.add(lotId);
  }

  /** What moved is posted as `<resolution>.shares` and `.cash`; cash of a sale that settles later is posted by its settlement. */
  #addBreakResolution(resolution: BreakResolution, outcome: BreakOutcome): void {
    if (outcome.type !== 'done') return;
    const { id, book, breakId, booking, reason, by, createdAt, event } = resolution;
    const closed = { resolvedAt: createdAt, resolvedBy: by, reason, resolutionId: id } as const;
    const name = booking === null ? 'acknowledged' : 'booked';
    this.#resolvedBreaks.push({ book, id: breakId, resolution: name, ...closed });
    if (booking !== null && outcome.booked !== null) this.#addBooking(resolution, booking, outcome.booked);
    this.#addEvent(event);
  }

  #addBooking(
    { id, book, breakId, createdAt }: BreakResolution,
    { route, baseAsset, tracksLots: _, ...booking }: BreakBooking,
    { lotIds, sellerCost, rateVersion }: BookedExecution,
  ): void {
    const { account, side, quoteAsset, quantity, notional, settlesOn = null } = booking;
    const of = { id, book, breakId, assetId: baseAsset, createdAt, settlesOn };
    this.#bookedExecutions.push({ ...booking, ...of, sellerCost, rateVersion });
    const posted = { kind: 'booking', account, boundary: CLEARING_OF[route] } as const;
    const [shares, cash] = side === 'buy' ? [quantity, -notional] : [-quantity, notional];
    this.#post({ ...posted, id: `${id}.shares`, asset: baseAsset, amount: shares });
    if (settlesOn === null || side === 'buy')
      this.#post({ ...posted, id: `${id}.cash`, asset: quoteAsset, amount: cash });
    if (settlesOn !== null) {
      const [asset, kind] = side === 'buy' ? ([baseAsset, 'shares'] as const) : ([quoteAsset, 'cash'] as const);
      this.#touchUnsettled({ account, asset, kind, settlesOn });
      this.#touch(account, quoteAsset);
    }
    for (const lotId of lotIds) this.#touchedLots.add(lotId);
    if (sellerCost === null) return;
    const profit = rateVersion === null ? notional - sellerCost : 0;
    this.#addRealized({ account, asset: baseAsset, quoteAsset, profit });
  }

  #addTransferRequest(request: TransferRequest, outcome: TransferRequestOutcome): void {
    if (outcome.type !== 'done') return;
    const { id, type, account, asset, amount, reference, createdAt } = request;
    const opened = { state: 'requested', reason: null, createdAt, updatedAt: createdAt } as const;
    this.#transferRequests.push({ id, type, account, asset, amount, reference, ...opened });
    if (type === 'withdrawal') this.#touch(account, asset);
  }

  #addTransferDecision(decision: TransferDecision, outcome: TransferDecisionOutcome): void {
    if (outcome.type !== 'done') return;
    const { reason, createdAt, event } = decision;
    const { request, state, moved } = outcome;
    const { id, type, account, asset, amount, reference } = request;
    this.#transferStates.set(id, { id, state, reason, updatedAt: createdAt });
    this.#touch(account, asset);
    if (moved !== null) {
      const isDeposit = type === 'deposit';
      this.#show({ id, account, type, asset, amount, reference });
      this.#post({
        id,
        kind: type,
        account,
        asset,
        amount: isDeposit ? amount : -amount,
        boundary: isDeposit ? BOUNDARY_ACCOUNT.deposits : BOUNDARY_ACCOUNT.withdrawals,
      });
    }
    this.#addEvent(event, { before: { state: request.state, ...moved?.before }, after: { state, ...moved?.after } });
  }

  #addGrant({ id, account, asset, amount }: Grant, outcome: ChangeOutcome): void {
    if (outcome.type !== 'done') return;
    this.#post({ id, kind: 'grant', account, asset, amount, boundary: BOUNDARY_ACCOUNT.limits });
  }

  #addFacts({ account, facts, event }: FactsChange, outcome: ChangeOutcome): void {
    if (outcome.type !== 'done') return;
    this.#factsVersions.set(account, { id: account, factsVersion: outcome.version });
    if (facts !== null) this.#facts.set(account, { id: account, ...facts });
    this.#addEvent(event);
  }

  #addFamily(family: FamilyChange, outcome: FamilyOutcome): void {
    if (outcome.type !== 'done') return;
    const { relation, account, relative, change, createdAt, event } = family;
    this.#factsVersions.set(account, { id: account, factsVersion: outcome.version });
    this.#factsVersions.set(relative, { id: relative, factsVersion: outcome.relativeVersion });
    if (change.type === 'recorded') {
      const { relationship, evidence, by: recordedBy } = change;
      const open = { endedAt: null, endedBy: null, endedReason: null };
      const recorded = { relationship, evidence, recordedBy, createdAt, ...open };
      this.#familyRelations.push({ id: relation, account, relative, ...recorded });
    } else {
      this.#endedFamily.push({ id: relation, endedAt: createdAt, endedBy: change.by, endedReason: change.reason });
    }
    this.#addEvent(event);
  }

  /** A key ends once: what is revoked again keeps its time. */
  #addRevocation({ account, keyIds, createdAt }: KeyRevocation, outcome: ChangeOutcome): void {
    if (outcome.type !== 'done') return;
    this.#factsVersions.set(account, { id: account, factsVersion: outcome.version });
    for (const id of keyIds) if (!this.#revokedKeys.has(id)) this.#revokedKeys.set(id, { id, revokedAt: createdAt });
  }

  #addMarketChange({ symbol, rules, event }: MarketChange, outcome: ChangeOutcome): void {
    if (outcome.type !== 'done') return;
    // Rules of before bands halted a market do not say for how long, those of before there were hours not when.
    const { bandHaltSeconds = 0, tradingHours = 'always', referenceStatement = null } = rules;
    const stated = { ...rules, bandHaltSeconds, tradingHours, referenceStatement };
    this.#markets.set(symbol, { symbol, ...stated, rulesVersion: outcome.version });
    this.#addEvent(event);
  }

  #addVenueChange({ halted, event }: VenueChange, outcome: ChangeOutcome): void {
    if (outcome.type !== 'done') return;
    this.#venue = { id: 1, halted };
    this.#addEvent(event);
  }

  #addRate({ asset, numerator, denominator, createdAt, event }: RateChange, outcome: RateOutcome): void {
    if (outcome.type !== 'done') return;
    this.#rates.push({ asset, version: outcome.version, numerator, denominator, statedAt: createdAt });
    this.#addEvent(event);
  }

  #addRejectedOrder(order: RejectedOrder, outcome: RecordOutcome): void {
    if (outcome.type === 'done') this.#orders.set(order.id, rejectedOrder(order));
  }

  /** A deposit or withdrawal. */
  #show(row: Omit<TransferRow, 'status' | 'createdAt'>): void {
    this.#transfers.push({ ...row, status: 'completed', createdAt: this.#time });
  }

  /**
   * What moved is of the time of its row, whatever time whoever asked for it has stated: a payment may be asked for long after the day on which it was due. So no month that is over
   * changes, and who reads on from the last row misses none.
   */
  #post(row: Omit<LedgerTransactionRow, 'commitment' | 'createdAt'> & Partial<LedgerTransactionRow>): void {
    this.#ledgerTransactions.push({ commitment: null, ...row, createdAt: this.#time });
    this.#touch(row.account, row.asset);
    this.#touch(row.boundary, row.asset);
  }

  #addEvent(event: DomainEvent | null, more: Readonly<Record<string, unknown>> = {}): void {
    if (event === null) return;
    const { id, type, subject, payload, createdAt } = event;
    this.#events.push({ id, type, subject, payload: JSON.stringify({ ...payload, ...more }), createdAt });
  }

  #touchHolds(wanted: HeldAssets & { readonly account: string }): void {
    const { account } = wanted;
    if (wanted.reserve > 0) this.#touch(account, wanted.reserveAsset);
    if (wanted.allowanceAsset !== null && wanted.allowance > 0) this.#touch(account, wanted.allowanceAsset);
    if (wanted.positionAsset !== null && wanted.position > 0) this.#touch(account, wanted.positionAsset);
  }

  #touchUnsettled({ account, asset, kind, settlesOn }: UnsettledPlace): void {
    const place = { account, asset, kind, settlesOn };
    this.#touchedUnsettled.set(unsettledKey(place), place);
  }

  #touch(account: string, asset: string): void {
    const assets = this.#touchedBalances.get(account);
    if (assets === undefined) this.#touchedBalances.set(account, new Set([asset]));
    else assets.add(asset);
  }
}

function brokerBreakRow(book: string, { side, price, quantity, known, ...told }: BrokerBreak): BrokerBreakRow {
  return {
    book,
    ...told,
    side: side ?? null,
    price: price ?? null,
    quantity: quantity ?? null,
    knownSide: known?.side ?? null,
    knownPrice: known?.price ?? null,
    knownQuantity: known?.quantity ?? null,
  };
}

/** Null where the chunk says nothing of the band. */
function bandRow(symbol: string, { band, bandReference }: SettlementChunk): BandRow | null {
  if (band !== undefined) {
    const { reference, target, at, statement } = band;
    return { symbol, bandReference: reference, bandTarget: target, bandToldAt: at, bandStatement: statement };
  }
  if (bandReference === undefined) return null;
  // 0 is the reference price of the rules.
  const reference = bandReference === 0 ? null : bandReference;
  return { symbol, bandReference: reference, bandTarget: null, bandToldAt: null, bandStatement: null };
}
