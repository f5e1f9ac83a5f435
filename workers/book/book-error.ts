import type { OrderEntryFailure } from '../../application/order-entry/order-entry-failure.ts';
import type { ApiError } from '../../protocol/errors/api-error.ts';
import { orderEntryError } from '../responses/order-entry-error.ts';

/** Fields that this profile calls otherwise than order entry. */
const WIRE_NAMES: Readonly<Record<string, string>> = {
  quantity: 'size',
  quantity_min: 'size_min',
  quantity_max: 'size_max',
};

/** A failure of order entry in the words of this profile: snake_case, and `size` for what the others call quantity. */
export function bookError(failure: OrderEntryFailure, orderId: string | null = null): ApiError {
  const { code, message, details } = orderEntryError(failure, orderId);
  const { field } = details;
  return {
    code,
    message: typeof field === 'string' ? message.replace(field, wireName(field)) : message,
    details: Object.fromEntries(
      Object.entries(details).map(([name, value]) => [
        wireName(name),
        name === 'field' && typeof value === 'string' ? wireName(value) : value,
      ]),
    ),
  };
}

function wireName(name: string): string {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return WIRE_NAMES[snake] ?? snake;
}
