import { Link } from '@tanstack/react-router';
import type { Fill } from '../api/queries.ts';
import { multiply, round } from '../numbers/decimal.ts';
import { useWords } from '../texts/words.tsx';

export function FillTable({ fills, isOfOne = false }: { readonly fills: readonly Fill[]; readonly isOfOne?: boolean }) {
  const { t, dateTime, exact, number, price } = useWords();
  return (
    <div className="scroll">
      <table className="table">
        <caption className="hidden-text">{t('fills.title')}</caption>
        <thead>
          <tr>
            <th>{t('column.time')}</th>
            {!isOfOne && <th>{t('column.market')}</th>}
            <th>{t('column.side')}</th>
            <th className="right">{t('column.price')}</th>
            <th className="right">{t('column.size')}</th>
            <th className="right less">{t('column.value')}</th>
            <th className="right less">{t('column.fee')}</th>
            <th className="less">{t('column.liquidity')}</th>
            <th className="less">{t('order.title')}</th>
            <th>{t('confirmation.see')}</th>
          </tr>
        </thead>
        <tbody>
          {fills.map((fill) => (
            <tr key={`${fill.trade_id} ${fill.order_id}`}>
              <td className="nowrap">{dateTime(fill.timestamp)}</td>
              {!isOfOne && <td>{fill.symbol}</td>}
              <td className={fill.side === 'buy' ? 'up strong' : 'down strong'}>
                {t(fill.side === 'buy' ? 'side.buy' : 'side.sell')}
              </td>
              <td className="right">
                {fill.status === 'executed' ? (
                  price(fill.price)
                ) : (
                  <>
                    <s>{price(fill.price)}</s>{' '}
                    {fill.corrected_price === null ? t('tape.taken_back') : price(fill.corrected_price)}
                  </>
                )}
              </td>
              <td className="right">{exact(fill.size)}</td>
              <td className="right less">
                {number(round(multiply(fill.corrected_price ?? fill.price, fill.size), 2))}
              </td>
              <td className="right less">{number(fill.corrected_fee ?? fill.fee)}</td>
              <td className="less">{t(fill.liquidity === 'maker' ? 'fills.maker' : 'fills.taker')}</td>
              <td className="less">
                <Link to="/orders/$orderId" params={{ orderId: fill.order_id }}>
                  <code>{fill.order_id.slice(-8)}</code>
                </Link>
              </td>
              <td>
                <Link to="/confirmations/$tradeId" params={{ tradeId: fill.trade_id }}>
                  {t('confirmation.see')}
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
