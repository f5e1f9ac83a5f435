/**
 * A deterministic stream of order flow for the engine's bench: 45 % limit orders, 45 % cancels, 10 % immediate-or-cancel orders that
 * cross. Limits lie around a middle price that wanders, their distance to it exponentially distributed. A deeper book reaches further,
 * and has more orders at a price and of an account: about 15 and 10 at a thousand resting, 70 and 100 at a hundred thousand. A crossing
 * order wants half of what an average order has. A cancel picks any earlier limit that no other has picked; one in ten of those is
 * filled by then, and so the number of resting orders stays about what it is.
 */
export type StreamRow =
  | readonly [kind: 'limit' | 'ioc', id: string, side: 'buy' | 'sell', account: string, price: number, quantity: number]
  | readonly [kind: 'cancel', id: string];

const MIDDLE_PRICE = 1_000_000;
const QUANTITY_MAX = 200;

export class OrderStream {
  private seed: number;
  private middle = MIDDLE_PRICE;
  private readonly spread: number;
  private readonly accounts: number;
  private readonly cancellable: string[] = [];

  /** For a book of about `resting` orders. */
  constructor(resting: number, seed: number) {
    const thousands = resting / 1_000;
    this.spread = 5 * thousands ** (2 / 3);
    this.accounts = 50 * thousands ** (1 / 2);
    this.seed = seed;
  }

  /** Limit orders to fill a book with. */
  fill(count: number): StreamRow[] {
    return Array.from({ length: count }, () => this.limit());
  }

  /** The mixed flow. */
  flow(count: number): StreamRow[] {
    return Array.from({ length: count }, () => {
      if (this.random() < 0.02 / this.spread) this.middle += this.random() < 0.5 ? 1 : -1;
      const kind = this.random();
      if (kind < 0.45) return this.limit();
      return kind < 0.9 ? this.cancel() : this.crossing();
    });
  }

  private limit(): StreamRow {
    const side = this.side();
    const distance = 1 + Math.floor(-Math.log(1 - this.random()) * this.spread);
    const id = this.uuid();
    this.cancellable.push(id);
    const price = side === 'buy' ? this.middle - distance : this.middle + distance;
    return ['limit', id, side, this.account(side), price, this.upTo(QUANTITY_MAX)];
  }

  private cancel(): StreamRow {
    const at = Math.floor(this.random() * this.cancellable.length);
    const id = this.cancellable[at]!;
    this.cancellable[at] = this.cancellable.at(-1)!;
    this.cancellable.pop();
    return ['cancel', id];
  }

  private crossing(): StreamRow {
    const side = this.side();
    const reach = Math.ceil(this.spread / 2);
    const price = side === 'buy' ? this.middle + reach : this.middle - reach;
    return ['ioc', this.uuid(), side, this.account(side), price, this.upTo(QUANTITY_MAX / 2)];
  }

  private side(): 'buy' | 'sell' {
    return this.random() < 0.5 ? 'buy' : 'sell';
  }

  /** Buyers and sellers are different accounts: no order meets one of its own, which the two engines would treat differently. */
  private account(side: 'buy' | 'sell'): string {
    return `${side}er-${this.upTo(this.accounts)}`;
  }

  private upTo(max: number): number {
    return 1 + Math.floor(this.random() * max);
  }

  private uuid(): string {
    const digits = (count: number) =>
      Math.floor(this.random() * 2 ** (4 * count))
        .toString(16)
        .padStart(count, '0');
    return `${digits(8)}-${digits(4)}-7${digits(3)}-8${digits(3)}-${digits(6)}${digits(6)}`;
  }

  /** mulberry32. */
  private random(): number {
    this.seed = (this.seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.seed ^ (this.seed >>> 15), 1 | this.seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
