import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { holdingsQuery, type Position, portfolioQuery } from '../api/queries.ts';
import { round, sign, sum } from '../numbers/decimal.ts';
import { toneOf } from '../numbers/show-number.ts';
import { Empty, ReadBlock } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useWords } from '../texts/words.tsx';
import { freeQuantity, nextFree } from './lots.ts';

export function PositionsPage() {
  const { t, number, signed, count } = useWords();
  const query = useQuery(portfolioQuery);
  usePageTitle(t('place.positions'));
  const positions = query.data?.data ?? [];
  const value = round(sum(positions.map(({ marketValue }) => marketValue)), 2);
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{query.data === undefined ? t('place.positions') : t('positions.worth', { value: number(value) })}</h1>
          <p className="lede">{query.data === undefined ? '' : count('positions.lede', positions.length)}</p>
        </div>
        <Link to="/markets" className="button">
          {t('orders.to_markets')}
        </Link>
      </div>
      <section className="panel">
        <ReadBlock query={query} failed={t('positions.failed')} rows={6}>
          {({ realized }) =>
            positions.length === 0 ? (
              <Empty
                title={t('positions.none')}
                text={t('positions.none_text')}
                action={
                  <Link to="/markets" className="button">
                    {t('orders.to_markets')}
                  </Link>
                }
              />
            ) : (
              <>
                <PositionTable positions={positions} />
                <footer>
                  {t('positions.realised', { amount: signed(realized.realizedPnl), currency: realized.currency })}
                  {realized.isPartial && ` ${t('positions.partial')}`}
                </footer>
              </>
            )
          }
        </ReadBlock>
      </section>
    </div>
  );
}

function PositionTable({ positions }: { readonly positions: readonly Position[] }) {
  const { t, number, signed, percent, exact, date } = useWords();
  const { data: holdings = [] } = useQuery(holdingsQuery);
  const now = Date.now();
  const gain = round(sum(positions.map(({ unrealizedPnl }) => unrealizedPnl)), 2);
  return (
    <div className="scroll">
      <table className="table roomy">
        <caption className="hidden-text">{t('place.positions')}</caption>
        <thead>
          <tr>
            <th>{t('column.asset')}</th>
            <th className="right">{t('column.quantity')}</th>
            <th className="right less">{t('column.average_cost')}</th>
            <th className="right less">{t('column.price_usd')}</th>
            <th className="right">{t('column.value_usd')}</th>
            <th className="right">{t('column.gain_usd')}</th>
            <th className="less">{t('column.free')}</th>
          </tr>
        </thead>
        <tbody>
          {positions.map((position) => {
            const holding = holdings.find(({ assetId }) => assetId === position.assetId);
            const next = holding === undefined ? null : nextFree(holding, now);
            const tone = toneOf(position.unrealizedPnl);
            return (
              <tr key={position.assetId} className={position.stale ? 'old' : undefined}>
                <td>
                  <Link to="/positions/$assetId" params={{ assetId: position.assetId }} className="strong">
                    {position.symbol}
                  </Link>
                  <small>{position.name}</small>
                </td>
                <td className="right">
                  {exact(position.quantity)}
                  {sign(position.unsettledQuantity) !== 0 && (
                    <small>{t('positions.unsettled', { quantity: exact(position.unsettledQuantity) })}</small>
                  )}
                </td>
                <td className="right less">{number(position.averageCost)}</td>
                <td className="right less">
                  {number(position.currentPrice)}
                  {position.stale && <small>{t('market.stale')}</small>}
                </td>
                <td className="right">{number(position.marketValue)}</td>
                <td className={`right ${tone ?? ''}`}>
                  {signed(position.unrealizedPnl)}
                  <small className={tone}>{percent(position.unrealizedPnlPercent)}</small>
                </td>
                <td className="less">
                  {holding === undefined ? '–' : exact(freeQuantity(holding, now))}
                  {next !== null && (
                    <small>{t('may.next_value', { quantity: exact(next.quantity), date: date(next.date) })}</small>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
        <tfoot>
          <tr>
            <td>{t('column.sum')}</td>
            <td />
            <td className="less" />
            <td className="less" />
            <td className="right">{number(round(sum(positions.map(({ marketValue }) => marketValue)), 2))}</td>
            <td className={`right ${toneOf(gain) ?? ''}`}>{signed(gain)}</td>
            <td className="less" />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
