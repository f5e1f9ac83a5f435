import { useQuery } from '@tanstack/react-query';
import { State } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { useOperatorWords } from '../use-operator-words.ts';
import { type WatchedDay, watchedDaysQuery } from './case-queries.ts';

/** Markets that are named. */
const NAMED_MAX = 20;

/** The last days that were watched, and what was left out of them: what was not looked at is said. */
export function WatchedDays() {
  const { o, t, whole } = useOperatorWords();
  const query = useQuery(watchedDaysQuery);
  return (
    <ReadBlock query={query} failed={o('surveillance.days_failed')} rows={3}>
      {(days) =>
        days.length === 0 ? (
          <Empty title={o('surveillance.days_none')} text={o('surveillance.days_none_text')} />
        ) : (
          <div className="scroll">
            <table className="table">
              <caption className="hidden-text">{o('surveillance.days')}</caption>
              <thead>
                <tr>
                  <th>{o('surveillance.day')}</th>
                  <th className="right">{t('place.markets')}</th>
                  <th className="right">{o('surveillance.cases')}</th>
                  <th>{o('surveillance.left_out')}</th>
                </tr>
              </thead>
              <tbody>
                {days.map((day) => (
                  <tr key={day.day}>
                    <td className="nowrap">
                      {day.day}
                      {day.doneAt === null && (
                        <small>
                          <State tone="run">{o('surveillance.running')}</State>
                        </small>
                      )}
                    </td>
                    <td className="right">{whole(day.markets)}</td>
                    <td className="right">{whole(day.cases)}</td>
                    <td>
                      <LeftOut day={day} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      }
    </ReadBlock>
  );
}

function LeftOut({ day }: { readonly day: WatchedDay }) {
  const { o, many } = useOperatorWords();
  const { marketsLeftOut } = day;
  const parts = (
    [
      ['surveillance.left_out_markets', marketsLeftOut.length],
      ['surveillance.left_out_cases', Number(day.casesLeftOut)],
      ['surveillance.left_out_trades', Number(day.tradesLeftOut)],
      ['surveillance.left_out_accounts', Number(day.accountsLeftOut)],
    ] as const
  ).filter(([, n]) => n > 0);
  if (parts.length === 0) return o('surveillance.left_out_nothing');
  const said = parts.map(([stem, n]) => many(stem, n)).join(', ');
  if (marketsLeftOut.length === 0) return <State tone="warn">{said}</State>;
  return (
    <>
      <State tone="bad">{said}</State>
      <small>{o('surveillance.left_out_which', { markets: marketsLeftOut.slice(0, NAMED_MAX).join(', ') })}</small>
    </>
  );
}
