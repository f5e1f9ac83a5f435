import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Column } from '../../parts/columns.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { SelectField } from '../../parts/field.tsx';
import { State } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { TableChoices } from '../../parts/table-choices.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { AccountLink } from '../parts/links.tsx';
import { Pager } from '../parts/pager.tsx';
import { accountsQuery, type ListedAccount } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';

const route = getRouteApi('/own/venue/operator/accounts');

export function AccountsPage() {
  const { o, t } = useOperatorWords();
  const { frozen, cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(accountsQuery({ frozen, cursor }));
  usePageTitle(t('accounts.title'));
  const columns = useAccountColumns();
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{t('accounts.title')}</h1>
          <p className="lede">{o('accounts.lede')}</p>
        </div>
      </div>
      <section className="panel">
        <header className="filters">
          <SelectField<'' | 'true' | 'false'>
            label={t('column.state')}
            value={frozen ?? ''}
            options={[
              { value: '', label: t('filter.all') },
              { value: 'true', label: o('account_state.frozen') },
              { value: 'false', label: o('account_state.free') },
            ]}
            onChange={(next) => void navigate({ search: next === '' ? {} : { frozen: next } })}
          />
          <span className="end">
            <TableChoices name="accounts" columns={columns} />
          </span>
        </header>
        <ReadBlock query={query} failed={o('accounts.failed')} rows={6}>
          {({ rows, next }) =>
            rows.length === 0 ? (
              <Empty
                title={o(frozen === 'true' ? 'accounts.none_frozen' : 'accounts.none')}
                text={o('accounts.none_text')}
              />
            ) : (
              <>
                <DataTable
                  name="accounts"
                  caption={t('accounts.title')}
                  columns={columns}
                  rows={rows}
                  keyOf={(row) => row.accountId}
                  roomy
                />
                <Pager cursor={cursor} next={next} />
              </>
            )
          }
        </ReadBlock>
      </section>
    </div>
  );
}

function useAccountColumns(): readonly Column<ListedAccount>[] {
  const { o, t } = useOperatorWords();
  return [
    {
      name: 'person',
      title: o('column.person'),
      isFixed: true,
      cell: (row) => <AccountLink id={row.accountId}>{row.name ?? row.accountId}</AccountLink>,
    },
    {
      name: 'state',
      title: t('column.state'),
      cell: (row) => (
        <State tone={row.facts.frozen ? 'bad' : 'ok'}>
          {o(row.facts.frozen ? 'account_state.frozen' : 'account_state.free')}
        </State>
      ),
    },
    { name: 'known', title: o('account.known'), cell: (row) => row.facts.kycStatus },
    {
      name: 'accreditation',
      title: t('me.accreditation'),
      looks: 'less',
      cell: (row) => row.facts.accreditationStatus,
    },
    { name: 'organization', title: o('column.organization'), looks: 'less', cell: (row) => row.owner },
  ];
}
