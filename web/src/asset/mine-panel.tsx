import { Tabs } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AssetDetails, Fill, Holding, Order } from '../api/queries.ts';
import { FillTable } from '../orders/fill-table.tsx';
import { CancelAll } from '../orders/order-acts.tsx';
import { OrderTable } from '../orders/order-table.tsx';
import { FactList, State } from '../parts/panel.tsx';
import { Empty, ReadBlock } from '../parts/read-block.tsx';
import { LotTable } from '../positions/lot-table.tsx';
import { freeQuantity, nextFree } from '../positions/lots.ts';
import { useWords } from '../texts/words.tsx';

interface MineProps {
  readonly asset: AssetDetails;
  readonly symbol: string;
  readonly isPair: boolean;
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
export function MinePanel({ asset, symbol, isPair, orders, holdings, holding, fills, account }: MineProps) {
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
      </Tabs>
    </section>
  );
}

function ForMe({ asset, holding, account }: Pick<MineProps, 'asset' | 'holding' | 'account'>) {
  const { t, exact, date } = useWords();
  const asks = asset.accreditationType;
  const isVerified = account?.accreditationStatus === 'completed';
  const next = holding === undefined ? null : nextFree(holding, Date.now());
  const state =
    asks === null ? (
      <State tone="ok">{t('me.anybody')}</State>
    ) : isVerified ? (
      <State tone="ok">{t('me.accredited')}</State>
    ) : (
      <State tone="warn">{t('me.asks', { rule: asks })}</State>
    );
  const isKnown = account?.kycStatus === 'completed';
  const identity = <State tone={isKnown ? 'ok' : 'warn'}>{t(isKnown ? 'me.known' : 'me.unknown')}</State>;
  return (
    <div className="pad">
      <FactList
        rows={[
          [t('me.identity'), identity],
          [t('me.accreditation'), state],
          [t('me.hold'), `${exact(holding?.quantity ?? '0')} ${asset.symbol}`],
          holding === undefined ? null : [t('me.free'), `${exact(freeQuantity(holding, Date.now()))} ${asset.symbol}`],
          next === null
            ? null
            : [t('me.next'), t('me.next_value', { quantity: exact(next.quantity), date: date(next.date) })],
          [t('me.hours'), t(asset.tradingHours === 'always' ? 'me.always' : 'me.exchange_hours')],
        ]}
      />
      <p className="small dim">{t('me.preview')}</p>
    </div>
  );
}
