import { decimalToScaled } from '../../../domain/money/decimal-text.ts';
import type { PlaceCommand, RejectCommand } from '../../../durable-objects/order-book/api.ts';
import { hasSource, readCollarQuote } from '../../market-data/source-prices.ts';
import type { CheckedOrder, RefusedOrder } from '../checks/checked-order.ts';

/**
 * The commands of these orders. One without a limit on a routed market carries what the broker quotes now, around which its collar lies; where
 * nothing current is known, the book goes by its own last price.
 */
export function quotedCommands(
  env: Env,
  orders: readonly (CheckedOrder | RefusedOrder)[],
): Promise<(PlaceCommand | RejectCommand)[]> {
  return Promise.all(
    orders.map(async ({ command, instrument }) => {
      const { market } = instrument;
      if (command.type !== 'place' || command.terms.price !== null || market === null || !hasSource(instrument))
        return command;
      const known = await readCollarQuote(env, instrument);
      if (known === null || known.isStale) return command;
      const { bid, ask, last } = known.value;
      const quoted = decimalToScaled((command.terms.side === 'buy' ? ask : bid) ?? last, market.priceScale);
      return quoted.ok && quoted.value > 0 ? { ...command, quoted: quoted.value } : command;
    }),
  );
}
