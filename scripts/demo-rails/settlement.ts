import type { Session } from '../local/session.ts';

interface TradeAnswer {
  readonly id: string;
  readonly assetId: string;
  readonly side: 'BUY' | 'SELL';
  readonly isSettled: boolean;
  readonly settlementDate: string | null;
}

/** Has what waits of an asset settle, where a day must come first, and says when each side settled. @throws Error when something still waits */
export async function settleTrades(
  { trader, operator }: { readonly trader: Session; readonly operator: Session },
  assetId: string,
  say: (text: string) => void,
): Promise<void> {
  const waiting = (await tradesOf(trader, assetId)).filter(({ isSettled }) => !isSettled);
  const day = waiting
    .map(({ settlementDate }) => settlementDate ?? '')
    .sort()
    .at(-1);
  if (day !== undefined) {
    // Earlier trades of the same user wait with those of this run.
    for (const { id, side, settlementDate } of waiting) say(`  ${side} of trade ${id} settles on ${settlementDate}`);
    await operator.call('POST /v1/operator/settlements', { through: day });
    say('  the operator lets that day come, which a local system allows');
  }
  const trades = await tradesOf(trader, assetId);
  for (const side of ['BUY', 'SELL'] as const) {
    const ofSide = trades.filter((trade) => trade.side === side);
    if (ofSide.length === 0 || ofSide.some(({ isSettled }) => !isSettled))
      throw new Error(`the ${side} of ${assetId} is not settled`);
    say(`  ${side} settled ${day === undefined ? 'with its fill' : `for ${day}`}`);
  }
}

/** The latest first. */
async function tradesOf(session: Session, assetId: string): Promise<readonly TradeAnswer[]> {
  const { data } = await session.call<{ data: TradeAnswer[] }>('GET /v1/core-transactions?type=trade&limit=100');
  return data.filter((trade) => trade.assetId === assetId);
}
