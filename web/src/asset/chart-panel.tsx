import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { type BarInterval, type ChartRange, chartQuery, type Fill, type Order } from '../api/queries.ts';
import { Segments } from '../parts/field.tsx';
import { Empty, ReadBlock, Skeleton } from '../parts/read-block.tsx';
import { useWords } from '../texts/words.tsx';
import type { Bar } from './bar.ts';

const Candles = lazy(() => import('./candles.tsx').then(({ Candles: component }) => ({ default: component })));

/** Ranges with the intervals that stay within the bars which one answer may have. */
const INTERVALS: Readonly<Record<ChartRange, readonly BarInterval[]>> = {
  '1d': ['1m', '5m', '15m', '1h'],
  '5d': ['5m', '15m', '1h'],
  '1m': ['15m', '1h', '1d'],
  '3m': ['1h', '1d'],
  '6m': ['1h', '1d'],
  '1y': ['1d'],
  '5y': ['1d'],
};
const RANGES = Object.keys(INTERVALS) as ChartRange[];

interface ChartPanelProps {
  readonly assetId: string;
  /** Of the pair whose bars the feed tells; null where there is none. */
  readonly symbol: string | null;
  readonly priceDecimals: number;
  readonly orders: readonly Order[];
  readonly fills: readonly Fill[];
  readonly interval: BarInterval | undefined;
  readonly onInterval: (interval: BarInterval) => void;
}

export function ChartPanel({ assetId, symbol, priceDecimals, orders, fills, interval, onInterval }: ChartPanelProps) {
  const { t } = useWords();
  const [range, setRange] = useState<ChartRange>('1d');
  const [isTable, setIsTable] = useState(false);
  const offered = INTERVALS[range];
  const chosen =
    interval !== undefined && offered.includes(interval)
      ? interval
      : (offered[Math.min(2, offered.length - 1)] ?? '1d');
  const query = useQuery(chartQuery(assetId, range, chosen));
  return (
    <section className="chart" aria-label={t('chart.title')}>
      <header className="tile-head">
        <h2 className="hidden-text">{t('chart.title')}</h2>
        <Segments
          label={t('chart.range')}
          value={range}
          options={RANGES.map((value) => ({ value, label: t(`range.${value}`) }))}
          onChange={setRange}
        />
        <span className="chart-end">
          <Segments
            label={t('chart.interval')}
            value={chosen}
            options={offered.map((value) => ({ value, label: t(`interval.${value}`) }))}
            onChange={onInterval}
          />
          <button type="button" className="link small" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
            {t(isTable ? 'chart.as_chart' : 'chart.as_table')}
          </button>
        </span>
      </header>
      <div className="chart-box">
        <ReadBlock query={query} failed={t('chart.failed')} rows={8}>
          {({ data: bars }) => {
            if (bars.length === 0) return <Empty title={t('chart.none')} text={t('chart.none_text')} />;
            if (isTable) return <BarTable bars={bars} decimals={priceDecimals} />;
            return (
              <Suspense fallback={<Skeleton rows={8} />}>
                <Candles
                  bars={bars}
                  decimals={priceDecimals}
                  orders={orders}
                  fills={fills}
                  symbol={symbol}
                  interval={chosen}
                />
              </Suspense>
            );
          }}
        </ReadBlock>
      </div>
    </section>
  );
}

/** The same bars for whoever reads no picture. */
function BarTable({ bars, decimals }: { readonly bars: readonly Bar[]; readonly decimals: number }) {
  const { t, number, exact, dateTime } = useWords();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <div className="scroll tall" tabIndex={0} role="group" aria-label={t('chart.as_table')}>
      <table className="table">
        <thead>
          <tr>
            <th>{t('column.time')}</th>
            <th className="right">{t('chart.open')}</th>
            <th className="right">{t('chart.high')}</th>
            <th className="right">{t('chart.low')}</th>
            <th className="right">{t('chart.close')}</th>
            <th className="right">{t('chart.volume')}</th>
          </tr>
        </thead>
        <tbody>
          {[...bars].reverse().map((bar) => (
            <tr key={bar.time}>
              <td>{dateTime(bar.time)}</td>
              <td className="right">{number(bar.open, decimals)}</td>
              <td className="right">{number(bar.high, decimals)}</td>
              <td className="right">{number(bar.low, decimals)}</td>
              <td className="right">{number(bar.close, decimals)}</td>
              <td className="right">{exact(bar.volume)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
