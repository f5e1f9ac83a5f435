import type { PlaceCommand } from '../../durable-objects/order-book/api.ts';

/** Accounts that trade in a bench. */
export const ACCOUNTS = 50;

export const accountId = (index: number): string => `bench-${String(index).padStart(4, '0')}`;

const MID = 100_00;
const SPREAD_TICKS = 60;

/**
 * Orders of a bench, the same for every run of a seed: limit orders around a mid price, so wide that about 43 % of them trade. Ids are
 * UUIDv7-shaped and rise with time, as order entry's do.
 */
export function sampleOrders(seed: number, count: number): PlaceCommand[] {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  const draw = (below: number): number => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
  const commands: PlaceCommand[] = [];
  for (let i = 0; i < count; i++) {
    const side = draw(2) === 0 ? 'buy' : 'sell';
    const away = draw(SPREAD_TICKS) - 16;
    commands.push({
      type: 'place',
      orderId: `${seed.toString(16).padStart(8, '0')}-${(i >>> 16).toString(16).padStart(4, '0')}-7${(i & 0xfff).toString(16).padStart(3, '0')}-8${((i >>> 12) & 0xfff).toString(16).padStart(3, '0')}-${draw(0xffffff).toString(16).padStart(12, '0')}`,
      account: accountId(draw(ACCOUNTS)),
      owner: 'bench',
      keyId: null,
      clientOrderId: null,
      terms: {
        side,
        type: 'limit',
        timeInForce: 'GTC',
        quantity: 1 + draw(20),
        price: side === 'buy' ? MID - away : MID + away,
        stopPrice: null,
        expiresAt: null,
        selfTradePrevention: 'cancel_newest',
        hidden: false,
        displayQuantity: null,
      },
      attributes: 0,
      requires: 0,
      allowanceAsset: null,
      positionAsset: null,
      factsVersion: 1,
      rulesVersion: 1,
    });
  }
  return commands;
}
