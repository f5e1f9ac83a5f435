import { DAY_MS } from '../calendar/durations.ts';
import type { MarketStatus } from '../markets/market.ts';
import { convertedTerms } from '../resale/converted-terms.ts';
import type { AdmissionContext } from './admission.ts';
import type { Balance } from './balances.ts';
import type { LedgerLimits } from './ledger-limits.ts';
import type { KeyUse } from './limited-keys.ts';
import type {
  AdmissionRefusal,
  BatchOutcome,
  ChangeOutcome,
  FamilyOutcome,
  LedgerOutcome,
  OwnOutcome,
  PendingCancellation,
  RecordOutcome,
  RefusedAdmission,
  RegisterEntryOutcome,
  ReservationRow,
  ReservedLot,
  SkippedLeg,
  SplitChange,
  SplitOutcome,
  TooManyLots,
  TransferOutcome,
  UnjournaledHold,
} from './outcomes.ts';
import type {
  AmendmentAdmission,
  DailyLimits,
  LotRecord,
  OpenTransferRequest,
  OrderAdmission,
  ReceivedLot,
  SettlementChunk,
} from './records.ts';
import type { SplitRatio } from './split-units.ts';
import type {
  BookBatch,
  Conversion,
  FactsChange,
  FamilyChange,
  Grant,
  LedgerTransaction,
  RegisterEntry,
  Split,
  SplitTerms,
  TakeOwnership,
  Transfer,
  TransferDecision,
} from './transactions.ts';
import type { UnsettledPlace, UnsettledSum } from './unsettled.ts';

const CLEARING = 'boundary:broker-clearing';

interface Reservation {
  readonly kind: 'order' | 'amendment';
  readonly id: string;
  readonly book: string;
  readonly account: string;
  readonly assets: readonly [reserve: string, allowance: string | null, position: string | null];
  amounts: readonly [reserve: number, allowance: number, position: number];
  readonly quantity: number;
  readonly price: number | null;
}

/** An open order under daily limits. */
interface LimitedOrder {
  readonly id: string;
  readonly keyId: string;
  readonly account: string;
  readonly day: number;
  notional: number;
  lossHeld: number;
  cost: number;
  quantity: number;
  proceeds: number;
  readonly rate: Rate;
  /** Itself and its amendments. */
  readonly reservationIds: string[];
}

interface Sale {
  readonly order: LimitedOrder;
  readonly tradeId: string | null;
  readonly loss: number;
  /** What the shares cost that left it. */
  readonly gone: number;
}

interface Breach {
  readonly id: string;
  readonly account: string;
  readonly keyId: string;
}

/** Dollars for quote units; null for one to one. */
type Rate = { readonly version: number; readonly numerator: number; readonly denominator: number } | null;

type Mutable<T> = { -readonly [Field in keyof T]: T[Field] };

/** Plain objects that are looked for from end to end: the ledger as one would explain it. It never forgets an id, and checks no effects. */
export class NaiveLedger {
  readonly balances = new Map<string, Mutable<Balance> & { readonly account: string; readonly asset: string }>();
  readonly lots: Mutable<LotRecord>[] = [];
  /** Ids of lots that came by a trade; a conversion keeps them. */
  readonly #bought = new Set<string>();
  /** Of the batch that has landed last. */
  saleCosts: (number | null)[] = [];
  #reservations: Reservation[] = [];
  #shares: { readonly reservationId: string; readonly lotId: string; quantity: number }[] = [];
  #limits: LedgerLimits;
  readonly #known = new Set<string>();
  readonly #clientOrderIds = new Map<string, string>();
  /** All of one partner. */
  readonly #investors = new Map<string, string>();
  readonly #facts = new Map<string, { version: number; frozen: boolean }>();
  readonly #revokedKeys = new Set<string>();
  readonly #markets = new Map<string, { version: number; status: MarketStatus }>();
  readonly #fences = new Map<
    string,
    { owner: string; batch: number; settled: number; admitted: readonly string[]; outcome: BatchOutcome | null }
  >();
  #pending: PendingCancellation[] = [];
  /** By asset; null once it is over. */
  readonly #splits = new Map<string, { readonly split: string; readonly terms: SplitTerms | null }>();
  #isHalted = false;
  #day = 0;
  #limited: LimitedOrder[] = [];
  /** What ended orders, and amendments on a later day, have come to. */
  #counted: { readonly keyId: string; readonly day: number; readonly notional: number }[] = [];
  #requests: OpenTransferRequest[] = [];
  readonly #rates = new Map<string, Exclude<Rate, null>>();
  #unsettled: Mutable<UnsettledSum>[] = [];
  readonly #losses = new Map<string, number>();
  readonly #dailyLimits = new Map<string, DailyLimits>();

  constructor(limits: LedgerLimits) {
    this.#limits = limits;
  }

  apply(transaction: LedgerTransaction, context: AdmissionContext): LedgerOutcome {
    switch (transaction.kind) {
      case 'batch':
        return this.#batch(transaction, context);
      case 'own':
        return this.#own(transaction);
      case 'transfer':
        return this.#transfer(transaction);
      case 'transfer_request': {
        const { kind: _, createdAt: __, ...asked } = transaction;
        const request = { ...asked, state: 'requested' } as const;
        const shares = this.#unsettledShares(request.account, request.asset);
        const available = Math.max(0, this.balance(request.account, request.asset).available - shares);
        if (this.#factsOf(request.account).frozen) return { type: 'account_frozen' };
        const openMax = 10;
        if (this.#requests.filter(({ account }) => account === request.account).length >= openMax)
          return { type: 'too_many_requests', openMax };
        if (request.type === 'withdrawal') {
          if (available < request.amount) return { type: 'insufficient_balance', required: request.amount, available };
          this.#move(request, request.amount);
        }
        this.#requests.push(request);
        return { type: 'done' };
      }
      case 'transfer_decision':
        return this.#decide(transaction);
      case 'grant':
        return this.#grant(transaction);
      case 'facts':
        return this.#changeFacts(transaction);
      case 'family':
        return this.#changeFamily(transaction);
      case 'revoke_keys': {
        const { id, account, keyIds } = transaction;
        for (const key of keyIds) this.#revokedKeys.add(key);
        const { version, frozen } = this.#factsOf(account);
        this.#facts.set(account, { version: version + 1, frozen });
        return { type: 'done', version: version + 1, cancelIn: this.#cancelIn(id, account, keyIds) };
      }
      case 'market': {
        const { version } = this.#market(transaction.symbol);
        if (version !== transaction.expectedVersion) return { type: 'stale', version };
        this.#markets.set(transaction.symbol, { version: version + 1, status: transaction.rules.status });
        return { type: 'done', version: version + 1, cancelIn: [] };
      }
      case 'venue':
        this.#isHalted = transaction.halted;
        return { type: 'done', version: 0, cancelIn: [] };
      case 'rate': {
        const { asset, expectedVersion, numerator, denominator } = transaction;
        const version = this.#rates.get(asset)?.version ?? 0;
        if (version !== expectedVersion) return { type: 'stale', version };
        this.#rates.set(asset, { version: version + 1, numerator, denominator });
        return { type: 'done', version: version + 1 };
      }
      case 'rejected_order': {
        const { id, account, clientOrderId } = transaction.order;
        if (this.#known.has(id)) return { type: 'exists' };
        this.#remember(id, account, clientOrderId);
        this.#learnOwner(transaction.order);
        return { type: 'done' };
      }
      case 'settle': {
        const due = this.#unsettled
          .filter(({ settlesOn }) => settlesOn <= transaction.through)
          .sort((one, other) => one.settlesOn - other.settlesOn)
          .slice(0, 500);
        if (due.length === 0) return { type: 'nothing_due' };
        this.#unsettled = this.#unsettled.filter((each) => !due.includes(each));
        for (const { account, asset, kind, amount } of due) {
          if (kind === 'shares') continue;
          this.#open(CLEARING, asset).available -= amount;
          this.#open(account, asset).available += amount;
        }
        return { type: 'done', settled: due };
      }
      case 'split':
        return this.#split(transaction);
      case 'register_entry':
        return this.#enterRegister(transaction);
      case 'distribution': {
        const { asset, legs } = transaction;
        const pool = () => this.balance('boundary:distributions', asset).available;
        const skipped = legs.flatMap(({ account, change }): SkippedLeg[] => {
          const isNew = !this.balances.has(`${account} ${asset}`);
          if (change < 0 && this.balance(account, asset).available < -change)
            return [{ account, reason: 'insufficient_balance' }];
          if (change > 0 && pool() < change) return [{ account, reason: 'insufficient_pool' }];
          if (change > 0 && isNew && this.balances.size >= this.#limits.balancesMax)
            return [{ account, reason: 'ledger_full' }];
          this.#open('boundary:distributions', asset).available -= change;
          const balance = this.#open(account, asset);
          if (change < 0) balance.cost -= Math.floor((balance.cost * -change) / (balance.available + balance.held));
          balance.available += change;
          return [];
        });
        return { type: 'done', skipped };
      }
      case 'bridge': {
        const { type, account, asset, amount, vault } = transaction;
        if (type === 'void') return { type: 'done' };
        if (this.balances.has(`boundary:issuance ${asset}`)) return { type: 'goes_by_register' };
        const outside = `boundary:bridge:${vault.organization}:${vault.chain}`;
        const minted = 0 - this.balance(outside, asset).available;
        const settled = this.balance(account, asset).available - this.#unsettledShares(account, asset);
        const available = Math.max(0, settled);
        const isNew = !this.balances.has(`${account} ${asset}`);
        if (type === 'mint' && isNew && this.balances.size >= this.#limits.balancesMax) return { type: 'ledger_full' };
        if (type === 'burn') {
          if (this.#factsOf(account).frozen) return { type: 'account_frozen' };
          if (available < amount) return { type: 'insufficient_balance', required: amount, available };
          if (minted < amount) return { type: 'vault_short', required: amount, available: minted };
        }
        this.#open(outside, asset).available += type === 'mint' ? -amount : amount;
        const balance = this.#open(account, asset);
        if (type === 'burn') balance.cost -= Math.floor((balance.cost * amount) / (balance.available + balance.held));
        balance.available += type === 'mint' ? amount : -amount;
        return { type: 'done' };
      }
      case 'adjust_trade':
        throw new Error('no stream adjusts trades: trade-adjustments.test.ts does');
      case 'resolve_break':
        throw new Error('no stream resolves breaks: resolve-break.test.ts does');
      case 'cancelled':
        return this.#confirmed(transaction.id, transaction.book);
      case 'ledger_rules': {
        const before = this.#limits;
        this.#limits = { ...before, ...transaction.limits };
        const isSame = Object.entries(this.#limits).every(
          ([name, limit]) => before[name as keyof LedgerLimits] === limit,
        );
        return isSame ? { type: 'exists' } : ({ type: 'done' } satisfies RecordOutcome);
      }
    }
  }

  balance(account: string, asset: string): Balance {
    const { available, held, cost } = this.balances.get(`${account} ${asset}`) ?? { available: 0, held: 0, cost: 0 };
    return { available, held, cost };
  }

  lot(id: string): LotRecord | null {
    return this.lots.find((lot) => lot.id === id) ?? null;
  }

  get size(): { balances: number; reservations: number; lots: number } {
    return { balances: this.balances.size, reservations: this.#reservations.length, lots: this.lots.length };
  }

  reservations(book: string): ReservationRow[] {
    return this.#reservations
      .filter((each) => each.book === book)
      .map(({ kind, id, account, amounts: [reserve, allowance, position] }) => ({
        kind,
        id,
        account,
        reserve,
        allowance,
        position,
      }));
  }

  openBooks(account: string): string[] {
    return [...new Set(this.#reservations.filter((each) => each.account === account).map(({ book }) => book))].sort();
  }

  pendingCancellations(): PendingCancellation[] {
    return this.#pending;
  }

  keyUse(keyId: string, time: number): KeyUse {
    const lossHeld = this.#limited.filter((each) => each.keyId === keyId).reduce((sum, each) => sum + each.lossHeld, 0);
    if (Math.floor(time / DAY_MS) > this.#day) return { notional: 0, loss: 0, lossHeld };
    const notional = [...this.#limited, ...this.#counted]
      .filter((each) => each.keyId === keyId && each.day === this.#day)
      .reduce((sum, each) => sum + each.notional, 0);
    return { notional, loss: this.#losses.get(keyId) ?? 0, lossHeld };
  }

  #batch(batch: BookBatch, context: AdmissionContext): BatchOutcome {
    const fence = this.#fence(batch.book);
    if (fence.owner === batch.owner && fence.batch === batch.batch && fence.outcome !== null) return fence.outcome;
    const isTurn = fence.batch + 1 === batch.batch && fence.settled === batch.settledFrom;
    if (fence.owner !== batch.owner || !isTurn)
      return { type: 'fenced', owner: fence.owner, batch: fence.batch, settled: fence.settled };
    const day = Math.floor(context.time / DAY_MS);
    if (day > this.#day) this.#losses.clear();
    this.#day = day;
    this.saleCosts = [];
    for (const chunk of batch.chunks) {
      this.saleCosts.push(...this.#saleCosts(batch, chunk));
      this.#settle(batch, chunk);
    }
    const refused: RefusedAdmission[] = [];
    const admitted: string[] = [];
    const lots: ReservedLot[] = [];
    const asked = [
      ...batch.orders.map((wanted) => ['order', wanted] as const),
      ...batch.amendments.map((wanted) => ['amendment', wanted] as const),
    ];
    for (const [kind, wanted] of asked) {
      const refusal = kind === 'order' ? this.#order(batch, wanted, context) : this.#amendment(batch, wanted, context);
      if (refusal !== null) refused.push(refusal);
      else if (kind === 'amendment' || wanted.code === null) {
        admitted.push(wanted.id);
        if (batch.tracksLots && wanted.reserveAsset === batch.baseAsset) this.#reserveLots(wanted, lots);
      }
    }
    const rate = this.#rates.get(batch.quoteAsset);
    const hasTrades = batch.chunks.some(({ trades }) => trades.length > 0);
    const settledAt = rate !== undefined && hasTrades ? { rateVersion: rate.version } : {};
    const outcome: BatchOutcome = { type: 'landed', refused, lots, ...settledAt };
    this.#fences.set(batch.book, {
      owner: batch.owner,
      batch: batch.batch,
      settled: batch.settledTo,
      admitted,
      outcome,
    });
    return outcome;
  }

  #order(batch: BookBatch, order: OrderAdmission, context: AdmissionContext): RefusedAdmission | null {
    const { id, account, clientOrderId } = order;
    if (this.#known.has(id)) return refusalOf(id, 'exists', 0);
    const existingId = clientOrderId === null ? undefined : this.#clientOrderIds.get(`${account} ${clientOrderId}`);
    if (order.code !== null) {
      this.#remember(id, account, clientOrderId);
      if (clientOrderId !== null && existingId === undefined) this.#learnOwner(order);
      return null;
    }
    if (existingId !== undefined) return { ...refusalOf(id, 'duplicate_client_order_id', 0), existingId };
    this.#learnOwner(order);
    const refusal = this.#refusal(batch, order, order.keyId, context);
    if (refusal !== null && ['stale', 'backlog', 'ledger_full'].includes(refusal.refusal)) return refusal;
    this.#remember(id, account, clientOrderId);
    if (refusal === null) {
      this.#countOrder(batch, order);
      this.#hold(batch.book, 'order', order, order.quantity, order.price);
    }
    return refusal;
  }

  #amendment(batch: BookBatch, amendment: AmendmentAdmission, context: AdmissionContext): RefusedAdmission | null {
    if (this.#known.has(amendment.id)) return refusalOf(amendment.id, 'exists', 0);
    const refusal = this.#refusal(batch, amendment, null, context);
    if (refusal !== null) return refusal;
    this.#known.add(amendment.id);
    this.#countAmendment(batch, amendment);
    this.#hold(batch.book, 'amendment', amendment, 0, null);
    return null;
  }

  #refusal(
    batch: BookBatch,
    wanted: OrderAdmission | AmendmentAdmission,
    keyId: string | null,
    { backlogged, time }: AdmissionContext,
  ): RefusedAdmission | null {
    const { id, account } = wanted;
    const { book, tracksLots } = batch;
    const facts = this.#factsOf(account);
    const market = this.#market(book);
    if (facts.frozen) return refusalOf(id, 'account_frozen', 0);
    if (keyId !== null && this.#revokedKeys.has(keyId)) return refusalOf(id, 'key_revoked', 0);
    if (this.#isHalted || market.status !== 'open') return refusalOf(id, 'halted', 0);
    if (facts.version !== wanted.factsVersion || market.version !== wanted.rulesVersion)
      return refusalOf(id, 'stale', 0);
    const isInMoney = !('orderId' in wanted) && (wanted.daily !== null || wanted.allowanceAsset !== null);
    const checkedBy = 'rateVersion' in wanted ? wanted.rateVersion : undefined;
    if (isInMoney && checkedBy !== this.#rates.get(batch.quoteAsset)?.version) return refusalOf(id, 'stale', 0);
    if (wanted.identityEndsAt !== undefined && wanted.identityEndsAt <= time) return refusalOf(id, 'identity_ended', 0);
    if (backlogged) return refusalOf(id, 'backlog', 0);
    const isSale = wanted.reserveAsset === batch.baseAsset;
    const free = (max: number, count: number): number => max + (isSale ? this.#limits.roomForSales : 0) - count;
    const is = this.#limits;
    const kind = 'orderId' in wanted ? 'amendment' : 'order';
    const open = this.#reservations.filter((each) => each.kind === kind);
    const freePlaces = kind === 'order' ? free(is.reservationsMax, open.length) : is.amendmentsMax - open.length;
    const freeLots = free(is.lotsMax, this.lots.length);
    if (freePlaces <= 0 || (tracksLots && freeLots <= 0)) return refusalOf(id, 'ledger_full', 0);
    const ofMany = { places: freePlaces - is.reservationsForGuaranteed, lots: freeLots - is.lotsForGuaranteed };
    const sureOfOrders =
      freePlaces > is.reservationsForFew
        ? is.reservationsGuaranteedPerAccount
        : freePlaces > is.reservationsForFewest
          ? is.reservationsGuaranteedOfFew
          : is.reservationsGuaranteedOfFewest;
    const sureOfAmendments =
      freePlaces > is.amendmentsForFew ? is.amendmentsGuaranteedPerAccount : is.amendmentsGuaranteedOfFew;
    const sureOfLots = freeLots > is.lotsForFew ? is.lotsGuaranteedPerAccount : is.lotsGuaranteedOfFew;
    const beyond =
      kind === 'order'
        ? this.#beyond('account_orders', wanted, open, {
            sure: sureOfOrders,
            free: ofMany.places,
            max: is.reservationsPerAccountMax,
            partnerMax: is.reservationsPerPartnerMax,
          })
        : this.#beyond('account_amendments', wanted, open, {
            sure: sureOfAmendments,
            free: freePlaces - is.amendmentsForGuaranteed,
            max: is.amendmentsMax,
            partnerMax: is.amendmentsMax,
          });
    if (beyond !== null) return beyond;
    const beyondLots =
      tracksLots && !isSale
        ? this.#beyond('account_lots', wanted, this.lots, {
            sure: sureOfLots,
            free: ofMany.lots,
            max: is.lotsHeldPerAccountMax,
            partnerMax: is.lotsPerPartnerMax,
          })
        : null;
    if (beyondLots !== null) return beyondLots;
    const short = (refusal: AdmissionRefusal, asset: string | null, amount: number): RefusedAdmission | null => {
      const available = asset === null ? 0 : this.balance(account, asset).available;
      return asset !== null && amount > available ? refusalOf(id, refusal, available) : null;
    };
    return (
      short('allowance', wanted.allowanceAsset, wanted.allowance) ??
      short('position', wanted.positionAsset, wanted.position) ??
      ('orderId' in wanted ? this.#amendmentLimit(batch, wanted) : this.#orderLimit(batch, wanted)) ??
      short('balance', wanted.reserveAsset, wanted.reserve)
    );
  }

  /** Whether the account, its investor or their partner has as many as may be. */
  #beyond(
    refusal: AdmissionRefusal,
    { id, account }: { readonly id: string; readonly account: string },
    all: readonly { readonly account: string }[],
    quotas: { readonly sure: number; readonly free: number; readonly max: number; readonly partnerMax: number },
  ): RefusedAdmission | null {
    const { sure, free, max, partnerMax } = quotas;
    const investor = this.#investors.get(account);
    const own = all.filter(
      (each) => each.account === account || this.#investors.get(each.account) === (investor ?? ''),
    );
    const quota = Math.min(max, Math.max(sure, free));
    if (own.length >= quota)
      return { ...refusalOf(id, refusal, quota), ...(investor === undefined ? {} : { of: 'investor' as const }) };
    const ofPartner = Math.min(partnerMax, Math.max(sure * this.#limits.partnerShare, free));
    const partners = all.filter((each) => this.#investors.has(each.account)).length;
    const left = ofPartner - partners;
    if (investor === undefined) return null;
    if (left <= 0) return { ...refusalOf(id, refusal, ofPartner), of: 'partner' };
    return own.length >= Math.max(1, left) ? { ...refusalOf(id, refusal, left), of: 'investor' } : null;
  }

  #learnOwner({ account, investor }: Pick<OrderAdmission, 'account' | 'investor'>): void {
    if (investor !== undefined) this.#investors.set(account, investor);
  }

  #orderLimit(batch: BookBatch, { id, account, keyId, reserve, daily }: OrderAdmission): RefusedAdmission | null {
    if (daily === null || keyId === null) return null;
    const known = [...this.#limited, ...this.#counted.filter(({ day, notional }) => day === this.#day && notional > 0)];
    const keys = new Set(known.map((each) => each.keyId));
    for (const [key, loss] of this.#losses) if (loss > 0) keys.add(key);
    const { limitedKeysMax, limitedKeysPerAccountMax } = this.#limits;
    if (!keys.has(keyId) && keys.size >= limitedKeysMax) return refusalOf(id, 'ledger_full', 0);
    if (!keys.has(keyId) && [...keys].filter((key) => key.startsWith(account)).length >= limitedKeysPerAccountMax)
      return refusalOf(id, 'account_keys', limitedKeysPerAccountMax);
    const rate = this.#rates.get(batch.quoteAsset) ?? null;
    const proceeds = Math.floor(dollars(daily.proceeds, rate));
    const worst = daily.quantity === 0 ? 0 : Math.max(0, this.#costOfFree(batch, account, reserve) - proceeds);
    return this.#limit(id, keyId, daily, Math.ceil(dollars(daily.notional, rate)), daily.lossMax === null ? 0 : worst);
  }

  #amendmentLimit(batch: BookBatch, amendment: AmendmentAdmission): RefusedAdmission | null {
    const { id, orderId, limitedKey } = amendment;
    const order = this.#limited.find((each) => each.id === orderId);
    if (limitedKey !== null && order?.keyId !== limitedKey) return refusalOf(id, 'outside_limit', 0);
    if (order === undefined) return null;
    const limits = this.#dailyLimits.get(order.keyId) as DailyLimits;
    const amended = this.#amended(batch, amendment, order);
    return this.#limit(id, order.keyId, limits, amended.notional - order.notional, amended.lossHeld - order.lossHeld);
  }

  #limit(id: string, keyId: string, { notionalMax, lossMax }: DailyLimits, notional: number, worse: number) {
    const use = this.keyUse(keyId, this.#day * DAY_MS);
    if (notionalMax !== null && notional > 0 && use.notional + notional > notionalMax)
      return { ...refusalOf(id, 'daily_notional', Math.max(0, notionalMax - use.notional)), required: notional };
    if (lossMax === null) return null;
    const isReached = use.loss > 0 && use.loss >= lossMax;
    const available = isReached ? 0 : Math.max(0, lossMax - use.loss - use.lossHeld);
    return isReached || worse > available ? { ...refusalOf(id, 'daily_loss', available), required: worse } : null;
  }

  #countOrder(batch: BookBatch, { id, account, keyId, reserve, daily }: OrderAdmission): void {
    if (daily === null || keyId === null) return;
    const { notionalMax, lossMax, quantity } = daily;
    const rate = this.#rates.get(batch.quoteAsset) ?? null;
    const [notional, proceeds] = [Math.ceil(dollars(daily.notional, rate)), Math.floor(dollars(daily.proceeds, rate))];
    this.#dailyLimits.set(keyId, { notionalMax, lossMax });
    const cost = lossMax === null || quantity === 0 ? 0 : this.#costOfFree(batch, account, reserve);
    const lossHeld = Math.max(0, cost - proceeds);
    const counts = { notional, lossHeld, cost, quantity, proceeds, rate };
    this.#limited.push({ id, keyId, account, day: this.#day, reservationIds: [id], ...counts });
  }

  #countAmendment(batch: BookBatch, amendment: AmendmentAdmission): void {
    const order = this.#limited.find((each) => each.id === amendment.orderId);
    if (order === undefined) return;
    const amended = this.#amended(batch, amendment, order);
    if (order.day !== this.#day)
      this.#counted.push({ keyId: order.keyId, day: this.#day, notional: amended.notional - order.notional });
    Object.assign(order, amended);
    order.reservationIds.push(amendment.id);
  }

  #amended(batch: BookBatch, { account, reserve, exposure }: AmendmentAdmission, order: LimitedOrder) {
    const notional = Math.max(order.notional, Math.ceil(dollars(exposure.notional, order.rate)));
    const { lossHeld, cost } = order;
    if (exposure.quantity === 0) return { notional, lossHeld, cost, quantity: 0, proceeds: 0 };
    const [held = 0] = this.#reservations.find(({ id }) => id === order.id)?.amounts ?? [];
    const quantity = Math.max(exposure.quantity, held + reserve);
    const asked = Math.floor(dollars(exposure.proceeds, order.rate));
    const atNewPrice = Math.floor((asked * quantity) / exposure.quantity);
    const proceeds = Math.min(Math.floor((order.proceeds * quantity) / order.quantity), atNewPrice);
    if (this.#dailyLimits.get(order.keyId)?.lossMax === null) return { notional, lossHeld, cost, quantity, proceeds };
    const amendedCost = batch.tracksLots
      ? cost + this.#costOfFree(batch, account, reserve)
      : this.#averageCost(batch, account, quantity);
    return {
      notional,
      lossHeld: Math.max(lossHeld, amendedCost - proceeds),
      cost: amendedCost,
      quantity,
      proceeds,
    };
  }

  #costOfFree(batch: BookBatch, account: string, quantity: number): number {
    if (!batch.tracksLots) return this.#averageCost(batch, account, quantity);
    let [wanted, cost] = [quantity, 0];
    for (const lot of this.#lotsOf(account, batch.baseAsset)) {
      const share = Math.min(wanted, lot.quantity - lot.reserved);
      cost += Math.floor((lot.cost * share) / lot.quantity);
      wanted -= share;
    }
    return cost;
  }

  #averageCost({ baseAsset }: BookBatch, account: string, quantity: number): number {
    const { available, held, cost } = this.balance(account, baseAsset);
    const total = available + held;
    return total === 0 ? 0 : Math.floor((cost * Math.min(quantity, total)) / total);
  }

  /** What each limited order sells in a chunk, as things stand before it. */
  #salesOf(batch: BookBatch, { trades, lotMoves }: SettlementChunk): Sale[] {
    return this.#limited.map((order) => {
      const sold = trades.filter(({ sellOrder }) => sellOrder === order.id);
      const moves = lotMoves.filter(({ reservationId }) => order.reservationIds.includes(reservationId));
      const costOf = (lotId: string, quantity: number): number => {
        const lot = this.lot(lotId) as LotRecord;
        return Math.floor((lot.cost * quantity) / lot.quantity);
      };
      const sumOf = (amounts: number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);
      const cost = batch.tracksLots
        ? sumOf(moves.map(({ lotId, consumed }) => costOf(lotId, consumed)))
        : sumOf(sold.map(({ quantity }) => this.#averageCost(batch, order.account, quantity)));
      const freedCost = sumOf(moves.map(({ lotId, released }) => costOf(lotId, released)));
      const paid = sumOf(sold.map(({ notional, sellerFee }) => notional - sellerFee));
      const proceeds = Math.floor(dollars(paid, order.rate));
      return { order, tradeId: sold.at(-1)?.id ?? null, loss: cost - proceeds, gone: cost + freedCost };
    });
  }

  /** What each share had cost, of the lots or the average that it comes from. */
  #saleCosts(batch: BookBatch, { trades, lotMoves, balances }: SettlementChunk): (number | null)[] {
    const before = new Map(this.lots.map(({ id, account, quantity, cost }) => [id, { account, quantity, cost }]));
    const parts = lotMoves.flatMap(({ lotId, consumed: quantity }) => {
      const lot = before.get(lotId);
      if (lot === undefined || quantity === 0) return [];
      const cost = Math.floor((lot.cost * quantity) / lot.quantity);
      before.set(lotId, { ...lot, quantity: lot.quantity - quantity, cost: lot.cost - cost });
      return [{ account: lot.account, quantity, cost }];
    });
    const averages = balances
      .filter(({ asset, sold }) => sold > 0 && asset === batch.baseAsset)
      .map(({ account, sold }) => ({ account, quantity: sold, cost: this.#averageCost(batch, account, sold) }));
    const leaving = batch.tracksLots ? parts : averages;
    return trades.map(({ seller, quantity }) => {
      let [wanted, cost] = [quantity, 0];
      for (const part of leaving.filter((each) => each.account === seller && each.quantity > 0)) {
        const taken = Math.min(wanted, part.quantity);
        const share = Math.floor((part.cost * taken) / part.quantity);
        part.quantity -= taken;
        part.cost -= share;
        wanted -= taken;
        cost += share;
      }
      return wanted > 0 ? null : cost;
    });
  }

  #holdLosses(batch: BookBatch, { orders }: SettlementChunk): void {
    for (const { id, reserve } of orders) {
      const order = this.#limited.find((each) => each.id === id);
      if (order === undefined || order.quantity === 0 || this.#dailyLimits.get(order.keyId)?.lossMax === null) continue;
      if (!batch.tracksLots) order.cost = this.#averageCost(batch, order.account, reserve);
      order.lossHeld = Math.max(0, order.cost - Math.floor((order.proceeds * reserve) / order.quantity));
    }
  }

  #settleLimited(chunk: SettlementChunk, sales: readonly Sale[]): Breach[] {
    const breached: Breach[] = [];
    for (const { order, gone } of sales) order.cost = Math.max(0, order.cost - gone);
    for (const { id, status, filledNotional } of chunk.orders) {
      const sale = sales.find(({ order }) => order.id === id);
      if (sale === undefined) continue;
      const { order, tradeId, loss } = sale;
      const { keyId, account } = order;
      const { lossMax } = this.#dailyLimits.get(keyId) as DailyLimits;
      if (tradeId !== null) {
        const before = this.#losses.get(keyId) ?? 0;
        const after = Math.max(0, before + loss);
        this.#losses.set(keyId, after);
        const isAt = (amount: number): boolean => lossMax !== null && amount > 0 && amount >= lossMax;
        if (isAt(after) && !isAt(before)) breached.push({ id: tradeId, account, keyId });
      }
      if (status !== 'open' && status !== 'partially_filled') {
        this.#limited = this.#limited.filter((each) => each !== order);
        this.#counted.push({ keyId, day: order.day, notional: Math.ceil(dollars(filledNotional, order.rate)) });
      }
    }
    return breached;
  }

  #hold(
    book: string,
    kind: 'order' | 'amendment',
    wanted: OrderAdmission | AmendmentAdmission,
    quantity: number,
    price: number | null,
  ): void {
    const { id, account, reserveAsset, allowanceAsset, positionAsset } = wanted;
    const assets = [reserveAsset, allowanceAsset, positionAsset] as const;
    const amounts = [
      wanted.reserve,
      allowanceAsset === null ? 0 : wanted.allowance,
      positionAsset === null ? 0 : wanted.position,
    ] as const;
    const reservation: Reservation = { kind, id, book, account, assets, amounts: [0, 0, 0], quantity, price };
    this.#reservations.push(reservation);
    for (const [at, asset] of assets.entries())
      if (asset !== null) this.#open(account, asset).available -= amounts[at] as number;
    this.#rehold(reservation, amounts);
  }

  #reserveLots(
    { id, account, reserveAsset, reserve }: OrderAdmission | AmendmentAdmission,
    reserved: ReservedLot[],
  ): void {
    let wanted = reserve;
    const idsOfAccount = new Set(this.#reservations.filter((each) => each.account === account).map((each) => each.id));
    const count = (): number => reserved.filter(({ reservationId }) => idsOfAccount.has(reservationId)).length;
    for (const lot of this.#lotsOf(account, reserveAsset)) {
      const quantity = Math.min(wanted, lot.quantity - lot.reserved);
      if (quantity === 0 || count() === this.#limits.lotsPerAccountMax) continue;
      lot.reserved += quantity;
      wanted -= quantity;
      this.#shares.push({ reservationId: id, lotId: lot.id, quantity });
      const { restrictionEndsAt, offeringType } = lot;
      reserved.push({ reservationId: id, lotId: lot.id, quantity, restrictionEndsAt, offeringType });
    }
  }

  #settle(batch: BookBatch, chunk: SettlementChunk): void {
    const sales = this.#salesOf(batch, chunk);
    const rate = this.#rates.get(batch.quoteAsset) ?? null;
    for (const { account, asset, sold, bought } of chunk.balances) {
      const balance = this.#open(account, asset);
      const total = balance.available + balance.held;
      if (sold > 0 && total > 0) balance.cost -= Math.floor((balance.cost * sold) / total);
      balance.cost += Math.ceil(dollars(bought, rate));
    }
    for (const { reservationId, lotId, consumed, released } of chunk.lotMoves) {
      const lot = this.lots.find(({ id }) => id === lotId) as Mutable<LotRecord>;
      const share = this.#shares.find((each) => each.reservationId === reservationId && each.lotId === lotId);
      lot.cost -= Math.floor((lot.cost * consumed) / lot.quantity);
      lot.quantity -= consumed;
      lot.reserved -= consumed + released;
      if (share !== undefined) share.quantity -= consumed + released;
    }
    this.#shares = this.#shares.filter(({ quantity }) => quantity > 0);
    this.#removeSpentLots();
    for (const lot of chunk.lots) {
      this.lots.push({ ...lot, asset: batch.baseAsset, reserved: 0, cost: Math.ceil(dollars(lot.cost, rate)) });
      this.#bought.add(lot.id);
    }
    const breached = this.#settleLimited(chunk, sales);
    for (const { id, reserve, allowance, position, status, code } of chunk.orders) {
      this.#rehold(this.#reservation(id), [reserve, allowance, position]);
      if (status === 'open' || status === 'partially_filled') continue;
      this.#reservations = this.#reservations.filter((each) => each.id !== id);
      if (code !== 'UNAVAILABLE') continue;
      for (const [key, orderId] of this.#clientOrderIds) if (orderId === id) this.#clientOrderIds.delete(key);
    }
    for (const id of chunk.amendments) this.#rehold(this.#reservation(id), [0, 0, 0]);
    this.#reservations = this.#reservations.filter(
      ({ kind, id, amounts }) =>
        kind === 'order' ||
        amounts.some((amount) => amount > 0) ||
        this.#shares.some(({ reservationId }) => reservationId === id) ||
        !(chunk.amendments.includes(id) || chunk.lotMoves.some(({ reservationId }) => reservationId === id)),
    );
    for (const { account, asset, available } of chunk.balances) this.#open(account, asset).available += available;
    this.#keepUnsettled(batch, chunk);
    this.#holdLosses(batch, chunk);
    for (const { id, account, keyId } of breached) {
      const books = this.openBooks(account);
      if (books.length > 0) this.#pending.push({ id, account, keyIds: [keyId], books });
    }
  }

  #rehold(reservation: Reservation, amounts: Reservation['amounts']): void {
    const before = reservation.amounts;
    for (const [at, asset] of reservation.assets.entries())
      if (asset !== null)
        this.#open(reservation.account, asset).held += (amounts[at] as number) - (before[at] as number);
    reservation.amounts = amounts;
  }

  #own({ book, owner, previousOwner }: TakeOwnership): OwnOutcome {
    const fence = this.#fence(book);
    const { batch, settled } = fence;
    if (fence.owner !== previousOwner && fence.owner !== owner)
      return { type: 'fenced', owner: fence.owner, batch, settled };
    if (fence.owner !== owner) this.#fences.set(book, { ...fence, owner, outcome: null });
    const admitted = fence.admitted.flatMap((id): UnjournaledHold[] => {
      const held = this.#reservations.find((each) => each.id === id);
      if (held === undefined) return [];
      const { kind, account, assets, amounts, quantity, price } = held;
      return [
        {
          kind,
          id,
          account,
          reserveAsset: assets[0],
          reserve: amounts[0],
          allowanceAsset: assets[1],
          allowance: amounts[1],
          positionAsset: assets[2],
          position: amounts[2],
          quantity,
          price,
          lots: this.#shares
            .filter(({ reservationId }) => reservationId === id)
            .map((share) => ({ lotId: share.lotId, quantity: share.quantity })),
        },
      ];
    });
    return { type: 'taken', batch, settled, admitted, market: this.#market(book), venueHalted: this.#isHalted };
  }

  /** Between available and held. */
  #move({ account, asset }: OpenTransferRequest, amount: number): void {
    const balance = this.#open(account, asset);
    balance.available -= amount;
    balance.held += amount;
  }

  #decide({ request: id, account, decision, cost, createdAt }: TransferDecision): LedgerOutcome {
    const request = this.#requests.find((open) => open.id === id && open.account === account);
    if (request === undefined) return { type: 'not_open' };
    const { state: from, type, asset, amount } = request;
    const isApproval = from === 'requested' && decision === 'approve';
    const isEnd = decision === 'reject' || (from === 'requested' ? decision === 'cancel' : decision === 'execute');
    if (!isApproval && !isEnd) return { type: 'not_allowed', from };
    const isFurther = isApproval || decision === 'execute';
    if (isFurther && this.#factsOf(account).frozen) return { type: 'account_frozen' };
    const others = this.#requests.filter((open) => open !== request);
    if (isApproval) {
      this.#requests = this.#requests.map((open) => (open === request ? { ...open, state: 'approved' } : open));
      return { type: 'done', request, state: 'approved', moved: null };
    }
    if (type === 'withdrawal') this.#move(request, -amount);
    let moved: Pick<Extract<TransferOutcome, { type: 'done' }>, 'before' | 'after'> | null = null;
    if (decision === 'execute') {
      const terms = { kind: 'transfer', id, type, account, asset, amount, cost, createdAt, reference: null } as const;
      const outcome = this.#transfer({ ...terms, tracksLots: false, lots: [], event: null });
      if (outcome.type !== 'done') {
        if (type === 'withdrawal') this.#move(request, amount);
        return outcome;
      }
      moved = { before: outcome.before, after: outcome.after };
    }
    this.#requests = others;
    const state = decision === 'reject' ? 'rejected' : decision === 'execute' ? 'executed' : 'cancelled';
    return { type: 'done', request, state, moved };
  }

  unsettled(place: UnsettledPlace): number | null {
    return this.#unsettledAt(place)?.amount ?? null;
  }

  #unsettledAt({ account, asset, kind, settlesOn }: UnsettledPlace): Mutable<UnsettledSum> | undefined {
    return this.#unsettled.find(
      (each) => each.account === account && each.asset === asset && each.kind === kind && each.settlesOn === settlesOn,
    );
  }

  #unsettledShares(account: string, asset: string): number {
    return this.#unsettled
      .filter((each) => each.account === account && each.asset === asset && each.kind === 'shares')
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  #keepUnsettled({ baseAsset, quoteAsset }: BookBatch, { trades }: SettlementChunk): void {
    for (const { buyer, seller, quantity, notional, sellerFee, settlesOn } of trades) {
      if (settlesOn == null) continue;
      const waiting: UnsettledSum =
        buyer === CLEARING
          ? { account: seller, asset: quoteAsset, kind: 'cash', settlesOn, amount: notional - sellerFee }
          : { account: buyer, asset: baseAsset, kind: 'shares', settlesOn, amount: quantity };
      this.#open(waiting.account, waiting.asset);
      const before = this.#unsettledAt(waiting);
      if (before === undefined) this.#unsettled.push(waiting);
      else before.amount += waiting.amount;
    }
  }

  #transfer({ type, account, asset, amount, cost, tracksLots, lots }: Transfer): TransferOutcome {
    if (this.balances.has(`boundary:issuance ${asset}`)) return { type: 'goes_by_register' };
    const { available, held, cost: costBefore } = this.balance(account, asset);
    const sign = type === 'deposit' ? 1 : -1;
    const before = { available, held };
    if (available + sign * amount < 0) return { type: 'insufficient_balance', required: amount, available };
    const settled = available - this.#unsettledShares(account, asset);
    if (type === 'withdrawal' && settled < amount)
      return { type: 'unsettled', required: amount, available: Math.max(0, settled) };
    const isOpen = this.balances.has(`${account} ${asset}`);
    if (!isOpen && this.balances.size >= this.#limits.balancesMax) return { type: 'ledger_full' };
    const tooMany = type === 'deposit' ? this.#lotsRefusal(asset, [[account, lots.length]]) : null;
    if (tooMany !== null) return tooMany;
    this.#open(type === 'deposit' ? 'boundary:deposits' : 'boundary:withdrawals', asset).available -= sign * amount;
    const balance = this.#open(account, asset);
    balance.available += sign * amount;
    balance.cost += type === 'deposit' ? cost : -Math.floor((costBefore * amount) / (available + held));
    const lotIds: string[] = lots.map(({ id }) => id);
    for (const lot of lots) this.lots.push({ ...lot, account, asset, reserved: 0 });
    if (tracksLots && type === 'withdrawal') lotIds.push(...this.#takeOldest(account, asset, amount));
    this.#removeSpentLots();
    return { type: 'done', before, after: { available: available + sign * amount, held }, lotIds };
  }

  #enterRegister({ asset, legs }: RegisterEntry): RegisterEntryOutcome {
    if (legs.reduce((sum, { change }) => sum + change, 0) !== 0) return { type: 'malformed', detail: 'unbalanced' };
    const isHeld = [...this.balances.values()].some(
      (each) => each.asset === asset && !each.account.startsWith('boundary:') && each.available + each.held > 0,
    );
    if (!this.balances.has(`boundary:issuance ${asset}`) && isHeld) return { type: 'has_deposits' };
    if (this.#isSplitting(asset)) return { type: 'split_under_way' };
    for (const { account, change } of legs) {
      const { available } = this.balance(account, asset);
      if (account !== 'boundary:issuance' && available + change < 0)
        return { type: 'insufficient_balance', account, required: -change, available };
    }
    const brought = legs.map(({ account, lots }): [string, ReceivedLot[]] => [account, asOneADay(lots)]);
    const tooMany = this.#lotsRefusal(
      asset,
      brought.map(([account, lots]) => [account, lots.length]),
    );
    if (tooMany !== null) return tooMany;
    this.#open('boundary:issuance', asset);
    const lotIds: string[] = [];
    for (const [at, { account, change }] of legs.entries()) {
      const lots = brought[at]?.[1] ?? [];
      const balance = this.#open(account, asset);
      if (change < 0 && !account.startsWith('boundary:')) {
        balance.cost -= Math.floor((balance.cost * -change) / (balance.available + balance.held));
        lotIds.push(...this.#takeOldest(account, asset, -change));
      }
      balance.available += change;
      for (const lot of lots) {
        balance.cost += lot.cost;
        this.lots.push({ ...lot, asset, reserved: 0 });
        lotIds.push(lot.id);
      }
    }
    this.#removeSpentLots();
    return { type: 'done', lotIds };
  }

  #lotsRefusal(
    asset: string,
    added: readonly (readonly [account: string, count: number])[],
  ): { type: 'ledger_full' } | TooManyLots | null {
    const { lotsMax, lotsForGuaranteed, lotsPerSecurityMax, lotsGuaranteedPerSecurity } = this.#limits;
    const { lotsHeldPerAccountMax, lotsGuaranteedPerAccount } = this.#limits;
    const total = added.reduce((sum, [, count]) => sum + count, 0);
    if (total === 0) return null;
    if (this.lots.length + total > lotsMax) return { type: 'ledger_full' };
    const free = lotsMax - this.lots.length - lotsForGuaranteed;
    const ofSecurity = Math.min(lotsPerSecurityMax, Math.max(lotsGuaranteedPerSecurity, free));
    const refusal = { type: 'too_many_lots', of: 'security', account: null, lotsMax: ofSecurity } as const;
    if (this.lots.filter(({ id, asset: of }) => of === asset && !this.#bought.has(id)).length + total > ofSecurity)
      return refusal;
    const ofAccount = Math.min(lotsHeldPerAccountMax, Math.max(lotsGuaranteedPerAccount, free));
    for (const [account, count] of added)
      if (this.lots.filter((lot) => lot.account === account).length + count > ofAccount)
        return { type: 'too_many_lots', of: 'account', account, lotsMax: ofAccount };
    return null;
  }

  /** No stream has so many accounts that a split takes a second part. */
  #split({ split, asset, step }: Split): SplitOutcome {
    const last = this.#splits.get(asset);
    const under = last?.terms ?? null;
    const nothing = { type: 'done', part: 0, isOver: false, changes: [], lotIds: [] } as const;
    if (last?.split === split && under === null) return { type: 'over' };
    if (step.type !== 'begin') {
      if (under === null || last?.split !== split) return { type: 'not_under_way' };
      if (step.type === 'give_up') {
        this.#splits.delete(asset);
        return nothing;
      }
      if (step.part !== 1) return { type: 'not_next', part: 0 };
      if (under.into !== undefined && !this.#hasRoom(asset, under.into.asset)) return { type: 'ledger_full' };
      this.#splits.set(asset, { split, terms: null });
      return this.#carryOutSplit(asset, under);
    }
    if (under !== null) return last?.split === split ? nothing : { type: 'under_way' };
    const into = step.into ?? null;
    if (step.from === step.to || (into !== null && (step.to !== 0 || into.asset === asset)))
      return { type: 'malformed' };
    if (this.#isSplitting(asset) || (into !== null && this.#isSplitting(into.asset))) return { type: 'under_way' };
    for (const each of [asset, into?.asset ?? asset])
      if (!this.balances.has(`boundary:issuance ${each}`)) return { type: 'no_register' };
    if (this.balance('boundary:register', asset).available !== step.register.from) return { type: 'register_differs' };
    if (into !== null && !this.#hasRoom(asset, into.asset)) return { type: 'ledger_full' };
    const { type: _, books: __, ...terms } = step;
    this.#splits.set(asset, { split, terms });
    return nothing;
  }

  #isSplitting(asset: string): boolean {
    return [...this.#splits].some(([of, { terms }]) => terms !== null && (of === asset || terms.into?.asset === asset));
  }

  #hasRoom(asset: string, into: string): boolean {
    const holders = [...this.balances.values()].filter(
      (each) => each.asset === asset && !each.account.startsWith('boundary:') && each.available > 0,
    );
    const accounts = ['boundary:register', ...holders.map(({ account }) => account)];
    const missing = accounts.filter((account) => !this.balances.has(`${account} ${into}`));
    return this.balances.size + missing.length <= this.#limits.balancesMax;
  }

  /** What holders get is issued to them by itself, before all that they have ends. */
  #convert({ asset, register, restrictionEndsAt, regulation, ...ratio }: Conversion, ended: string): SplitChange[] {
    const got: SplitChange[] = [];
    for (const balance of [...this.balances.values()]) {
      if (balance.asset !== ended || balance.account.startsWith('boundary:') || balance.available === 0) continue;
      const lots = this.#lotsOf(balance.account, ended);
      const quantities = splitQuantities(
        lots.map(({ quantity }) => quantity),
        ratio,
      );
      const change = quantities.reduce((sum, quantity) => sum + quantity, 0);
      if (change === 0) continue;
      const left = lots.filter((_, at) => quantities[at] === 0).reduce((sum, { cost }) => sum + cost, 0);
      const oldest = quantities.findIndex((quantity) => quantity > 0);
      const target = this.#open(balance.account, asset);
      target.available += change;
      target.cost += balance.cost;
      got.push({ account: balance.account, change });
      for (const [at, lot] of lots.entries()) {
        const quantity = quantities[at] as number;
        const ends = Math.max(lot.restrictionEndsAt ?? 0, restrictionEndsAt ?? 0);
        const cost = at === oldest ? lot.cost + left : lot.cost;
        const ofBefore = { restrictionEndsAt: ends === 0 ? null : ends, offeringType: lot.offeringType };
        const terms = regulation === undefined ? ofBefore : convertedTerms(lot, { regulation, restrictionEndsAt });
        this.lots.push({ ...lot, asset, quantity, cost, ...terms });
      }
    }
    if (register > 0) {
      this.#open('boundary:register', asset).available += register;
      got.push({ account: 'boundary:register', change: register });
    }
    this.#open('boundary:issuance', asset).available -= got.reduce((sum, { change }) => sum + change, 0);
    return got;
  }

  #carryOutSplit(asset: string, { from, to, fractions, register, into }: SplitTerms): SplitOutcome {
    const got = into === undefined ? null : this.#convert(into, asset);
    const changes: SplitChange[] = [];
    const lotIds: string[] = [];
    for (const balance of this.balances.values()) {
      if (balance.asset !== asset || balance.account.startsWith('boundary:')) continue;
      const lots = this.#lotsOf(balance.account, asset);
      const quantities = splitQuantities(
        lots.map(({ quantity }) => quantity),
        { from, to, fractions },
      );
      const units = quantities.reduce((sum, quantity) => sum + quantity, 0);
      if (units === balance.available) continue;
      changes.push({ account: balance.account, change: units - balance.available });
      balance.available = units;
      for (const [at, lot] of lots.entries()) lot.quantity = quantities[at] as number;
      const kept = lots.find((lot) => lot.quantity > 0);
      for (const lot of lots) if (kept !== undefined && lot.quantity === 0) kept.cost += lot.cost;
      if (kept === undefined) balance.cost = 0;
      lotIds.push(...lots.map((lot) => lot.id));
    }
    this.#removeSpentLots();
    if (register.to !== register.from) {
      this.#open('boundary:register', asset).available = register.to;
      changes.push({ account: 'boundary:register', change: register.to - register.from });
    }
    this.#open('boundary:issuance', asset).available -= changes.reduce((sum, { change }) => sum + change, 0);
    const done = { type: 'done', part: 1, isOver: true, changes, lotIds } as const;
    return got === null || into === undefined ? done : { ...done, converted: { asset: into.asset, changes: got } };
  }

  /** @returns the lots that gave something */
  #takeOldest(account: string, asset: string, quantity: number): string[] {
    let wanted = quantity;
    return this.#lotsOf(account, asset).flatMap((lot) => {
      const taken = Math.min(wanted, lot.quantity - lot.reserved);
      if (taken === 0) return [];
      lot.cost -= Math.floor((lot.cost * taken) / lot.quantity);
      lot.quantity -= taken;
      wanted -= taken;
      return lot.id;
    });
  }

  #grant({ account, asset, amount, expect }: Grant): ChangeOutcome {
    const isAsExpected = expect.every((each) => {
      const { available, held } = this.balance(each.account, each.asset);
      return available === each.available && held === each.held;
    });
    const isFull = !this.balances.has(`${account} ${asset}`) && this.balances.size >= this.#limits.balancesMax;
    if (!isAsExpected || isFull || this.balance(account, asset).available + amount < 0)
      return { type: 'stale', version: 0 };
    this.#open('boundary:limits', asset).available -= amount;
    this.#open(account, asset).available += amount;
    return { type: 'done', version: 0, cancelIn: [] };
  }

  #changeFacts({ id, account, expectedVersion, facts, cancelsOrders }: FactsChange): ChangeOutcome {
    const { version, frozen } = this.#factsOf(account);
    if (version !== expectedVersion) return { type: 'stale', version };
    this.#facts.set(account, { version: version + 1, frozen: facts === null ? frozen : facts.frozen });
    const cancelIn = cancelsOrders ? this.#cancelIn(id, account, null) : [];
    return { type: 'done', version: version + 1, cancelIn };
  }

  #changeFamily(change: FamilyChange): FamilyOutcome {
    const { id, account, relative } = change;
    const [one, other] = [this.#factsOf(account), this.#factsOf(relative)];
    if (one.version !== change.expectedVersion || other.version !== change.expectedRelativeVersion)
      return { type: 'stale' };
    this.#facts.set(account, { ...one, version: one.version + 1 });
    this.#facts.set(relative, { ...other, version: other.version + 1 });
    const both = [...this.openBooks(account), ...this.openBooks(relative)];
    const books = change.change.type === 'ended' ? both.filter((book, at) => both.indexOf(book) === at) : [];
    if (books.length > 0) this.#pending.push({ id, account, keyIds: null, relative, books });
    return { type: 'done', version: one.version + 1, relativeVersion: other.version + 1, cancelIn: books };
  }

  #cancelIn(id: string, account: string, keyIds: readonly string[] | null): string[] {
    const books = this.openBooks(account);
    if (books.length > 0) this.#pending.push({ id, account, keyIds, books });
    return books;
  }

  #confirmed(id: string, book: string): RecordOutcome {
    const pending = this.#pending.find((each) => each.id === id);
    if (pending === undefined || !pending.books.includes(book)) return { type: 'exists' };
    this.#pending = this.#pending
      .map((each) => (each === pending ? { ...each, books: each.books.filter((symbol) => symbol !== book) } : each))
      .filter(({ books }) => books.length > 0);
    return { type: 'done' };
  }

  #remember(id: string, account: string, clientOrderId: string | null): void {
    this.#known.add(id);
    const key = `${account} ${clientOrderId}`;
    if (clientOrderId !== null && !this.#clientOrderIds.has(key)) this.#clientOrderIds.set(key, id);
  }

  #factsOf(account: string): { version: number; frozen: boolean } {
    return this.#facts.get(account) ?? { version: 1, frozen: false };
  }

  #market(symbol: string): { version: number; status: MarketStatus } {
    return this.#markets.get(symbol) ?? { version: 1, status: 'open' };
  }

  #fence(book: string) {
    return this.#fences.get(book) ?? { owner: '', batch: 0, settled: 0, admitted: [], outcome: null };
  }

  #reservation(id: string): Reservation {
    const found = this.#reservations.find((each) => each.id === id);
    if (found === undefined) throw new Error(`${id} holds nothing`);
    return found;
  }

  #open(account: string, asset: string): Mutable<Balance> {
    const key = `${account} ${asset}`;
    const found = this.balances.get(key) ?? { account, asset, available: 0, held: 0, cost: 0 };
    this.balances.set(key, found);
    return found;
  }

  /** Oldest first; of one age by the UUID, then by the number after it. */
  #lotsOf(account: string, asset: string): Mutable<LotRecord>[] {
    const numberOf = (id: string): number => Number(id.split('.')[1] ?? -1);
    return this.lots
      .filter((lot) => lot.account === account && lot.asset === asset)
      .sort((a, b) => {
        const [first, second] = [a.id.split('.')[0] as string, b.id.split('.')[0] as string];
        if (a.acquiredAt !== b.acquiredAt) return a.acquiredAt - b.acquiredAt;
        return first === second ? numberOf(a.id) - numberOf(b.id) : first < second ? -1 : 1;
      });
  }

  #removeSpentLots(): void {
    for (let at = this.lots.length - 1; at >= 0; at--) if (this.lots[at]?.quantity === 0) this.lots.splice(at, 1);
  }
}

function refusalOf(id: string, refusal: AdmissionRefusal, available: number): RefusedAdmission {
  return { id, refusal, available, required: 0, existingId: null };
}

/** Of amounts so small that nothing is lost. */
function dollars(amount: number, rate: Rate): number {
  return rate === null ? amount : (amount * rate.numerator) / rate.denominator;
}

/** Of the whole, rounded as one; what is left over goes to the largest remainders, of equal ones to the first. */
function splitQuantities(quantities: readonly number[], { from, to, fractions }: SplitRatio): number[] {
  const exact = (quantities.reduce((sum, quantity) => sum + quantity, 0) * to) / from;
  const units = fractions === 'round_up' ? Math.ceil(exact) : Math.floor(exact);
  const parts = quantities.map((quantity) => Math.floor((quantity * to) / from));
  const short = units - parts.reduce((sum, part) => sum + part, 0);
  const byRemainder = quantities.map((quantity, at) => ({ at, rest: (quantity * to) % from }));
  byRemainder.sort((one, other) => other.rest - one.rest || one.at - other.at);
  for (const { at } of byRemainder.slice(0, short)) parts[at] = (parts[at] as number) + 1;
  return parts;
}

/** Rows of one date, restriction and offering are one lot. */
function asOneADay(lots: readonly ReceivedLot[]): ReceivedLot[] {
  const days: ReceivedLot[] = [];
  for (const lot of lots) {
    const at = days.findIndex(
      (each) =>
        each.acquiredAt === lot.acquiredAt &&
        each.restrictionEndsAt === lot.restrictionEndsAt &&
        each.offeringType === lot.offeringType,
    );
    const same = days[at];
    if (same === undefined) days.push(lot);
    else days[at] = { ...same, quantity: same.quantity + lot.quantity, cost: same.cost + lot.cost };
  }
  return days;
}
