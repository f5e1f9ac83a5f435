import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { fillsQuery, type Order, orderQuery } from '../api/queries.ts';
import { CopyText } from '../parts/copy-text.tsx';
import { FactList, Panel, State } from '../parts/panel.tsx';
import { Empty, ReadBlock } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useWords, type Words } from '../texts/words.tsx';
import { FillTable } from './fill-table.tsx';
import { OrderActs } from './order-acts.tsx';
import { isOpen, priceOf, timeInForceOf, toneOfOrder, typeOf } from './order-words.ts';

const route = getRouteApi('/own/orders/$orderId');

export function OrderPage() {
  const words = useWords();
  const { t, exact, dateTime, price } = words;
  const { orderId } = route.useParams();
  const query = useQuery(orderQuery(orderId));
  const fills = useQuery(fillsQuery({ order_id: orderId }));
  usePageTitle(t('order.title'));
  return (
    <div className="page mid">
      <p className="crumb">
        <Link to="/orders">{t('place.orders')}</Link>
      </p>
      <ReadBlock query={query} failed={t('order.failed')} rows={6}>
        {(order) => (
          <>
            <div className="page-head">
              <div>
                <h1>{titleOf(order, words)}</h1>
                <p className="lede">{sentenceOf(order, words)}</p>
              </div>
              {isOpen(order) && <OrderActs order={order} />}
            </div>
            <div className="columns">
              <Panel title={t('order.fills')}>
                <ReadBlock query={fills} failed={t('fills.failed')} rows={2}>
                  {(rows) =>
                    rows.length === 0 ? (
                      <Empty title={t('order.no_fills')} text={t('order.no_fills_text')} />
                    ) : (
                      <FillTable fills={rows} isOfOne />
                    )
                  }
                </ReadBlock>
              </Panel>
              <Panel title={t('order.terms')} padded>
                <FactList
                  rows={[
                    [
                      t('column.state'),
                      <State key="state" tone={toneOfOrder(order)}>
                        {t(`status.${order.status}`)}
                      </State>,
                    ],
                    order.reason === null ? null : [t('order.reason'), order.reason],
                    [t('column.type'), typeOf(order.type, words)],
                    [t('column.price'), priceOf(order, words)],
                    [t('column.size'), exact(order.size)],
                    [t('column.filled'), exact(order.filled_size)],
                    order.average_price === null ? null : [t('preview.average'), price(order.average_price)],
                    [t('column.in_force'), timeInForceOf(order.time_in_force, words)],
                    order.expires_at === null ? null : [t('ticket.until'), dateTime(order.expires_at)],
                    [t('column.placed'), dateTime(order.created_at)],
                    [t('order.changed'), dateTime(order.updated_at)],
                    [t('order.id'), <CopyText key="id" text={order.order_id} />],
                    order.client_order_id === null
                      ? null
                      : [t('order.client_id'), <CopyText key="client" text={order.client_order_id} />],
                  ]}
                />
              </Panel>
            </div>
          </>
        )}
      </ReadBlock>
    </div>
  );
}

function titleOf(order: Order, words: Words): string {
  const facts = { size: words.exact(order.size), symbol: order.symbol };
  return words.t(order.side === 'buy' ? 'order.title_buy' : 'order.title_sell', facts);
}

function sentenceOf(order: Order, words: Words): string {
  const { t, exact, price } = words;
  const facts = {
    filled: exact(order.filled_size),
    size: exact(order.size),
    rest: exact(order.remaining_size),
    price: priceOf(order, words),
    average: order.average_price === null ? '' : price(order.average_price),
  };
  return t(order.filled_size === '0' ? `sentence.${order.status}_none` : `sentence.${order.status}`, facts);
}
