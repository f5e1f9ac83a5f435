/** What only some orders have: a trigger, an expiry, a slice. */
export class OrderExtras {
  readonly slot: number;
  readonly stopPrice: number;
  readonly expiresAt: number;
  readonly displayQuantity: number;
  /** What an iceberg shows now. */
  displayed = 0;
  /** Position in the expiry heap, while it is there. */
  heapIndex = -1;

  constructor(slot: number, stopPrice: number, expiresAt: number, displayQuantity: number) {
    this.slot = slot;
    this.stopPrice = stopPrice;
    this.expiresAt = expiresAt;
    this.displayQuantity = displayQuantity;
  }
}
