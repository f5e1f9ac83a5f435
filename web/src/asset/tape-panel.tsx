import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { FeedMessage } from '../../../protocol/feeds/server-message.ts';
import { tradesQuery } from '../api/queries.ts';
import { useTopic } from '../feed/feed.ts';
import { type Decimal, fromFeed } from '../numbers/decimal.ts';
import { Empty, ReadBlock } from '../parts/read-block.tsx';
import { useWords } from '../texts/words.tsx';
import type { ApiTime } from '../time/show-time.ts';

interface TapeRow {
  readonly id: string;
  readonly price: Decimal;
  readonly size: Decimal;
  readonly side: 'buy' | 'sell';
  readonly time: ApiTime;
  /** Taken back, or stands at another price. */
  readonly corrected?: Decimal | null;
}

const ROWS = 40;

/** What has traded, newest first: read once, then as the feed tells it. */
export function TapePanel({
  symbol,
  quote,
  unit,
  priceDecimals,
}: {
  readonly symbol: string;
  readonly quote: string;
  readonly unit: string;
  readonly priceDecimals: number;
}) {
  const { t, number, exact, time } = useWords();
  const query = useQuery(tradesQuery(symbol));
  const [live, setLive] = useState<readonly TapeRow[]>([]);
  const { refetch } = query;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another pair has another tape
  useEffect(() => setLive([]), [symbol]);
  const listener = useCallback(
    (message: FeedMessage) => {
      if (message.type === 'trade') {
        const row = {
          id: message.trade_id,
          price: fromFeed(message.price),
          size: fromFeed(message.size),
          side: message.side,
          time: message.timestamp,
        };
        setLive((rows) => [row, ...rows.filter(({ id }) => id !== row.id)].slice(0, ROWS));
      } else if (message.type === 'trade_bust' || message.type === 'trade_correction' || message.type === 'reset') {
        void refetch().then(() => setLive([]));
      }
    },
    [refetch],
  );
  useTopic({ channel: 'trades', symbol }, listener);
  return (
    <section className="tape" aria-label={t('tape.title')}>
      <header className="tile-head">
        <h2>{t('tape.title')}</h2>
        <span className="dim small">{t('tape.arrow')}</span>
      </header>
      <ReadBlock query={query} failed={t('tape.failed')} rows={8}>
        {(trades) => {
          const read = trades.map((trade) => ({
            id: trade.trade_id,
            price: trade.price,
            size: trade.size,
            side: trade.side,
            time: trade.timestamp,
            ...(trade.status !== 'executed' && { corrected: trade.corrected_price }),
          }));
          const known = new Set(live.map(({ id }) => id));
          const rows = [...live, ...read.filter(({ id }) => !known.has(id))].slice(0, ROWS);
          if (rows.length === 0) return <Empty title={t('tape.none')} text={t('tape.none_text')} />;
          return (
            <table className="levels">
              <thead>
                <tr>
                  <th>{t('column.time')}</th>
                  <th>{t('book.price', { quote })}</th>
                  <th>{unit}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row.id}>
                    <td>{time(row.time)}</td>
                    <td className={row.side === 'buy' ? 'up' : 'down'}>
                      <span aria-hidden="true">{row.side === 'buy' ? '↑' : '↓'} </span>
                      <span className="hidden-text">{t(row.side === 'buy' ? 'side.buy' : 'side.sell')} </span>
                      {row.corrected === undefined ? (
                        number(row.price, priceDecimals)
                      ) : (
                        <>
                          <s>{number(row.price, priceDecimals)}</s>{' '}
                          {row.corrected === null ? t('tape.taken_back') : number(row.corrected, priceDecimals)}
                        </>
                      )}
                    </td>
                    <td>{exact(row.size)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          );
        }}
      </ReadBlock>
    </section>
  );
}
