import { useQuery } from '@tanstack/react-query';
import { depthQuery } from '../api/own-queries.ts';
import { type Order, routedBookQuery } from '../api/queries.ts';
import { compare } from '../numbers/decimal.ts';
import { ReadBlock } from '../parts/read-block.tsx';
import { useWords } from '../texts/words.tsx';
import { type DepthLevel, type Frame, frameOf, outlineOf, placeOf, summedUp } from './depth-curve.ts';

const BOX = { width: 600, height: 180 } as const;

interface DepthProps {
  readonly assetId: string;
  /** The pair whose book it is; null for the book of another venue. */
  readonly symbol: string | null;
  readonly priceDecimals: number;
  readonly orders: readonly Order[];
}

/** How much could be bought and sold down to each price, with own orders marked. */
export function DepthChart({ assetId, symbol, priceDecimals, orders }: DepthProps) {
  const { t } = useWords();
  const own = useQuery({ ...depthQuery(symbol ?? ''), enabled: symbol !== null });
  const routed = useQuery({ ...routedBookQuery(assetId), enabled: symbol === null });
  const drawn = { decimals: priceDecimals, orders };
  return symbol === null ? (
    <ReadBlock query={routed} failed={t('depth.failed')} rows={5}>
      {({ bids, asks }) => <Drawn {...drawn} bids={bids} asks={asks} />}
    </ReadBlock>
  ) : (
    <ReadBlock query={own} failed={t('depth.failed')} rows={5}>
      {({ bids, asks }) => <Drawn {...drawn} bids={bids} asks={asks} />}
    </ReadBlock>
  );
}

interface DrawnProps {
  readonly bids: readonly DepthLevel[];
  readonly asks: readonly DepthLevel[];
  readonly decimals: number;
  readonly orders: readonly Order[];
}

function Drawn({ bids, asks, decimals, orders }: DrawnProps) {
  const { t, exact, number } = useWords();
  const [bought, sold] = [summedUp(bids), summedUp(asks)];
  const frame = frameOf(bought, sold);
  if (frame === null) return <p className="none dim">{t('depth.none')}</p>;
  const price = (value: string) => number(value, decimals);
  const [allBids, allAsks] = [bought.at(-1)?.sum ?? '0', sold.at(-1)?.sum ?? '0'];
  const facts = { bids: exact(allBids), low: price(frame.low), asks: exact(allAsks), high: price(frame.high) };
  return (
    <div className="pad depth">
      <p className="row between small">
        <span className="up">{`${t('depth.bids')}: ${facts.bids}`}</span>
        <span className="down">{`${t('depth.asks')}: ${facts.asks}`}</span>
      </p>
      <svg viewBox={`0 0 ${BOX.width} ${BOX.height}`} role="img" aria-label={t('depth.picture', facts)}>
        <path className="bids" d={outlineOf(bought, frame, BOX)} />
        <path className="asks" d={outlineOf(sold, frame, BOX)} />
        {orders.map((order) => (
          <OwnMark key={order.order_id} order={order} frame={frame} decimals={decimals} />
        ))}
      </svg>
      <p className="row between small dim">
        <span>{facts.low}</span>
        <span>{facts.high}</span>
      </p>
    </div>
  );
}

interface MarkProps {
  readonly order: Order;
  readonly frame: Frame;
  readonly decimals: number;
}

function OwnMark({ order, frame, decimals }: MarkProps) {
  const { t, exact, number } = useWords();
  const { price, side, remaining_size: size } = order;
  if (price === null || compare(price, frame.low) < 0 || compare(price, frame.high) > 0) return null;
  const x = (placeOf(price, frame) * BOX.width).toFixed(1);
  const facts = { side: t(`side.${side}`), size: exact(size), price: number(price, decimals) };
  return (
    <g className="own">
      <title>{t('depth.own', facts)}</title>
      <line x1={x} x2={x} y1="12" y2={BOX.height} />
      <circle cx={x} cy="8" r="4" />
    </g>
  );
}
