import type { Side } from '../../../domain/orders/order.ts';
import { changesBook, type LobsterMessage, MESSAGE_TYPE } from './message.ts';

/** What a whole message file says of one order. */
export interface OrderStory {
  readonly orderId: string;
  readonly side: Side;
  readonly price: number;
  /** Step of its submission; null for a stranger: an order that came before the file or out of its view. */
  readonly submittedAt: number | null;
  /** Quantity of its submission; 0 for a stranger. */
  readonly submitted: number;
  /** Reductions, deletion and executions, in the order of the file. */
  readonly named: { readonly step: number; readonly size: number }[];
  firstExecutedAt: number;
  /** Whether the file deletes it; then it never had more than what the messages name. */
  deleted: boolean;
}

/** Stories by order id, in the order in which the file first names the orders. */
export function orderStories(messages: readonly LobsterMessage[]): Map<string, OrderStory> {
  const stories = new Map<string, OrderStory>();
  for (const [step, message] of messages.entries()) {
    if (!changesBook(message)) continue;
    const { orderId, side, price, size, type } = message;
    let story = stories.get(orderId);
    if (story === undefined) {
      story = {
        orderId,
        side,
        price,
        submittedAt: type === MESSAGE_TYPE.submission ? step : null,
        submitted: type === MESSAGE_TYPE.submission ? size : 0,
        named: [],
        firstExecutedAt: Number.POSITIVE_INFINITY,
        deleted: false,
      };
      stories.set(orderId, story);
    }
    if (type === MESSAGE_TYPE.submission) continue;
    story.named.push({ step, size });
    if (type === MESSAGE_TYPE.deletion) story.deleted = true;
    if (type === MESSAGE_TYPE.execution) story.firstExecutedAt = Math.min(story.firstExecutedAt, step);
  }
  return stories;
}

/** Quantity that messages from `step` on name: the order has at least this before that message. */
export function neededFrom({ named }: OrderStory, step: number): number {
  let needed = 0;
  for (const each of named) if (each.step >= step) needed += each.size;
  return needed;
}

/** Step of the first message after its submission that names it; Infinity when none does. */
export function firstNamedAt({ named }: OrderStory): number {
  return named[0]?.step ?? Number.POSITIVE_INFINITY;
}

/** Step of the last message that names it; −1 when none does. */
export function lastNamedAt({ named }: OrderStory): number {
  return named.at(-1)?.step ?? -1;
}
