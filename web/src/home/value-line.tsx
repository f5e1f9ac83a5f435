import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type PortfolioDay, valueQuery } from '../api/own-queries.ts';
import { toPixels } from '../numbers/decimal.ts';
import { toneOf } from '../numbers/show-number.ts';
import { SelectField } from '../parts/field.tsx';
import { ReadBlock } from '../parts/read-block.tsx';
import { useWords } from '../texts/words.tsx';

const RANGES = ['30', '91', '366'] as const;
const [WIDTH, HEIGHT] = [600, 120];

/** What everything was worth at the end of each day, as a line and in numbers. */
export function ValueLine() {
  const { t } = useWords();
  const [days, setDays] = useState<(typeof RANGES)[number]>('30');
  const value = useQuery(valueQuery(days));
  return (
    <section className="panel">
      <header>
        <h2>{t('value.title')}</h2>
        <SelectField
          label={t('value.range')}
          value={days}
          options={RANGES.map((range) => ({ value: range, label: t(`value.range_${range}`) }))}
          onChange={setDays}
        />
      </header>
      <ReadBlock query={value} failed={t('value.failed')} rows={4}>
        {(rows) => <Drawn days={rows} />}
      </ReadBlock>
    </section>
  );
}

function Drawn({ days }: { readonly days: readonly PortfolioDay[] }) {
  const { t, number, date, signed } = useWords();
  const known = days.flatMap(({ date: of, value }, at) => (value === null ? [] : [{ at, date: of, value }]));
  const [first, last] = [known[0], known.at(-1)];
  const [begin, end] = [days[0], days.at(-1)];
  if (begin === undefined || end === undefined) return null;
  const day = (text: string) => date(`${text}T12:00:00Z`);
  const without = [...new Set(days.flatMap(({ withoutClose }) => withoutClose))];
  const signedOr = (amount: string | null) => (amount === null ? t('value.unknown') : signed(amount));
  return (
    <div className="pad">
      {first !== undefined && last !== undefined && (
        <svg
          className="value-line"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={t('value.picture', {
            first: number(first.value),
            from: day(first.date),
            last: number(last.value),
            to: day(last.date),
          })}
        >
          <polyline points={pointsOf(known, days.length)} vectorEffect="non-scaling-stroke" />
        </svg>
      )}
      <p className="row between small dim">
        <span>{day(begin.date)}</span>
        <span>{day(end.date)}</span>
      </p>
      {without.length > 0 && <p className="small dim">{t('value.without_close', { symbols: without.join(', ') })}</p>}
      <details>
        <summary className="small">{t('value.numbers')}</summary>
        <div className="scroll tall">
          <table className="table">
            <caption className="hidden-text">{t('value.title')}</caption>
            <thead>
              <tr>
                <th>{t('value.day')}</th>
                <th className="right">{t('value.value')}</th>
                <th className="right less">{t('value.moved')}</th>
                <th className="right less">{t('value.realised')}</th>
                <th className="right">{t('value.profit')}</th>
              </tr>
            </thead>
            <tbody>
              {[...days].reverse().map((row) => (
                <tr key={row.date}>
                  <td className="nowrap">{day(row.date)}</td>
                  <td className="right">{row.value === null ? t('value.unknown') : number(row.value)}</td>
                  <td className="right less">{signedOr(row.netDeposits)}</td>
                  <td className="right less">{signed(row.realizedPnl)}</td>
                  <td className={`right ${row.profit === null ? 'dim' : (toneOf(row.profit) ?? '')}`}>
                    {signedOr(row.profit)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </div>
  );
}

/** Of values from left to right, the largest at the top; days without one have no point. */
function pointsOf(known: readonly { readonly at: number; readonly value: string }[], days: number): string {
  const values = known.map(({ value }) => toPixels(value));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const span = high - low || 1;
  const step = WIDTH / Math.max(days - 1, 1);
  return known
    .map(({ at }, n) => {
      const height = HEIGHT - 4 - (((values[n] ?? low) - low) / span) * (HEIGHT - 8);
      return `${(at * step).toFixed(1)},${height.toFixed(1)}`;
    })
    .join(' ');
}
