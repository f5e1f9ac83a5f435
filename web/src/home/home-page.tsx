import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import type { CSSProperties } from 'react';
import {
  accountQuery,
  assetsQuery,
  navigationQuery,
  openOrdersQuery,
  type Position,
  portfolioQuery,
} from '../api/queries.ts';
import { railLabel } from '../markets/markets-page.tsx';
import { add, type Decimal, divide, multiply, round, sign, subtract, sum, toPixels } from '../numbers/decimal.ts';
import { toneOf } from '../numbers/show-number.ts';
import { OrderTable } from '../orders/order-table.tsx';
import { sectionOf } from '../pages.ts';
import { FactList, Panel } from '../parts/panel.tsx';
import { Empty, ReadBlock } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { usePreferences } from '../session/preferences.tsx';
import { useSession } from '../session/session.ts';
import { useWords } from '../texts/words.tsx';
import { ValueLine } from './value-line.tsx';
import { Waits } from './waits.tsx';

export function HomePage() {
  const { t } = useWords();
  const session = useSession();
  usePageTitle(t('place.home'));
  // Who runs the venue and has no account begins with what needs them.
  const section = sectionOf(session);
  if (session?.account === null && section !== null) return <Navigate to={section} replace />;
  if (session?.account === null) {
    return (
      <div className="page mid">
        <h1>{t('home.no_account')}</h1>
        <p className="lede">{t('home.no_account_text', { organization: session.organization.name })}</p>
      </div>
    );
  }
  return <OwnHome />;
}

function OwnHome() {
  const { t, count, number, signed, percent, dateTime } = useWords();
  const account = useQuery(accountQuery);
  const portfolio = useQuery(portfolioQuery);
  const orders = useQuery(openOrdersQuery);
  const positions = portfolio.data?.data ?? [];
  const isRead = account.data !== undefined && portfolio.data !== undefined;
  const gain = round(sum(positions.map(({ unrealizedPnl }) => unrealizedPnl)), 2);
  const value = round(add(account.data?.cashBalance ?? '0', sum(positions.map(({ marketValue }) => marketValue))), 2);
  const cost = subtract(value, gain);
  const share = sign(cost) > 0 ? divide(multiply(gain, '100'), cost, 4) : '0';
  const tone = toneOf(gain);
  return (
    <div className="page mid">
      <h1 className="hidden-text">{t('place.home')}</h1>
      <div className="page-head">
        <div>
          <p className="small dim">
            {t('home.value', { time: dateTime(portfolio.dataUpdatedAt === 0 ? Date.now() : portfolio.dataUpdatedAt) })}
          </p>
          <p className="display">
            {isRead ? number(value) : '–'} <span>USD</span>
          </p>
          {isRead && (
            <p className={`medium ${tone ?? 'dim'}`}>
              {tone !== undefined && <span aria-hidden="true">{tone === 'up' ? '↑ ' : '↓ '}</span>}
              {t('home.gain', { amount: signed(gain), percent: percent(share) })}
            </p>
          )}
        </div>
        <div className="row">
          <Link to="/account/transactions" className="button">
            {t('transactions.title')}
          </Link>
          <Link to="/markets" className="button primary">
            {t('home.trade')}
          </Link>
        </div>
      </div>
      <div className="columns">
        <div className="stack">
          <ValueLine />
          <Panel
            title={t('home.positions')}
            aside={
              <Link to="/positions" className="small">
                {t('home.all_positions')}
              </Link>
            }
          >
            <ReadBlock query={portfolio} failed={t('positions.failed')} rows={5}>
              {() =>
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
                  <LargestPositions positions={positions} total={value} />
                )
              }
            </ReadBlock>
          </Panel>
          <Panel title={t('home.by_rail')}>
            <ReadBlock query={portfolio} failed={t('positions.failed')} rows={3}>
              {() => <ByRail positions={positions} cash={account.data?.cashBalance ?? '0'} total={value} />}
            </ReadBlock>
          </Panel>
          <Panel
            title={t('home.orders')}
            aside={
              <Link to="/orders" className="small">
                {t('home.all_orders')}
              </Link>
            }
          >
            <ReadBlock query={orders} failed={t('orders.failed')} rows={3}>
              {(open) =>
                open.length === 0 ? (
                  <Empty
                    title={t('orders.none_open')}
                    text={t('orders.none_open_text')}
                    action={
                      <Link to="/markets" className="button">
                        {t('orders.to_markets')}
                      </Link>
                    }
                  />
                ) : (
                  <OrderTable orders={open.slice(0, 10)} caption={t('home.orders')} />
                )
              }
            </ReadBlock>
          </Panel>
        </div>
        <div className="stack">
          <Waits />
          <Panel
            title={t('home.cash')}
            padded
            aside={
              <Link to="/account/transactions" className="small">
                {t('transactions.title')}
              </Link>
            }
          >
            <ReadBlock query={account} failed={t('account.failed')} rows={4}>
              {({ cashBalance, unsettledCash, buyingPower }) => (
                <FactList
                  summed
                  rows={[
                    [t('home.free'), `${number(buyingPower)} USD`],
                    [
                      count('home.held', orders.data?.length ?? 0),
                      `${number(subtract(subtract(cashBalance, unsettledCash), buyingPower))} USD`,
                    ],
                    [t('home.unsettled'), `${number(unsettledCash)} USD`],
                    [t('home.cash'), `${number(cashBalance)} USD`],
                  ]}
                />
              )}
            </ReadBlock>
          </Panel>
          <Panel title={t('home.profit')} padded>
            <ReadBlock query={portfolio} failed={t('positions.failed')} rows={2}>
              {({ realized }) => (
                <FactList
                  rows={[
                    [
                      t('home.realised'),
                      <span
                        key="r"
                        className={toneOf(realized.realizedPnl)}
                      >{`${signed(realized.realizedPnl)} ${realized.currency}`}</span>,
                    ],
                    [t('home.not_realised'), <span key="u" className={tone}>{`${signed(gain)} USD`}</span>],
                  ]}
                />
              )}
            </ReadBlock>
          </Panel>
          <Watchlist />
        </div>
      </div>
    </div>
  );
}

function LargestPositions({ positions, total }: { readonly positions: readonly Position[]; readonly total: Decimal }) {
  const { t, number, signed, exact } = useWords();
  const largest = [...positions].sort((a, b) => -sign(subtract(a.marketValue, b.marketValue))).slice(0, 5);
  return (
    <table className="table">
      <caption className="hidden-text">{t('home.positions')}</caption>
      <thead>
        <tr>
          <th>{t('column.asset')}</th>
          <th className="right less">{t('column.quantity')}</th>
          <th className="right">{t('column.value_usd')}</th>
          <th className="right">{t('column.gain_usd')}</th>
          <th className="less share-cell">{t('column.share')}</th>
        </tr>
      </thead>
      <tbody>
        {largest.map((position) => (
          <tr key={position.assetId} className={position.stale ? 'old' : undefined}>
            <td>
              <Link to="/assets/$assetId" params={{ assetId: position.assetId }} className="strong">
                {position.symbol}
              </Link>{' '}
              <span className="dim less-inline">{position.name}</span>
            </td>
            <td className="right less">{exact(position.quantity)}</td>
            <td className="right">{number(position.marketValue)}</td>
            <td className={`right ${toneOf(position.unrealizedPnl) ?? ''}`}>{signed(position.unrealizedPnl)}</td>
            <td className="less share-cell">
              <ShareBar part={position.marketValue} of={total} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Each kind of asset has one category of one rail; cash stands beside them. */
function ByRail({
  positions,
  cash,
  total,
}: {
  readonly positions: readonly Position[];
  readonly cash: Decimal;
  readonly total: Decimal;
}) {
  const { t, number, signed } = useWords();
  const { data: rails = [] } = useQuery(navigationQuery);
  const rows = rails
    .map(({ id, label, categories }) => {
      const own = positions.filter(({ type }) => categories.some((category) => category.id === type));
      return {
        id,
        label: railLabel(id, label, t),
        value: round(sum(own.map(({ marketValue }) => marketValue)), 2),
        gain: round(sum(own.map(({ unrealizedPnl }) => unrealizedPnl)), 2),
      };
    })
    .filter(({ value }) => sign(value) !== 0);
  const gain = round(sum(rows.map((row) => row.gain)), 2);
  return (
    <table className="table">
      <caption className="hidden-text">{t('home.by_rail')}</caption>
      <thead>
        <tr>
          <th>{t('column.rail')}</th>
          <th className="right">{t('column.value_usd')}</th>
          <th className="right">{t('home.not_realised')}</th>
          <th className="less share-cell">{t('column.share')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <td>
              <Link to="/markets" search={{ rail: row.id }}>
                {row.label}
              </Link>
            </td>
            <td className="right">{number(row.value)}</td>
            <td className={`right ${toneOf(row.gain) ?? ''}`}>{signed(row.gain)}</td>
            <td className="less share-cell">
              <ShareBar part={row.value} of={total} />
            </td>
          </tr>
        ))}
        <tr>
          <td>{t('home.cash')}</td>
          <td className="right">{number(cash)}</td>
          <td className="right dim">{t('home.not_applicable')}</td>
          <td className="less share-cell">
            <ShareBar part={cash} of={total} />
          </td>
        </tr>
      </tbody>
      <tfoot>
        <tr>
          <td>{t('column.sum')}</td>
          <td className="right">{number(total)}</td>
          <td className={`right ${toneOf(gain) ?? ''}`}>{signed(gain)}</td>
          <td className="less share-cell" />
        </tr>
      </tfoot>
    </table>
  );
}

function ShareBar({ part, of }: { readonly part: Decimal; readonly of: Decimal }) {
  const { number } = useWords();
  const share = sign(of) > 0 ? divide(multiply(part, '100'), of, 4) : '0';
  return (
    <span className="share">
      <span>{number(share, 1)} %</span>
      <i aria-hidden="true" style={{ '--share': `${toPixels(share).toFixed(1)}%` } as CSSProperties} />
    </span>
  );
}

function Watchlist() {
  const { t, number, percent } = useWords();
  const { preferences } = usePreferences();
  const { data: assets = [] } = useQuery(assetsQuery);
  const watched = assets.filter(({ id }) => preferences.watchlist.includes(id));
  if (watched.length === 0) return null;
  return (
    <Panel title={t('markets.watchlist')}>
      <table className="table">
        <caption className="hidden-text">{t('markets.watchlist')}</caption>
        <thead>
          <tr>
            <th>{t('column.asset')}</th>
            <th className="right">{t('column.price_usd')}</th>
            <th className="right">{t('column.change')}</th>
          </tr>
        </thead>
        <tbody>
          {watched.map((asset) => (
            <tr key={asset.id}>
              <td>
                <Link to="/assets/$assetId" params={{ assetId: asset.id }}>
                  {asset.symbol}
                </Link>
              </td>
              <td className="right">{number(asset.price ?? '0')}</td>
              <td className={`right ${toneOf(asset.changesPercentage ?? '0') ?? 'dim'}`}>
                {percent(asset.changesPercentage ?? '0')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
