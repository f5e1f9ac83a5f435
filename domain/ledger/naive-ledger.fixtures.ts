import type { Balance } from './balances.ts';
import type { LotRecord } from './journal-row.ts';
import type { LedgerLimits } from './ledger-state.ts';
import type {
  AdmissionRefusal,
  BatchOutcome,
  ChangeOutcome,
  LedgerOutcome,
  OwnOutcome,
  PendingCancellation,
  RecordOutcome,
  RefusedAdmission,
  ReservationRow,
  ReservedLot,
  TransferOutcome,
  UnjournaledHold,
} from './outcomes.ts';
import type { AmendmentAdmission, OrderAdmission, SettlementChunk } from './records.ts';
import type { BookBatch, FactsChange, Grant, LedgerTransaction, TakeOwnership, Transfer } from './transactions.ts';

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

type Mutable<T> = { -readonly [Field in keyof T]: T[Field] };

/** Plain objects that are looked for from end to end: the ledger as one would explain it. It never forgets an id, and checks no effects. */
export class NaiveLedger {
  readonly balances = new Map<string, Mutable<Balance> & { readonly account: string; readonly asset: string }>();
  readonly lots: Mutable<LotRecord>[] = [];
  #reservations: Reservation[] = [];
  #shares: { readonly reservationId: string; readonly lotId: string; quantity: number }[] = [];
  #limits: LedgerLimits;
  readonly #known = new Set<string>();
  readonly #clientOrderIds = new Map<string, string>();
  readonly #facts = new Map<string, { version: number; frozen: boolean }>();
  readonly #revokedKeys = new Set<string>();
  readonly #markets = new Map<string, { version: number; isOpen: boolean }>();
  readonly #fences = new Map<
    string,
    { owner: string; batch: number; settled: number; admitted: readonly string[]; outcome: BatchOutcome | null }
  >();
  #pending: PendingCancellation[] = [];
  #isHalted = false;

  constructor(limits: LedgerLimits) {
    this.#limits = limits;
  }

  apply(transaction: LedgerTransaction, backlogged: boolean): LedgerOutcome {
    switch (transaction.kind) {
      case 'batch':
        return this.#batch(transaction, backlogged);
      case 'own':
        return this.#own(transaction);
      case 'transfer':
        return this.#transfer(transaction);
      case 'grant':
        return this.#grant(transaction);
      case 'facts':
        return this.#changeFacts(transaction);
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
        const isOpen = transaction.rules.status === 'open';
        this.#markets.set(transaction.symbol, { version: version + 1, isOpen });
        return { type: 'done', version: version + 1, cancelIn: [] };
      }
      case 'venue':
        this.#isHalted = transaction.halted;
        return { type: 'done', version: 0, cancelIn: [] };
      case 'rejected_order': {
        const { id, account, clientOrderId } = transaction.order;
        if (this.#known.has(id)) return { type: 'exists' };
        this.#remember(id, account, clientOrderId);
        return { type: 'done' };
      }
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

  #batch(batch: BookBatch, backlogged: boolean): BatchOutcome {
    const fence = this.#fence(batch.book);
    if (fence.owner === batch.owner && fence.batch === batch.batch && fence.outcome !== null) return fence.outcome;
    const isTurn = fence.batch + 1 === batch.batch && fence.settled === batch.settledFrom;
    if (fence.owner !== batch.owner || !isTurn)
      return { type: 'fenced', owner: fence.owner, batch: fence.batch, settled: fence.settled };
    for (const chunk of batch.chunks) this.#settle(batch, chunk);
    const refused: RefusedAdmission[] = [];
    const admitted: string[] = [];
    const lots: ReservedLot[] = [];
    const asked = [
      ...batch.orders.map((wanted) => ['order', wanted] as const),
      ...batch.amendments.map((wanted) => ['amendment', wanted] as const),
    ];
    for (const [kind, wanted] of asked) {
      const refusal =
        kind === 'order' ? this.#order(batch, wanted, backlogged) : this.#amendment(batch, wanted, backlogged);
      if (refusal !== null) refused.push(refusal);
      else if (kind === 'amendment' || wanted.code === null) {
        admitted.push(wanted.id);
        if (batch.tracksLots && wanted.reserveAsset === batch.baseAsset) this.#reserveLots(wanted, lots);
      }
    }
    const outcome: BatchOutcome = { type: 'landed', refused, lots };
    this.#fences.set(batch.book, {
      owner: batch.owner,
      batch: batch.batch,
      settled: batch.settledTo,
      admitted,
      outcome,
    });
    return outcome;
  }

  #order(batch: BookBatch, order: OrderAdmission, backlogged: boolean): RefusedAdmission | null {
    const { id, account, clientOrderId } = order;
    if (this.#known.has(id)) return refusalOf(id, 'exists', 0);
    if (order.code !== null) {
      this.#remember(id, account, clientOrderId);
      return null;
    }
    const existingId = clientOrderId === null ? undefined : this.#clientOrderIds.get(`${account} ${clientOrderId}`);
    if (existingId !== undefined) return { ...refusalOf(id, 'duplicate_client_order_id', 0), existingId };
    const refusal = this.#refusal(batch, order, order.keyId, backlogged);
    if (refusal !== null && ['stale', 'backlog', 'ledger_full'].includes(refusal.refusal)) return refusal;
    this.#remember(id, account, clientOrderId);
    if (refusal === null) this.#hold(batch.book, 'order', order, order.quantity, order.price);
    return refusal;
  }

  #amendment(batch: BookBatch, amendment: AmendmentAdmission, backlogged: boolean): RefusedAdmission | null {
    if (this.#known.has(amendment.id)) return refusalOf(amendment.id, 'exists', 0);
    const refusal = this.#refusal(batch, amendment, null, backlogged);
    if (refusal !== null) return refusal;
    this.#known.add(amendment.id);
    this.#hold(batch.book, 'amendment', amendment, 0, null);
    return null;
  }

  #refusal(
    { book, tracksLots }: BookBatch,
    wanted: OrderAdmission | AmendmentAdmission,
    keyId: string | null,
    backlogged: boolean,
  ): RefusedAdmission | null {
    const { id, account } = wanted;
    const facts = this.#factsOf(account);
    const market = this.#market(book);
    if (facts.frozen) return refusalOf(id, 'account_frozen', 0);
    if (keyId !== null && this.#revokedKeys.has(keyId)) return refusalOf(id, 'key_revoked', 0);
    if (this.#isHalted || !market.isOpen) return refusalOf(id, 'halted', 0);
    if (facts.version !== wanted.factsVersion || market.version !== wanted.rulesVersion)
      return refusalOf(id, 'stale', 0);
    if (backlogged) return refusalOf(id, 'backlog', 0);
    const { reservationsMax, balancesMax, lotsMax } = this.#limits;
    const isFull =
      this.#reservations.length >= reservationsMax ||
      this.balances.size >= balancesMax ||
      (tracksLots && this.lots.length >= lotsMax);
    if (isFull) return refusalOf(id, 'ledger_full', 0);
    const needs = [
      ['allowance', wanted.allowanceAsset, wanted.allowance],
      ['position', wanted.positionAsset, wanted.position],
      ['balance', wanted.reserveAsset, wanted.reserve],
    ] as const;
    for (const [refusal, asset, amount] of needs) {
      const available = asset === null ? 0 : this.balance(account, asset).available;
      if (asset !== null && amount > available) return refusalOf(id, refusal, available);
    }
    return null;
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
    for (const { account, asset, sold, bought } of chunk.balances) {
      const balance = this.#open(account, asset);
      const total = balance.available + balance.held;
      if (sold > 0 && total > 0) balance.cost -= Math.floor((balance.cost * sold) / total);
      balance.cost += bought;
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
    for (const lot of chunk.lots) this.lots.push({ ...lot, asset: batch.baseAsset, reserved: 0 });
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
    return { type: 'taken', batch, settled, admitted };
  }

  #transfer({ type, account, asset, amount, cost, tracksLots, lots }: Transfer): TransferOutcome {
    const { available, held, cost: costBefore } = this.balance(account, asset);
    const sign = type === 'deposit' ? 1 : -1;
    const before = { available, held };
    if (available + sign * amount < 0) return { type: 'insufficient_balance', required: amount, available };
    const isOpen = this.balances.has(`${account} ${asset}`);
    if (!isOpen && this.balances.size >= this.#limits.balancesMax) return { type: 'ledger_full' };
    const bringsLots = type === 'deposit' && lots.length > 0;
    if (bringsLots && this.lots.length + lots.length > this.#limits.lotsMax) return { type: 'ledger_full' };
    this.#open(type === 'deposit' ? 'boundary:deposits' : 'boundary:withdrawals', asset).available -= sign * amount;
    const balance = this.#open(account, asset);
    balance.available += sign * amount;
    balance.cost += type === 'deposit' ? cost : -Math.floor((costBefore * amount) / (available + held));
    const lotIds: string[] = lots.map(({ id }) => id);
    for (const lot of lots) this.lots.push({ ...lot, account, asset, reserved: 0 });
    let wanted = tracksLots && type === 'withdrawal' ? amount : 0;
    for (const lot of this.#lotsOf(account, asset)) {
      const taken = Math.min(wanted, lot.quantity - lot.reserved);
      if (taken === 0) continue;
      lot.cost -= Math.floor((lot.cost * taken) / lot.quantity);
      lot.quantity -= taken;
      wanted -= taken;
      lotIds.push(lot.id);
    }
    this.#removeSpentLots();
    return { type: 'done', before, after: { available: available + sign * amount, held }, lotIds };
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

  #market(symbol: string): { version: number; isOpen: boolean } {
    return this.#markets.get(symbol) ?? { version: 1, isOpen: true };
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
  return { id, refusal, available, existingId: null };
}
