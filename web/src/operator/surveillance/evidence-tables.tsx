import { CopyText } from '../../parts/copy-text.tsx';
import { Panel } from '../../parts/panel.tsx';
import { AccountLink } from '../parts/links.tsx';
import { shortId } from '../parts/short-id.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import type { SurveillanceCase } from './case-queries.ts';

/** Trades that show it: who bought and who sold, with the orders of both. */
export function TradesOfCase({ trades }: Pick<SurveillanceCase, 'trades'>) {
  const { o, price, exact, dateTime } = useOperatorWords();
  return (
    <Panel title={o('surveillance.trades')}>
      <div className="scroll">
        <table className="table roomy">
          <caption className="hidden-text">{o('surveillance.trades')}</caption>
          <thead>
            <tr>
              <th>{o('surveillance.trade')}</th>
              <th className="right">{o('surveillance.price')}</th>
              <th className="right">{o('surveillance.quantity')}</th>
              <th>{o('surveillance.buyer')}</th>
              <th>{o('surveillance.seller')}</th>
            </tr>
          </thead>
          <tbody>
            {trades.map((trade) => (
              <tr key={trade.id}>
                <td className="nowrap">
                  {dateTime(trade.executedAt)}
                  <small>
                    <CopyText text={trade.id} shown={shortId(trade.id)} />
                  </small>
                </td>
                <td className="right">{price(trade.price)}</td>
                <td className="right">{exact(trade.quantity)}</td>
                <td className="nowrap">
                  <AccountLink id={trade.buyerAccountId} />
                  <small>
                    <CopyText text={trade.buyOrderId} shown={shortId(trade.buyOrderId)} />
                  </small>
                </td>
                <td className="nowrap">
                  <AccountLink id={trade.sellerAccountId} />
                  <small>
                    <CopyText text={trade.sellOrderId} shown={shortId(trade.sellOrderId)} />
                  </small>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

/** Orders that were cancelled right after an execution. */
export function OrdersOfCase({ orders }: Pick<SurveillanceCase, 'orders'>) {
  const { o, t, price, exact, dateTime } = useOperatorWords();
  return (
    <Panel title={o('surveillance.orders')}>
      <div className="scroll">
        <table className="table roomy">
          <caption className="hidden-text">{o('surveillance.orders')}</caption>
          <thead>
            <tr>
              <th>{o('surveillance.order')}</th>
              <th>{o('surveillance.side')}</th>
              <th className="right">{o('surveillance.price')}</th>
              <th className="right">{o('surveillance.quantity')}</th>
              <th>{o('surveillance.cancelled_at')}</th>
            </tr>
          </thead>
          <tbody>
            {orders.map((order) => (
              <tr key={order.id}>
                <td className="nowrap">
                  <CopyText text={order.id} shown={shortId(order.id)} />
                  <small>
                    <AccountLink id={order.accountId} />
                  </small>
                </td>
                <td>{t(order.side === 'BUY' ? 'side.buy' : 'side.sell')}</td>
                <td className="right">{price(order.price)}</td>
                <td className="right">
                  {exact(order.quantity)}
                  <small>
                    {o('surveillance.filled')} {exact(order.filled)}
                  </small>
                </td>
                <td className="nowrap">
                  {dateTime(order.cancelledAt)}
                  <small>
                    {o('surveillance.placed_at')} {dateTime(order.createdAt)}
                  </small>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
