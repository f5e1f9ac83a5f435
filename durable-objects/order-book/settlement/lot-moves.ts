import type { LotMove, ReceivedLot } from '../../../domain/ledger/records.ts';
import type { LotTerms } from '../../../domain/listing/listed-lot.ts';
import { mulDivFloor } from '../../../domain/money/arithmetic.ts';
import type { LedgerOrder, OrderLot } from '../admission/ledger-order.ts';

type GrowingLot = { -readonly [Field in keyof ReceivedLot]: ReceivedLot[Field] };

const UNRESTRICTED = { restrictionEndsAt: null, offeringType: null } as const;

/** What the fills and cancels of one chunk do to lots; nothing for a market whose base asset keeps none. */
export class LotMoves {
  /** What reservations gave up. */
  readonly moved: LotMove[] = [];
  readonly #tracksLots: boolean;
  readonly #time: number;
  /** By buying order, restriction and kind: fills of one order in one chunk make one lot. */
  readonly #lots = new Map<string, GrowingLot>();

  constructor(tracksLots: boolean, time_ms: number) {
    this.#tracksLots = tracksLots;
    this.#time = time_ms;
  }

  /** Lots that buyers received. */
  get received(): ReceivedLot[] {
    return [...this.#lots.values()];
  }

  /** Shares that were reserved and never belonged to a live order go back whole. */
  release(lots: readonly Pick<OrderLot, 'reservationId' | 'lotId' | 'quantity'>[]): void {
    for (const lot of lots) this.#move(lot, 0, lot.quantity);
  }

  /**
   * Oldest lots go first. The buyer's lot begins today but keeps the end and the kind of the restriction, because holding periods tack
   * to the shares (17 CFR 230.144(d), docs/design/matching.md#restricted-sells). What an issuer sells is bound by its own terms (`terms`).
   */
  handOver(
    seller: LedgerOrder,
    buyer: LedgerOrder,
    quantity: number,
    cost: number,
    tradeId: string,
    terms?: LotTerms,
  ): void {
    if (!this.#tracksLots) return;
    let costLeft = cost;
    this.#handOut(seller, quantity, (lot, taken, isLast) => {
      const share = isLast ? costLeft : mulDivFloor(cost, taken, quantity);
      this.#receive(buyer, terms ?? lot, taken, share, tradeId);
      costLeft -= share;
    });
  }

  /** Shares that leave by a broker, oldest lots first. */
  sendOut(seller: LedgerOrder, quantity: number): void {
    if (this.#tracksLots) this.#handOut(seller, quantity, () => undefined);
  }

  /** Shares that come in by a broker: a lot of today that nothing restricts. */
  takeIn(buyer: LedgerOrder, quantity: number, cost: number, tradeId: string): void {
    if (this.#tracksLots) this.#receive(buyer, UNRESTRICTED, quantity, cost, tradeId);
  }

  #handOut(seller: LedgerOrder, quantity: number, each: (lot: OrderLot, taken: number, isLast: boolean) => void): void {
    let wanted = quantity;
    while (wanted > 0) {
      const lot = seller.lots[0];
      if (lot === undefined) throw new Error(`order ${seller.orderId} has sold more than its lots`);
      const taken = Math.min(lot.quantity, wanted);
      this.#move(lot, taken, 0);
      each(lot, taken, taken === wanted);
      lot.quantity -= taken;
      if (lot.quantity === 0) seller.lots.shift();
      wanted -= taken;
    }
  }

  #receive(
    buyer: LedgerOrder,
    from: Pick<OrderLot, 'restrictionEndsAt' | 'offeringType'>,
    quantity: number,
    cost: number,
    tradeId: string,
  ): void {
    const restrictionEndsAt =
      from.restrictionEndsAt !== null && from.restrictionEndsAt > this.#time ? from.restrictionEndsAt : null;
    const key = `${buyer.orderId} ${restrictionEndsAt} ${from.offeringType}`;
    const lot = this.#lots.get(key);
    if (lot !== undefined) {
      lot.quantity += quantity;
      lot.cost += cost;
      return;
    }
    this.#lots.set(key, {
      id: `${tradeId}.${this.#lots.size}`,
      account: buyer.account,
      quantity,
      cost,
      acquiredAt: this.#time,
      restrictionEndsAt,
      offeringType: from.offeringType,
    });
  }

  #move({ reservationId, lotId }: Pick<OrderLot, 'reservationId' | 'lotId'>, consumed: number, released: number): void {
    this.moved.push({ reservationId, lotId, consumed, released });
  }

  /** The newest reserved lots go back first, so that the oldest stay in the order. */
  giveBack(lots: OrderLot[], quantity: number): void {
    let left = this.#tracksLots ? quantity : 0;
    while (left > 0) {
      const lot = lots.at(-1);
      if (lot === undefined) return;
      const given = Math.min(lot.quantity, left);
      this.#move(lot, 0, given);
      lot.quantity -= given;
      if (lot.quantity === 0) lots.pop();
      left -= given;
    }
  }
}
