import { Tabs } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { AssetDetails, Fill, Holding, Order } from '../api/queries.ts';
import { FillTable } from '../orders/fill-table.tsx';
import { CancelAll } from '../orders/order-acts.tsx';
import { OrderTable } from '../orders/order-table.tsx';
import { State } from '../parts/panel.tsx';
import { Empty, ReadBlock, Skeleton } from '../parts/read-block.tsx';
import { LotTable } from '../positions/lot-table.tsx';
import { freeQuantity } from '../positions/lots.ts';
import { useWords } from '../texts/words.tsx';
import { MayList } from './eligibility.tsx';

/** Drawn when it is looked at. */
const DepthChart = lazy(() => import('./depth-chart.tsx').then(({ DepthChart }) => ({ default: DepthChart })));

interface MineProps {
  readonly asset: AssetDetails;
  readonly symbol: string;
  readonly isPair: boolean;
  readonly isIndication: boolean;
  readonly priceDecimals: number;
  readonly orders: UseQueryResult<Order[]>;
  readonly holdings: UseQueryResult<Holding[]>;
  readonly holding: Holding | undefined;
  readonly fills: readonly Fill[];
  readonly account: {
    readonly kycStatus: string;
    readonly accreditationStatus: string;
    readonly accreditationType: string | null;
  } | null;
}

/** My orders, my position with its lots, my fills, and what the asset means for me. */
export function MinePanel(props: MineProps) {
  const { asset, symbol, isPair, isIndication, priceDecimals, orders, holdings, holding, fills, account } = props;
  const { t, count, exact } = useWords();
  const own = (orders.data ?? []).filter((order) => order.symbol === symbol);
  const everywhere = orders.data ?? [];
  return (
    <section className="mine" aria-label={t('mine.title')}>
      <Tabs defaultValue="orders" keepMounted={false} classNames={{ list: 'tabs', tab: 'tab' }}>
        <Tabs.List aria-label={t('mine.title')}>
          <Tabs.Tab value="orders">{t('mine.orders')}</Tabs.Tab>
          <Tabs.Tab value="fills">{t('mine.fills', { n: fills.length })}</Tabs.Tab>
          <Tabs.Tab value="all">{t('mine.all', { n: everywhere.length })}</Tabs.Tab>
          <Tabs.Tab value="me">{t('mine.for_me')}</Tabs.Tab>
          {!isIndication && <Tabs.Tab value="depth">{t('depth.title')}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="orders">
          <div className="sub">
            <h3>{count('mine.open', own.length)}</h3>
            {isPair && <CancelAll orders={own} symbol={symbol} />}
          </div>
          <ReadBlock query={orders} failed={t('orders.failed')} rows={2}>
            {() =>
              own.length === 0 ? (
                <p className="none dim">{t('mine.no_orders')}</p>
              ) : (
                <OrderTable orders={own} isOfOne caption={t('mine.orders')} />
              )
            }
          </ReadBlock>
          <div className="sub">
            <h3>
              {holding === undefined
                ? t('mine.no_position')
                : count('mine.position', holding.lots.length, {
                    quantity: exact(holding.quantity),
                    symbol: asset.symbol,
                  })}
            </h3>
            {holding !== undefined && (
              <Link to="/positions/$assetId" params={{ assetId: asset.id }} className="small">
                {t('mine.free', { quantity: exact(freeQuantity(holding, Date.now())) })}
              </Link>
            )}
          </div>
          <ReadBlock query={holdings} failed={t('positions.failed')} rows={2}>
            {() =>
              holding === undefined || holding.lots.length === 0 ? (
                <p className="none dim">{t(holding === undefined ? 'mine.hold_nothing' : 'mine.no_lots')}</p>
              ) : (
                <LotTable holding={holding} />
              )
            }
          </ReadBlock>
        </Tabs.Panel>
        <Tabs.Panel value="fills">
          {fills.length === 0 ? (
            <Empty title={t('fills.none')} text={t('fills.none_text')} />
          ) : (
            <FillTable fills={fills} isOfOne />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="all">
          {everywhere.length === 0 ? (
            <Empty title={t('orders.none_open')} text={t('orders.none_open_text')} />
          ) : (
            <OrderTable orders={everywhere} caption={t('place.orders')} />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="me">
          <ForMe asset={asset} holding={holding} account={account} />
        </Tabs.Panel>
        <Tabs.Panel value="depth">
          <Suspense fallback={<Skeleton rows={5} />}>
            <DepthChart assetId={asset.id} symbol={isPair ? symbol : null} priceDecimals={priceDecimals} orders={own} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </section>
  );
}

function ForMe({ asset, holding, account }: Pick<MineProps, 'asset' | 'holding' | 'account'>) {
  const { t, exact } = useWords();
  const isKnown = account?.kycStatus === 'completed';
  const identity = <State tone={isKnown ? 'ok' : 'warn'}>{t(isKnown ? 'me.known' : 'me.unknown')}</State>;
  return (
    <MayList
      assetId={asset.id}
      symbol={asset.symbol}
      more={[
        [t('me.identity'), identity],
        [t('me.hold'), `${exact(holding?.quantity ?? '0')} ${asset.symbol}`],
        [t('me.hours'), t(asset.tradingHours === 'always' ? 'me.always' : 'me.exchange_hours')],
      ]}
    />
  );
}
