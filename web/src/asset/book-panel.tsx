import { type CSSProperties, useMemo } from 'react';
import type { Order } from '../api/queries.ts';
import { useFeedState } from '../feed/feed.ts';
import { add, compare, type Decimal, divide, multiply, round, subtract, toPixels } from '../numbers/decimal.ts';
import { Skeleton } from '../parts/read-block.tsx';
import { useWords } from '../texts/words.tsx';
import type { Level, ShownBook } from './use-book.ts';

interface BookPanelProps {
  readonly book: ShownBook | null;
  readonly quote: string;
  readonly unit: string;
  readonly tick: Decimal | null;
  readonly priceDecimals: number;
  readonly last: Decimal | null;
  readonly ownOrders: readonly Order[];
  readonly rows: number;
  readonly onPrice: (price: Decimal) => void;
  /** A book of another venue, which is asked for now and then. */
  readonly isPolled?: boolean;
}

/** Asks above bids, each with what lies between it and the spread; own orders stand at their price. */
export function BookPanel({
  book,
  quote,
  unit,
  tick,
  priceDecimals,
  last,
  ownOrders,
  rows,
  onPrice,
  isPolled = false,
}: BookPanelProps) {
  const { t, number, exact } = useWords();
  const isOld = useFeedState().is === 'lost' && !isPolled;
  const own = useMemo(() => sizesByPrice(ownOrders), [ownOrders]);
  const deepest = book === null ? '0' : largest([...book.bids, ...book.asks]);
  const side = (levels: readonly Level[], name: 'bid' | 'ask') =>
    levels.map((level) => (
      <BookRow
        key={level.price}
        level={level}
        side={name}
        deepest={deepest}
        own={own.get(keyOf(name, level.price))}
        decimals={priceDecimals}
        onPrice={onPrice}
      />
    ));
  const [bid, ask] = [book?.bids[0]?.price, book?.asks[0]?.price];
  return (
    <section className={isOld ? 'book old' : 'book'} aria-label={t('book.title')}>
      <header className="tile-head">
        <h2>{t('book.title')}</h2>
        <span className="dim small">{tick === null ? t('book.elsewhere') : t('book.tick', { tick: exact(tick) })}</span>
      </header>
      {book === null ? (
        <Skeleton rows={rows} />
      ) : (
        <>
          <table className="levels">
            <caption className="hidden-text">{t('book.asks')}</caption>
            <thead>
              <tr>
                <th>{t('book.price', { quote })}</th>
                <th>{unit}</th>
                <th>{t('book.sum')}</th>
              </tr>
            </thead>
            <tbody>{side([...book.asks].reverse(), 'ask')}</tbody>
          </table>
          {book.asks.length === 0 && <p className="levels-none dim">{t('book.no_asks')}</p>}
          <div className="spread">
            <strong>{last === null ? '–' : number(last, priceDecimals)}</strong>
            <span>
              {bid !== undefined && ask !== undefined
                ? spreadOf(bid, ask, priceDecimals, t, number)
                : t('book.no_spread')}
            </span>
          </div>
          <table className="levels">
            <caption className="hidden-text">{t('book.bids')}</caption>
            <thead className="hidden-text">
              <tr>
                <th>{t('book.price', { quote })}</th>
                <th>{unit}</th>
                <th>{t('book.sum')}</th>
              </tr>
            </thead>
            <tbody>{side(book.bids, 'bid')}</tbody>
          </table>
          {book.bids.length === 0 && <p className="levels-none dim">{t('book.no_bids')}</p>}
        </>
      )}
    </section>
  );
}

interface BookRowProps {
  readonly level: Level;
  readonly side: 'bid' | 'ask';
  readonly deepest: Decimal;
  readonly own: Decimal | undefined;
  readonly decimals: number;
  readonly onPrice: (price: Decimal) => void;
}

function BookRow({ level, side, deepest, own, decimals, onPrice }: BookRowProps) {
  const { t, number, exact } = useWords();
  const share = toPixels(level.sum) / Math.max(toPixels(deepest), Number.MIN_VALUE);
  const style = { '--depth': `${(100 * share).toFixed(1)}%` } as CSSProperties;
  return (
    <tr className={side} style={style} onClick={() => onPrice(level.price)}>
      <td>
        <button type="button" className="price" onClick={() => onPrice(level.price)}>
          {number(level.price, decimals)}
        </button>
        {own !== undefined && (
          <span className="own">
            <span className="hidden-text">{t('book.own')} </span>
            {exact(own)}
          </span>
        )}
      </td>
      <td>{exact(level.size)}</td>
      <td>{exact(level.sum)}</td>
    </tr>
  );
}

function keyOf(side: 'bid' | 'ask', price: Decimal): string {
  return `${side} ${toPixels(price)}`;
}

function sizesByPrice(orders: readonly Order[]): Map<string, Decimal> {
  const sizes = new Map<string, Decimal>();
  for (const { side, price, remaining_size, status } of orders) {
    if (price === null || (status !== 'open' && status !== 'partially_filled')) continue;
    const key = keyOf(side === 'buy' ? 'bid' : 'ask', price);
    sizes.set(key, add(sizes.get(key) ?? '0', remaining_size));
  }
  return sizes;
}

function largest(levels: readonly Level[]): Decimal {
  return levels.reduce<Decimal>((most, { sum }) => (compare(sum, most) > 0 ? sum : most), '0');
}

function spreadOf(
  bid: Decimal,
  ask: Decimal,
  decimals: number,
  t: ReturnType<typeof useWords>['t'],
  number: ReturnType<typeof useWords>['number'],
): string {
  const spread = subtract(ask, bid);
  const middle = divide(add(ask, bid), '2', 12);
  const points = round(divide(multiply(spread, '10000'), middle, 6), 0);
  return t('book.spread', { spread: number(spread, decimals), points });
}
