import { type AccreditationTerms, requiresOf } from '../../../domain/accreditation/requires-of.ts';
import type { SettlementChunk } from '../../../domain/ledger/records.ts';
import type { LotTerms } from '../../../domain/listing/listed-lot.ts';
import { GoingPrice, type GoingPriceSnapshot } from '../../../domain/markets/going-price.ts';
import { type BookMarket, isAtBroker, type Market, takesIndications } from '../../../domain/markets/market.ts';
import type { MarketPrices } from '../../../domain/markets/price-band.ts';
import { splitPrice } from '../../../domain/markets/split-price.ts';
import { holdsOf } from '../../../domain/order-entry/holds.ts';
import { transition } from '../../../domain/order-state/order-state.ts';
import type { OrderStatus } from '../../../domain/orders/order.ts';
import { leftOf } from '../../../domain/orders/remaining-of.ts';
import { heldTerms } from '../admission/admission.ts';
import type { LedgerOrder } from '../admission/ledger-order.ts';
import { OpenOrders } from '../admission/open-orders.ts';
import type { Engine, EngineCommand, EngineEvent, EngineSnapshot, RefuseReason } from '../engine/engine.ts';
import { createIndicationEngine, type IndicationEngine } from '../engine/indications/indication-book.ts';
import { createVenueEngine } from '../engine/venue/venue-book.ts';
import type { VenueEngine, VenueSnapshot } from '../engine/venue/venue-engine.ts';
import { MarketView, type MarketViewSnapshot } from '../feed/market-view.ts';
import { BOOK_CODE, type EngineVersion } from '../journal/engine-version.ts';
import type {
  AdmittedOrder,
  JournalCommand,
  JournalEntry,
  JournaledAmend,
  JournaledConversion,
  JournaledSplit,
} from '../journal/journal-entry.ts';
import type { AmendCommand, BookResult, OrderReport } from '../rpc/commands.ts';
import { Effects, type HeldOrderTerms, type OrderEnd } from '../settlement/effects.ts';
import { tradeIds } from '../settlement/trade-id.ts';
import { RecentIds } from './recent-ids.ts';
import { type BandPrices, TradingBand, type TradingBandSnapshot } from './trading-band.ts';

/** Commands whose memory the engine fetches together. */
const COMMANDS_READ_AHEAD = 100;

/** Amendments that were applied are known by their ids for so long, to answer one that is repeated. */
const AMENDMENTS_KNOWN_MAX = 10_000;

/** An amendment that changed nothing of an order that stands. */
export interface AmendmentRefused {
  readonly type: 'refused';
  readonly reason: Exclude<RefuseReason, 'not_found'> | 'market_halted';
  readonly status: OrderStatus;
}

/** What one command came to, in the order of the entry's commands. */
export type CommandOutcome =
  | { readonly type: 'done'; readonly report: OrderReport }
  | { readonly type: 'refused'; readonly reason: 'not_found' }
  | AmendmentRefused
  | Extract<BookResult, { type: 'mass_cancelled' }>;

const NONE_CANCELLED = { type: 'mass_cancelled', orderIds: [], pendingOrderIds: [] } as const;

export interface CycleOutcome {
  readonly chunks: SettlementChunk[];
  readonly outcomes: CommandOutcome[];
  readonly events: EngineEvent[];
  /** Orders that ended in this cycle: they stand in the book no longer. */
  readonly ended: LedgerOrder[];
}

/** Everything of a book that the future follows from. */
export interface BookSnapshot {
  readonly time: number;
  readonly engine: EngineSnapshot;
  readonly orders: readonly LedgerOrder[];
  readonly view: MarketViewSnapshot;
  /** Ids of the last amendments, oldest first. */
  readonly amendments: readonly string[];
  /** Of a snapshot from before books had one: undefined. */
  readonly band?: TradingBandSnapshot | undefined;
  /** Of a snapshot from before books had one: undefined. */
  readonly going?: GoingPriceSnapshot | undefined;
  /** The last split of the market's shares that its prices count by. */
  readonly split?: string | undefined;
  /** Of a routed market alone. */
  readonly venue?: VenueSnapshot | undefined;
}

/** A market as far as its book's state follows from it. */
type RoutedMarket = BookMarket & Partial<Pick<Market, 'route'>>;

/**
 * A book between two journal rows: the engine, and the ledger's side of its live orders. `run` is a pure function of state and entry,
 * live and in replay alike.
 */
export class BookState {
  readonly market: RoutedMarket;
  readonly orders: Map<string, LedgerOrder>;
  readonly open: OpenOrders;
  readonly amendments: RecentIds;
  /** Time of the last cycle; never goes back. */
  time: number;
  readonly view: MarketView;
  readonly band: TradingBand;
  readonly #going: GoingPrice;
  /** What every buyer in the market is, by the rule of its asset. */
  #common = 0;
  #split: string | null;
  readonly #tradeId: (time_ms: number, tradeSequence: number) => string;
  #version: EngineVersion;
  #engine: Engine;
  /** The engine of a market of indications, whose bids hold nothing and meet nobody; null of any other. */
  #indications: IndicationEngine | null = null;
  readonly takesIndications: boolean;
  /** The engine of a routed market; null where orders match here. */
  readonly venue: VenueEngine | null;
  #ended: LedgerOrder[] = [];
  /** Of orders from before books said so, the ledger does not know what they may bring: the next cycle tells it. */
  #owesIncoming = false;

  constructor(market: RoutedMarket, snapshot?: BookSnapshot, version = BOOK_CODE.current) {
    this.market = market;
    this.#version = version;
    this.takesIndications = takesIndications(market);
    this.venue = isAtBroker(market) ? createVenueEngine(snapshot?.engine, snapshot?.venue) : null;
    this.#engine = this.venue ?? this.#ownEngine(snapshot?.engine);
    this.orders = new Map(snapshot?.orders.map((order) => [order.orderId, order]));
    this.open = new OpenOrders(this.orders.values());
    this.amendments = new RecentIds(AMENDMENTS_KNOWN_MAX, snapshot?.amendments);
    this.time = snapshot?.time ?? 0;
    this.view = new MarketView(snapshot?.view, this.time);
    this.band = new TradingBand(snapshot?.band);
    this.#going = new GoingPrice(snapshot?.going ?? { trades: [], price: snapshot?.engine.lastPrice ?? null });
    this.#split = snapshot?.split ?? null;
    this.#tradeId = tradeIds(market.symbol);
  }

  get engine(): Engine {
    return this.#engine;
  }

  /** When something happens by itself: an order expires, a halt ends, or a limit state; at once where the ledger lacks where the band lies, or what orders may bring. Null for never. */
  get nextDue(): number | null {
    if (this.#owesIncoming || (this.#version.statementsHold && this.band.isUntold)) return this.time;
    const [expiry, band] = [this.engine.nextExpiry(), this.band.nextDue];
    return expiry === null || band === null ? (expiry ?? band) : Math.min(expiry, band);
  }

  /** The asset of the market, by whose rule of accreditation the public book goes. */
  showFor(asset: AccreditationTerms): void {
    this.#common = requiresOf(asset);
  }

  /** The public book: what everybody may take who may buy in the market. */
  publicDepth(levels: number): ReturnType<Engine['depth']> {
    return this.engine.depth(levels, this.#common);
  }

  /** What orders are judged by that are composed at a time. What a broker executes is nobody's here to print. */
  pricesAt(time_ms: number): MarketPrices {
    const last = this.engine.lastPrice();
    const reference = this.band.referenceAt(time_ms, this.#bandPrices);
    return { last: this.venue === null ? this.#going.price : last, reference };
  }

  get #bandPrices(): BandPrices {
    const { bandFollowsGoing: followsGoing, statementsHold, lowestIsNoEnd } = this.#version;
    return { last: this.engine.lastPrice(), going: this.#going.price, followsGoing, statementsHold, lowestIsNoEnd };
  }

  /** The next entry is run by this version. */
  goBy(version: EngineVersion): void {
    if (this.venue === null && version.createEngine !== this.#version.createEngine)
      this.#engine = this.#ownEngine(this.#engine.snapshot(), version);
    if (version.saysIncoming !== this.#version.saysIncoming)
      this.#owesIncoming = version.saysIncoming && this.venue !== null && this.orders.size > 0;
    this.#version = version;
  }

  #ownEngine(snapshot: EngineSnapshot | undefined, { createEngine } = this.#version): Engine {
    if (!this.takesIndications) return createEngine(snapshot);
    this.#indications = createIndicationEngine(snapshot);
    return this.#indications;
  }

  /** Whether a broker was asked for other terms of the order, and what came of it is not known. */
  isReplacing(orderId: string): boolean {
    return this.venue !== null && this.venue.replacement(orderId) !== null;
  }

  /** Whether these are the terms that a broker was asked for, and may yet give; null is what stands. */
  isReplacingWith(
    { orderId, quantity, price }: Pick<LedgerOrder, 'orderId' | 'quantity' | 'price'>,
    wanted: Pick<AmendCommand, 'quantity' | 'price' | 'stopPrice'>,
  ): boolean {
    const asked = this.venue?.replacement(orderId) ?? null;
    if (asked === null || this.venue?.isEndWanted(orderId) || wanted.stopPrice !== null) return false;
    return (wanted.quantity ?? quantity) === asked.quantity && (wanted.price ?? price) === asked.price;
  }

  snapshot(): BookSnapshot {
    return {
      time: this.time,
      engine: this.engine.snapshot(),
      orders: [...this.orders.values()],
      view: this.view.snapshot(),
      amendments: this.amendments.toArray(),
      band: this.band.snapshot(),
      going: this.#going.snapshot(),
      ...(this.#split === null ? {} : { split: this.#split }),
      venue: this.venue?.routing(),
    };
  }

  /** Runs one cycle: expiries first, as many as one cycle may have, then the commands. Throws only for a bug; the object must then be given up. */
  run(entry: JournalEntry): CycleOutcome {
    this.time = entry.time;
    this.#ended = [];
    const { reference } = this.band;
    const haltedUntil = this.band.begin(entry.time, this.#bandPrices);
    this.engine.goWithin(this.band.band);
    const effects = new Effects(this.market, this.#version, entry.time, this.#tradeId);
    if (haltedUntil !== null) effects.halt(haltedUntil);
    if (this.#owesIncoming) for (const order of this.orders.values()) effects.tell(order);
    this.#owesIncoming = false;
    const events = this.engine.expire(entry.time, this.#version.expiriesPerCycleMax);
    this.#settle(events, effects);
    const outcomes: CommandOutcome[] = [];
    for (let at = 0; at < entry.commands.length; at += COMMANDS_READ_AHEAD) {
      const commands = entry.commands.slice(at, at + COMMANDS_READ_AHEAD);
      this.engine.readAhead(commandsAhead(commands));
      for (const command of commands) outcomes.push(this.#command(command, effects, events));
    }
    this.#going.settle();
    this.#tellBand(effects, reference);
    const chunks = effects.finish();
    this.view.advance(events, chunks, entry.time, this.#version.countsInPublic);
    return { chunks, outcomes, events, ended: this.#ended };
  }

  /** @param before what the band lay around as the cycle began */
  #tellBand(effects: Effects, before: number | null): void {
    const { bandFollowsGoing, statementsHold } = this.#version;
    if (!statementsHold) {
      if (bandFollowsGoing && this.band.reference !== before) effects.refer(this.band.reference);
      this.band.forgetTold();
      return;
    }
    const stand = this.band.tell(this.time, this.#bandPrices);
    if (stand !== null) effects.lay(stand);
  }

  report(order: LedgerOrder): OrderReport {
    return {
      orderId: order.orderId,
      status: order.status,
      quantity: order.quantity,
      price: order.price,
      filled: order.filled,
      filledNotional: order.filledNotional,
      remaining: leftOf(order),
      restricted: order.restricted,
      code: order.code,
      timestamp: order.updatedAt,
    };
  }

  #command(command: JournalCommand, effects: Effects, events: EngineEvent[]): CommandOutcome {
    switch (command.type) {
      case 'rules':
        if (this.#version.statementsHold && this.band.isStated(command.rules)) this.#going.clear();
        // D1 is told a time that is over.
        if (this.band.goBy(command.rules, this.#bandPrices)) effects.halt(this.time);
        this.engine.goWithin(this.band.band);
        return NONE_CANCELLED;
      case 'split':
        this.#reprice(command);
        return NONE_CANCELLED;
      case 'place': {
        const order = this.#admit(command.order, effects);
        if (this.band.isHaltedAt(this.time)) {
          this.#endUnmatched(order, 'ASSET_NOT_TRADEABLE', effects);
          return { type: 'done', report: this.report(order) };
        }
        this.#apply(command.order.terms, effects, events);
        return { type: 'done', report: this.report(order) };
      }
      case 'reject': {
        const order = this.#admit(command.order, effects);
        this.#endUnmatched(order, command.code, effects);
        return { type: 'done', report: this.report(order) };
      }
      case 'cancel': {
        const order = this.orders.get(command.orderId);
        if (order === undefined || order.account !== command.account) return { type: 'refused', reason: 'not_found' };
        this.#apply({ type: 'cancel', orderId: order.orderId }, effects, events);
        return { type: 'done', report: this.report(order) };
      }
      case 'amend':
        return this.#amend(command, effects, events);
      case 'convert':
        return this.#convert(command, effects, events);
      case 'mass_cancel': {
        const from = events.length;
        this.#apply(command, effects, events);
        const orderIds = events.slice(from).flatMap((event) => (event.type === 'cancelled' ? [event.orderId] : []));
        const pendingOrderIds = command.orderIds.filter((orderId) => this.venue?.isEndWanted(orderId));
        return { type: 'mass_cancelled', orderIds, pendingOrderIds };
      }
      case 'hand_over':
        this.#take(this.#routed.handOver(command.orderIds), effects, events);
        return NONE_CANCELLED;
      case 'broker_reports':
        this.#take(this.#routed.report(command.reports, command.cursor), effects, events);
        return NONE_CANCELLED;
      case 'release':
        for (const hold of command.holds) effects.release(hold);
        return { ...NONE_CANCELLED, orderIds: command.holds.map((hold) => hold.id) };
    }
  }

  /** Of these splits of the market's shares, oldest first, those that its prices do not count by yet. */
  splitsAhead<T extends { readonly id: string }>(splits: readonly T[]): readonly T[] {
    return splits.slice(splits.findIndex(({ id }) => id === this.#split) + 1);
  }

  /** Orders would stand at prices from before: while there are any, prices stay, too. */
  #reprice({ id, tickSize, ...ratio }: JournaledSplit): void {
    this.#split = id;
    const last = this.engine.lastPrice();
    if (last === null || this.engine.size > 0) return;
    const splitOf = (price: number) => splitPrice(price, ratio, tickSize);
    this.engine.reprice(splitOf(last));
    this.#going.reprice(splitOf);
    this.band.reprice(this.#bandPrices, splitOf);
    this.engine.goWithin(this.band.band);
  }

  #admit(admitted: AdmittedOrder, effects: Effects): LedgerOrder {
    const { terms } = admitted;
    const order: LedgerOrder = {
      orderId: terms.orderId,
      account: terms.account,
      side: terms.side,
      quantity: terms.quantity,
      limit: terms.price,
      price: admitted.price,
      makerFeeBps: admitted.makerFeeBps,
      takerFeeBps: admitted.takerFeeBps,
      filled: 0,
      filledNotional: 0,
      remaining: terms.quantity,
      feeNumerator: 0,
      fee: 0,
      reserve: 0,
      allowanceAsset: admitted.allowanceAsset,
      allowance: 0,
      positionAsset: admitted.positionAsset,
      position: 0,
      restricted: admitted.restricted,
      lots: admitted.lots.map((lot) => ({ ...lot })),
      status: terms.stopPrice > 0 ? 'pending_trigger' : 'open',
      code: null,
      updatedAt: this.time,
      ...(admitted.rate == null ? {} : { rate: admitted.rate }),
      ...(this.takesIndications && terms.side === 'buy' ? { isNonBinding: true } : {}),
      ...(terms.priceMost === undefined ? {} : { priceMost: terms.priceMost }),
    };
    const holds = holdsOf(this.market, order);
    order.reserve = holds.reserve;
    order.allowance = holds.allowance;
    order.position = holds.position;
    this.orders.set(order.orderId, order);
    this.open.add(order.account);
    if (order.restricted) effects.touch(order);
    return order;
  }

  #amend(command: JournaledAmend, effects: Effects, events: EngineEvent[]): CommandOutcome {
    const order = this.orders.get(command.amendment.orderId);
    const hold = { id: command.amendmentId, ...command };
    if (order === undefined || command.abandoned) {
      effects.dropAmendment(hold, command.lots);
      return { type: 'refused', reason: 'not_found' };
    }
    if (this.band.isHaltedAt(this.time)) {
      effects.dropAmendment(hold, command.lots);
      return { type: 'refused', reason: 'market_halted', status: order.status };
    }
    if (!this.#covers(order, command)) {
      effects.dropAmendment(hold, command.lots);
      return { type: 'refused', reason: 'partially_filled', status: order.status };
    }
    const from = events.length;
    const emitted = this.engine.apply(command.amendment, this.time);
    for (const event of emitted) events.push(event);
    const first = emitted[0];
    if (first?.type === 'refused' || first === undefined) {
      effects.dropAmendment(hold, command.lots);
      const reason = first?.reason ?? 'not_found';
      return reason === 'not_found' ? { type: 'refused', reason } : { type: 'refused', reason, status: order.status };
    }
    const nowRestricted = command.lots.some(
      (lot) => lot.restrictionEndsAt !== null && lot.restrictionEndsAt > this.time,
    );
    order.restricted = command.restricted ?? (order.restricted || nowRestricted);
    this.amendments.add(command.amendmentId);
    const { quantity, price, priceMost } = command.amendment;
    if (priceMost !== undefined) order.priceMost = priceMost;
    const isWanted = first.type === 'replace_wanted';
    const held = heldTerms(order, command.amendment, isWanted);
    const shown = isWanted ? { quantity: order.quantity, price: order.price ?? order.limit } : { quantity, price };
    const { stopPrice } = command.amendment;
    const { triggersStandWithOrders } = this.#version;
    if (stopPrice !== undefined && triggersStandWithOrders) effects.changeStopPrice(order.orderId, stopPrice);
    effects.amend(order, command.amendmentId, command, command.lots, { ...shown, ...held });
    if (stopPrice !== undefined && !triggersStandWithOrders) effects.changeStopPrice(order.orderId, stopPrice);
    this.#settle(events.slice(from), effects);
    return { type: 'done', report: this.report(order) };
  }

  /** The indication binds from here on, and is filled by the offer in the same moment; or nothing becomes of it. */
  #convert(command: JournaledConversion, effects: Effects, events: EngineEvent[]): CommandOutcome {
    const { conversionId, conversion, abandoned } = command;
    const order = this.orders.get(conversion.orderId);
    const isStopped = abandoned || this.band.isHaltedAt(this.time);
    const emitted = order === undefined || isStopped ? [] : (this.#indications?.convert(conversion) ?? []);
    for (const event of emitted) events.push(event);
    if (order === undefined || emitted.length === 0 || emitted[0]?.type === 'refused') {
      effects.dropAmendment({ id: conversionId, ...command }, []);
      return { type: 'refused', reason: 'not_found' };
    }
    order.isNonBinding = undefined;
    const { quantity, price } = conversion;
    effects.amend(order, conversionId, command, [], { quantity, price, limit: price, remaining: quantity });
    this.#settle(emitted, effects, command.lot);
    return { type: 'done', report: this.report(order) };
  }

  /** A fill between preparing and applying can leave too little: each filled share released its old price, not the new one. */
  #covers(order: LedgerOrder, { amendment, ...extra }: JournaledAmend): boolean {
    const terms = heldTerms(order, amendment, this.venue !== null);
    if (terms.remaining <= 0) return true;
    const needed = holdsOf(this.market, { ...order, ...terms });
    return (
      needed.reserve <= order.reserve + extra.reserve &&
      needed.allowance <= order.allowance + extra.allowance &&
      needed.position <= order.position + extra.position
    );
  }

  #apply(command: EngineCommand, effects: Effects, events: EngineEvent[]): void {
    this.#take(this.engine.apply(command, this.time), effects, events);
  }

  get #routed(): VenueEngine {
    if (this.venue === null) throw new Error(`${this.market.symbol} is no routed market`);
    return this.venue;
  }

  #take(emitted: readonly EngineEvent[], effects: Effects, events: EngineEvent[]): void {
    for (const event of emitted) events.push(event);
    this.#settle(emitted, effects);
  }

  /** @param lot what binds the lots that are bought; left out, what bound those that are sold */
  #settle(events: readonly EngineEvent[], effects: Effects, lot?: LotTerms): void {
    for (const event of events) {
      switch (event.type) {
        case 'filled': {
          const maker = this.#live(event.makerId);
          const taker = this.#live(event.takerId);
          effects.fill(maker, taker, event, lot);
          this.#going.note(maker.account, taker.account, event.price);
          if (maker.remaining === 0) this.#leave(maker);
          if (taker.remaining === 0) this.#leave(taker);
          break;
        }
        case 'executed': {
          const order = this.#live(event.orderId);
          effects.execute(order, event);
          if (order.remaining === 0) this.#leave(order);
          break;
        }
        case 'raised':
          this.#live(event.orderId).quantity = event.quantity;
          break;
        case 'replaced':
          this.#takeTerms(event.orderId, event, effects);
          break;
        case 'replace_rejected': {
          const { quantity } = this.#live(event.orderId);
          this.#takeTerms(event.orderId, { ...event, quantity, limit: event.price }, effects);
          break;
        }
        case 'broken':
          effects.addBreak(event.break);
          break;
        case 'rejected':
          this.#end(event.orderId, 'reject', REJECT_CODE[event.reason], effects);
          break;
        case 'cancelled':
          this.#end(event.orderId, 'cancel', event.reason, effects);
          break;
        case 'expired':
          this.#end(event.orderId, 'expire', 'expired', effects);
          break;
        case 'decremented':
          effects.decrement(this.#live(event.orderId), event.quantity);
          break;
        case 'band_reached': {
          const until = this.band.reached(this.time, event.price, this.#bandPrices);
          if (until !== null) effects.halt(until);
          break;
        }
        case 'triggered': {
          const order = this.#live(event.orderId);
          order.status = transition(order.status, 'reach_stop_price');
          effects.touch(order);
          break;
        }
        default:
          break;
      }
    }
  }

  #takeTerms(orderId: string, terms: HeldOrderTerms, effects: Effects): void {
    const order = this.#live(orderId);
    effects.takeTerms(order, terms);
    if (order.remaining === 0) this.#leave(order);
  }

  /** An order that was admitted and is never matched. */
  #endUnmatched(order: LedgerOrder, code: string, effects: Effects): void {
    effects.end(order, 'reject', code);
    this.#leave(order);
  }

  #end(orderId: string, trigger: OrderEnd, code: string, effects: Effects): void {
    const order = this.#live(orderId);
    effects.end(order, trigger, code);
    this.#leave(order);
  }

  #leave(order: LedgerOrder): void {
    this.orders.delete(order.orderId);
    this.open.remove(order.account);
    this.#ended.push(order);
  }

  #live(orderId: string): LedgerOrder {
    const order = this.orders.get(orderId);
    if (order === undefined) throw new Error(`the engine names order ${orderId}, which the book does not hold`);
    return order;
  }
}

const REJECT_CODE = {
  post_only_would_take: 'POST_ONLY_WOULD_TAKE',
  fok_not_fillable: 'FOK_NOT_FILLABLE',
  duplicate_order_id: 'CONFLICT',
  broker_rejected: 'ASSET_NOT_TRADEABLE',
} as const;

/** What the engine will be given for these commands, if all goes well. */
function commandsAhead(commands: readonly JournalCommand[]): EngineCommand[] {
  const ahead: EngineCommand[] = [];
  for (const command of commands) {
    if (command.type === 'place') ahead.push(command.order.terms);
    else if (command.type === 'cancel') ahead.push({ type: 'cancel', orderId: command.orderId });
    else if (command.type === 'amend') ahead.push(command.amendment);
  }
  return ahead;
}
