import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { fillsQuery, holdingsQuery, portfolioQuery } from '../api/queries.ts';
import { toneOf } from '../numbers/show-number.ts';
import { FillTable } from '../orders/fill-table.tsx';
import { FactList, Panel } from '../parts/panel.tsx';
import { Empty, ReadBlock } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useWords } from '../texts/words.tsx';
import { LotTable } from './lot-table.tsx';
import { freeQuantity, nextFree } from './lots.ts';

const route = getRouteApi('/own/positions/$assetId');

export function PositionPage() {
  const { t, exact, number, signed, percent, date } = useWords();
  const { assetId } = route.useParams();
  const holdings = useQuery(holdingsQuery);
  const portfolio = useQuery(portfolioQuery);
  const fills = useQuery(fillsQuery());
  const holding = holdings.data?.find((held) => held.assetId === assetId);
  const position = portfolio.data?.data.find((held) => held.assetId === assetId);
  usePageTitle(holding?.symbol ?? t('position.title'));
  const own = (fills.data ?? []).filter(
    ({ symbol }) => holding !== undefined && symbol.startsWith(`${holding.symbol}-`),
  );
  return (
    <div className="page mid">
      <p className="crumb">
        <Link to="/positions">{t('place.positions')}</Link>
      </p>
      <ReadBlock query={holdings} failed={t('positions.failed')} rows={6}>
        {() => {
          if (holding === undefined) {
            return (
              <>
                <h1>{t('position.title')}</h1>
                <Empty
                  title={t('mine.hold_nothing')}
                  text={t('positions.none_text')}
                  action={
                    <Link to="/assets/$assetId" params={{ assetId }} className="button">
                      {t('position.to_asset')}
                    </Link>
                  }
                />
              </>
            );
          }
          const now = Date.now();
          const free = freeQuantity(holding, now);
          const next = nextFree(holding, now);
          return (
            <>
              <div className="page-head">
                <div>
                  <h1>{t('position.head', { quantity: exact(holding.quantity), symbol: holding.symbol })}</h1>
                  <p className="lede">
                    {next === null
                      ? t('position.all_free', { name: holding.name })
                      : t('position.some_free', {
                          free: exact(free),
                          quantity: exact(next.quantity),
                          date: date(next.date),
                        })}
                  </p>
                </div>
                <div className="row">
                  <Link to="/assets/$assetId" params={{ assetId }} search={{ side: 'buy' }} className="button up">
                    {t('side.buy')}
                  </Link>
                  <Link to="/assets/$assetId" params={{ assetId }} search={{ side: 'sell' }} className="button down">
                    {t('side.sell')}
                  </Link>
                </div>
              </div>
              <div className="columns">
                <div className="stack">
                  <Panel title={t('lots.title', { n: holding.lots.length })}>
                    {holding.lots.length === 0 ? (
                      <Empty title={t('lots.none')} text={t('lots.none_text')} />
                    ) : (
                      <LotTable holding={holding} />
                    )}
                  </Panel>
                  <Panel title={t('fills.title')}>
                    <ReadBlock query={fills} failed={t('fills.failed')} rows={2}>
                      {() =>
                        own.length === 0 ? (
                          <Empty title={t('fills.none')} text={t('fills.none_text')} />
                        ) : (
                          <FillTable fills={own} />
                        )
                      }
                    </ReadBlock>
                  </Panel>
                </div>
                <Panel title={t('position.figures')} padded>
                  <FactList
                    rows={[
                      [t('column.quantity'), exact(holding.quantity)],
                      [t('column.free'), exact(free)],
                      [t('positions.unsettled_name'), exact(holding.unsettledQuantity)],
                      [t('column.average_cost'), number(holding.averageCost)],
                      position === undefined ? null : [t('column.price_usd'), number(position.currentPrice)],
                      position === undefined ? null : [t('column.value_usd'), number(position.marketValue)],
                      position === undefined
                        ? null
                        : [
                            t('column.gain_usd'),
                            <span key="gain" className={toneOf(position.unrealizedPnl)}>
                              {signed(position.unrealizedPnl)} ({percent(position.unrealizedPnlPercent)})
                            </span>,
                          ],
                      [t('position.realised'), signed(holding.realizedPnl)],
                    ]}
                  />
                </Panel>
              </div>
            </>
          );
        }}
      </ReadBlock>
    </div>
  );
}
