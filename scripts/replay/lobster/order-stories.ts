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
  /** Step of the first message that names it after its submission. */
  firstNamedAt: number;
  firstExecutedAt: number;
  lastNamedAt: number;
  /** Quantity that reductions, deletion and executions name together: an order that came unseen had at least this. */
  named: number;
  /** Whether it ends with a deletion; then `named` is all that it had. */
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
        firstNamedAt: Number.POSITIVE_INFINITY,
        firstExecutedAt: Number.POSITIVE_INFINITY,
        lastNamedAt: step,
        named: 0,
        deleted: false,
      };
      stories.set(orderId, story);
    }
    if (type === MESSAGE_TYPE.submission) continue;
    story.firstNamedAt = Math.min(story.firstNamedAt, step);
    story.lastNamedAt = step;
    story.named += size;
    if (type === MESSAGE_TYPE.deletion) story.deleted = true;
    if (type === MESSAGE_TYPE.execution) story.firstExecutedAt = Math.min(story.firstExecutedAt, step);
  }
  return stories;
}
