import type { PlaceCommand } from '../../durable-objects/order-book/api.ts';

/** Accounts that trade in a bench. */
export const ACCOUNTS = 50;

export const accountId = (index: number): string => `bench-${String(index).padStart(4, '0')}`;

const MID = 100_00;
const SPREAD_TICKS = 60;

/**
 * Orders of a bench, the same for every run of a seed: limit orders around a mid price, so wide that about 43 % of them trade. Ids are
 * UUIDv7-shaped and given out now, as order entry's are: only their random bits follow from the seed.
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
  const time = Date.now().toString(16).padStart(12, '0');
  const series = (seed & 0xfff).toString(16).padStart(3, '0');
  for (let i = 0; i < count; i++) {
    const side = draw(2) === 0 ? 'buy' : 'sell';
    const away = draw(SPREAD_TICKS) - 16;
    commands.push({
      type: 'place',
      orderId: `${time.slice(0, 8)}-${time.slice(8)}-7${series}-8${((i >>> 20) & 0xfff).toString(16).padStart(3, '0')}-${(i & 0xfffff).toString(16).padStart(5, '0')}${draw(0xfffffff).toString(16).padStart(7, '0')}`,
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
      daily: null,
      factsVersion: 1,
      rulesVersion: 1,
    });
  }
  return commands;
}
