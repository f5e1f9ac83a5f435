import type { Holding } from '../api/queries.ts';
import { State } from '../parts/panel.tsx';
import { useWords } from '../texts/words.tsx';
import { daysBetween } from '../time/show-time.ts';
import { isFree } from './lots.ts';

/** Lots in the order in which a sale takes them, each with the day on which it becomes free. */
export function LotTable({ holding }: { readonly holding: Holding }) {
  const { t, exact, date, count } = useWords();
  const now = Date.now();
  return (
    <div className="scroll">
      <table className="table">
        <caption className="hidden-text">{t('lots.caption')}</caption>
        <thead>
          <tr>
            <th>{t('lots.acquired')}</th>
            <th className="right less">{t('lots.age')}</th>
            <th className="right">{t('lots.quantity')}</th>
            <th className="less">{t('lots.offering')}</th>
            <th>{t('lots.free_on')}</th>
          </tr>
        </thead>
        <tbody>
          {holding.lots.map((lot, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a lot has no id, and its place is the order of sale
            <tr key={index}>
              <td>
                {date(lot.acquisitionDate)}
                {index === 0 && <span className="mark quiet">{t('lots.first')}</span>}
              </td>
              <td className="right less">
                {count('lots.days', daysBetween(new Date(lot.acquisitionDate).getTime(), now))}
              </td>
              <td className="right">{exact(lot.quantity)}</td>
              <td className="less">{lot.offeringType}</td>
              <td>
                {isFree(lot, now) ? (
                  <State tone="ok">{t('lots.free')}</State>
                ) : (
                  <State tone="wait">
                    {lot.restrictionEndDate === null ? t('lots.held') : date(lot.restrictionEndDate)}
                  </State>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
