import type { Side } from '../../../domain/orders/order.ts';

/** Event types of a LOBSTER message file. `cross` is an auction's trade, which newer files have. */
export const MESSAGE_TYPE = {
  submission: 1,
  reduction: 2,
  deletion: 3,
  execution: 4,
  hidden_execution: 5,
  cross: 6,
  halt: 7,
} as const;

/** One line of a LOBSTER message file. */
export interface LobsterMessage {
  /** Milliseconds after midnight, whole. */
  readonly time_ms: number;
  readonly type: number;
  readonly orderId: string;
  readonly size: number;
  /** Price × 10,000. */
  readonly price: number;
  /** Side of the resting order, in an execution too. */
  readonly side: Side;
}

const TYPES: ReadonlySet<number> = new Set(Object.values(MESSAGE_TYPE));

/** The lines of a LOBSTER message file. Throws with the line that is no message. */
export function parseMessages(text: string): LobsterMessage[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line, index) => {
      const fields = line.trimEnd().split(',');
      const [time, type, , size, price, direction] = fields.map(Number);
      const orderId = fields[2];
      const isMessage =
        time !== undefined &&
        type !== undefined &&
        TYPES.has(type) &&
        orderId !== undefined &&
        Number.isSafeInteger(size) &&
        Number.isSafeInteger(price) &&
        (direction === 1 || direction === -1);
      if (!isMessage) throw new Error(`line ${index + 1} of the message file is no LOBSTER message: ${line}`);
      return {
        time_ms: Math.floor(time * 1_000),
        type,
        orderId,
        size: size ?? 0,
        price: price ?? 0,
        side: direction === 1 ? 'buy' : 'sell',
      };
    });
}

/** Whether the message changes what the book shows: hidden executions, auctions and halts do not. */
export function changesBook({ type }: LobsterMessage): boolean {
  return type <= MESSAGE_TYPE.execution;
}

/** What the message adds to the quantity shown at its price. */
export function quantityChange(message: LobsterMessage): number {
  if (!changesBook(message)) return 0;
  return message.type === MESSAGE_TYPE.submission ? message.size : -message.size;
}
