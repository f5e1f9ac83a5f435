import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { type Asset, assetsQuery, holdingsQuery, navigationQuery } from '../api/queries.ts';
import { compare } from '../numbers/decimal.ts';
import { toneOf } from '../numbers/show-number.ts';
import { Segments } from '../parts/field.tsx';
import { State } from '../parts/panel.tsx';
import { Empty, ReadBlock } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { usePreferences } from '../session/preferences.tsx';
import { useWords } from '../texts/words.tsx';
import { type Chosen, chooseAssets, type SortKey } from './choose-assets.ts';
import { Star } from './star.tsx';

const route = getRouteApi('/own/markets');

export function MarketsPage() {
  const { t, count } = useWords();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: rails = [] } = useQuery(navigationQuery);
  const query = useQuery(assetsQuery);
  const { data: holdings = [] } = useQuery(holdingsQuery);
  const { preferences } = usePreferences();
  usePageTitle(t('place.markets'));
  const categoriesOfRail = useMemo(
    () => new Map(rails.map(({ id, categories }) => [id, categories.map((category) => category.id)])),
    [rails],
  );
  const held = useMemo(() => new Set(holdings.map(({ assetId }) => assetId)), [holdings]);
  const watched = useMemo(() => new Set(preferences.watchlist), [preferences.watchlist]);
  const set = (changed: Partial<Chosen>) =>
    void navigate({
      search: (before) =>
        Object.fromEntries(
          Object.entries({ ...before, ...changed }).filter(([, value]) => value !== undefined && value !== ''),
        ),
      replace: true,
    });
  const shown = chooseAssets(query.data ?? [], search, { categoriesOfRail, held, watched });
  const categories = rails.find(({ id }) => id === search.rail)?.categories ?? [];
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{query.data === undefined ? t('place.markets') : count('markets.title', query.data.length)}</h1>
          <p className="lede">{t('markets.lede')}</p>
        </div>
      </div>
      <section className="panel">
        <header className="filters">
          <input
            className="input search"
            type="search"
            data-page-search
            aria-label={t('markets.search')}
            placeholder={t('markets.search')}
            value={search.search ?? ''}
            onChange={(event) => set({ search: event.target.value })}
          />
          <Segments
            label={t('markets.rail')}
            value={search.only === 'watched' ? 'watched' : search.only === 'held' ? 'held' : (search.rail ?? '')}
            options={[
              { value: '', label: t('filter.all') },
              ...rails.map(({ id, label }) => ({ value: id, label: railLabel(id, label, t) })),
              { value: 'watched', label: t('markets.watchlist') },
              { value: 'held', label: t('markets.held') },
            ]}
            onChange={(value) =>
              value === 'watched' || value === 'held'
                ? set({ rail: undefined, category: undefined, only: value })
                : set({ rail: value === '' ? undefined : value, category: undefined, only: undefined })
            }
          />
          {categories.length > 1 && (
            <Segments
              label={t('markets.category')}
              value={search.category ?? ''}
              options={[
                { value: '', label: t('filter.all') },
                ...categories.map(({ id, label }) => ({ value: id, label: categoryLabel(id, label, t) })),
              ]}
              onChange={(value) => set({ category: value === '' ? undefined : value })}
            />
          )}
        </header>
        <ReadBlock query={query} failed={t('markets.failed')} rows={10}>
          {() =>
            shown.length > 0 ? (
              <AssetTable
                assets={shown}
                sort={search.sort}
                order={search.order ?? 'asc'}
                onSort={(sort, order) => set({ sort, order })}
              />
            ) : (
              <Empty
                title={
                  search.only === 'watched'
                    ? t('markets.none_watched')
                    : t('markets.none', { search: search.search ?? '' })
                }
                text={t(search.only === 'watched' ? 'markets.none_watched_text' : 'markets.none_text')}
                action={
                  <button type="button" className="button" onClick={() => void navigate({ search: {} })}>
                    {t('filter.clear')}
                  </button>
                }
              />
            )
          }
        </ReadBlock>
      </section>
    </div>
  );
}

const ROW_PX = 49;

interface AssetTableProps {
  readonly assets: readonly Asset[];
  readonly sort: SortKey | undefined;
  readonly order: 'asc' | 'desc';
  readonly onSort: (sort: SortKey, order: 'asc' | 'desc') => void;
}

/** Only rows near the window are drawn: a list of thousands is as quick as this one. */
function AssetTable({ assets, sort, order, onSort }: AssetTableProps) {
  const { t } = useWords();
  const table = useRef<HTMLTableElement>(null);
  const rows = useWindowVirtualizer({
    count: assets.length,
    estimateSize: () => ROW_PX,
    overscan: 12,
    scrollMargin: table.current?.offsetTop ?? 0,
  });
  const drawn = rows.getVirtualItems();
  const [first, last] = [drawn[0], drawn.at(-1)];
  const above = first === undefined ? 0 : first.start - rows.options.scrollMargin;
  const below = last === undefined ? 0 : rows.getTotalSize() - (last.end - rows.options.scrollMargin);
  const head = (key: SortKey, label: string, className?: string) => (
    <th className={className} aria-sort={sort === key ? (order === 'asc' ? 'ascending' : 'descending') : undefined}>
      <button type="button" onClick={() => onSort(key, sort === key && order === 'asc' ? 'desc' : 'asc')}>
        {label}
      </button>
    </th>
  );
  return (
    <div className="scroll-narrow">
      <table className="table roomy markets" ref={table} aria-rowcount={assets.length + 1}>
        <caption className="hidden-text">{t('place.markets')}</caption>
        <thead>
          <tr>
            <th className="star-cell">
              <span className="hidden-text">{t('markets.watchlist')}</span>
            </th>
            {head('symbol', t('column.asset'))}
            {head('name', t('column.name'), 'less')}
            <th className="less">{t('column.kind')}</th>
            {head('price', t('column.price_usd'), 'right')}
            {head('change', t('column.change'), 'right')}
            <th className="less">{t('column.state')}</th>
            <th className="less">
              <span className="hidden-text">{t('column.acts')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {above > 0 && <Spacer height={above} />}
          {drawn.map(({ index, key }) => {
            const asset = assets[index];
            return asset === undefined ? null : <AssetRow key={key} asset={asset} index={index} />;
          })}
          {below > 0 && <Spacer height={below} />}
        </tbody>
      </table>
    </div>
  );
}

function Spacer({ height }: { readonly height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row cannot be focused
    <tr aria-hidden="true" className="spacer">
      <td colSpan={8} style={{ height }} />
    </tr>
  );
}

function AssetRow({ asset, index }: { readonly asset: Asset; readonly index: number }) {
  const { t, number, signed, percent } = useWords();
  const navigate = route.useNavigate();
  const tone = toneOf(asset.change ?? '0');
  const hasPrice = compare(asset.price ?? '0', '0') > 0;
  const decimals = priceDecimals(asset.price ?? '0');
  const open = (side?: 'buy' | 'sell') =>
    void navigate({
      to: '/assets/$assetId',
      params: { assetId: asset.id },
      search: side === undefined ? {} : { side },
    });
  return (
    <tr aria-rowindex={index + 2} className={asset.stale ? 'old' : undefined} onDoubleClick={() => open()}>
      <td className="star-cell">
        <Star assetId={asset.id} symbol={asset.symbol} />
      </td>
      <td>
        <span className="with-image">
          <img
            src={`/console/call/exchange/v1/assets/${encodeURIComponent(asset.id)}/image`}
            alt=""
            width="24"
            height="24"
            loading="lazy"
          />
          <span>
            <Link to="/assets/$assetId" params={{ assetId: asset.id }} className="strong">
              {asset.symbol}
            </Link>
            <small className="narrow">{asset.name}</small>
          </span>
        </span>
      </td>
      <td className="less">{asset.name}</td>
      <td className="less dim">{categoryLabel(asset.type, asset.type, t)}</td>
      <td className="right">
        {hasPrice ? number(asset.price ?? '0', decimals) : <span className="dim">{t('head.no_price')}</span>}
      </td>
      <td className={`right ${tone ?? 'dim'}`}>
        {hasPrice ? (
          <>
            {percent(asset.changesPercentage ?? '0')}
            <small className={tone}>{signed(asset.change ?? '0', decimals)}</small>
          </>
        ) : (
          '–'
        )}
      </td>
      <td className="less">
        {asset.stale ? (
          <State tone="warn">{t('market.stale')}</State>
        ) : (
          <State tone={asset.type === 'pre-ipo' ? 'wait' : 'ok'}>
            {t(asset.type === 'pre-ipo' ? 'market.indications' : 'market.listed')}
          </State>
        )}
      </td>
      <td className="less right">
        <span className="acts">
          <button type="button" className="link" onClick={() => open('buy')}>
            {t('side.buy')}
            <span className="hidden-text"> {asset.symbol}</span>
          </button>
          <button type="button" className="link" onClick={() => open('sell')}>
            {t('side.sell')}
            <span className="hidden-text"> {asset.symbol}</span>
          </button>
        </span>
      </td>
    </tr>
  );
}

/** Small prices have more decimals, as their markets do. */
function priceDecimals(price: string): number {
  return compare(price, '5') < 0 ? 4 : 2;
}

type Say = ReturnType<typeof useWords>['t'];

/** Names that the venue may add later are shown as it names them. */
export function railLabel(id: string, label: string, t: Say): string {
  return id === 'public' || id === 'private' || id === 'digital' ? t(`rail.${id}`) : label;
}

export function categoryLabel(id: string, label: string, t: Say): string {
  switch (id) {
    case 'stocks':
    case 'fixed-income':
    case 'commodities':
    case 'forex':
    case 'privates':
    case 'pre-ipo':
    case 'crypto':
      return t(`category.${id}`);
    default:
      return label;
  }
}
