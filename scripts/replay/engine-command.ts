import type { EngineCommand } from '../../durable-objects/order-book/engine/engine.ts';
import type { ReplayCommand } from './plan.ts';

/** The command as an engine takes it. Makers and takers are different accounts, so that no order is its own counterparty. */
export function engineCommand(command: ReplayCommand): EngineCommand {
  switch (command.type) {
    case 'cancel':
      return { type: 'cancel', orderId: command.orderId };
    case 'reduce': {
      const { orderId, quantity, price } = command;
      return { type: 'amend', orderId, quantity, price, unfilledOnly: false, requires: 0 };
    }
    default: {
      const { type, orderId, side, price, quantity } = command;
      return {
        type: 'place',
        orderId,
        account: type === 'rest' ? 'makers' : 'takers',
        keyId: null,
        side,
        orderType: 'limit',
        timeInForce: type === 'rest' ? 'GTC' : 'IOC',
        quantity,
        price,
        stopPrice: 0,
        expiresAt: 0,
        selfTradePrevention: 'cancel_newest',
        hidden: false,
        displayQuantity: 0,
        attributes: 0,
        requires: 0,
      };
    }
  }
}
