import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { Column } from '../../parts/columns.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { SelectField } from '../../parts/field.tsx';
import { State } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { TableChoices } from '../../parts/table-choices.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { useSession } from '../../session/session.ts';
import { type VenueAsset, venueAssetsQuery } from '../desk-queries.ts';
import { mayRunVenue } from '../may-see.ts';
import { Pager } from '../parts/pager.tsx';
import { useOperatorWords } from '../use-operator-words.ts';
import { NewAsset } from './asset-form.tsx';
import { ASSET_STATUSES, type ListedCategory, toneOfAsset } from './asset-words.ts';

const route = getRouteApi('/own/venue/operator/assets');

/** Every asset, whatever its state: also those that nobody else sees. */
export function VenueAssetsPage() {
  const { o, t } = useOperatorWords();
  const { status, search, cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const session = useSession();
  const [typed, setTyped] = useState(search ?? '');
  const [isNew, setNew] = useState(false);
  const query = useQuery(venueAssetsQuery({ status, search, cursor }));
  usePageTitle(t('desk.assets'));
  const columns = useAssetColumns();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const words = typed.trim();
    void navigate({ search: { ...(status && { status }), ...(words !== '' && { search: words }) } });
  };
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{t('desk.assets')}</h1>
          <p className="lede">{o('assets.lede')}</p>
        </div>
        {mayRunVenue(session) && (
          <button type="button" className="button primary" onClick={() => setNew(true)}>
            {o('assets.new')}
          </button>
        )}
      </div>
      <section className="panel">
        <header className="filters">
          <form className="row" role="search" onSubmit={submit}>
            <input
              className="input search"
              type="search"
              name="search"
              aria-label={o('assets.search')}
              placeholder={o('assets.search')}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </form>
          <SelectField<VenueAsset['status'] | ''>
            label={t('column.state')}
            value={status ?? ''}
            options={[
              { value: '', label: t('filter.all') },
              ...ASSET_STATUSES.map((value) => ({ value, label: o(`asset_state.${value}`) })),
            ]}
            onChange={(next) =>
              void navigate({ search: { ...(search && { search }), ...(next !== '' && { status: next }) } })
            }
          />
          <span className="end">
            <TableChoices name="venue-assets" columns={columns} />
          </span>
        </header>
        <ReadBlock query={query} failed={o('assets.failed')} rows={8}>
          {({ rows, next }) =>
            rows.length === 0 ? (
              <Empty title={o('assets.none')} text={o('assets.none_text')} />
            ) : (
              <>
                <DataTable
                  name="venue-assets"
                  caption={t('desk.assets')}
                  columns={columns}
                  rows={rows}
                  keyOf={(row) => row.id}
                  roomy
                />
                <Pager cursor={cursor} next={next} />
              </>
            )
          }
        </ReadBlock>
      </section>
      {isNew && <NewAsset onClose={() => setNew(false)} />}
    </div>
  );
}

function useAssetColumns(): readonly Column<VenueAsset>[] {
  const { o, t } = useOperatorWords();
  return [
    {
      name: 'asset',
      title: t('column.asset'),
      isFixed: true,
      cell: (row) => (
        <>
          <Link to="/operator/assets/$assetId" params={{ assetId: row.id }} className="strong">
            {row.symbol}
          </Link>
          <small>{row.name}</small>
        </>
      ),
    },
    {
      name: 'kind',
      title: t('column.kind'),
      looks: 'less',
      cell: (row) => t(`category.${row.category as ListedCategory}`),
    },
    {
      name: 'rail',
      title: t('column.rail'),
      looks: 'less',
      cell: (row) => (row.marketRail === null ? '–' : t(`rail.${row.marketRail}`)),
    },
    {
      name: 'route',
      title: o('column.route'),
      looks: 'less',
      cell: (row) => (row.executionRoute === null ? '–' : o(`route.${row.executionRoute}`)),
    },
    {
      name: 'state',
      title: t('column.state'),
      cell: (row) => (
        <>
          <State tone={toneOfAsset(row.status)}>{o(`asset_state.${row.status}`)}</State>
          {!row.tradeable && <small>{o('asset.not_tradeable')}</small>}
        </>
      ),
    },
  ];
}
