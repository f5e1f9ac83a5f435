import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { SelectField } from '../../parts/field.tsx';
import { State } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { AccountLink } from '../parts/links.tsx';
import { Pager } from '../parts/pager.tsx';
import { accountsQuery } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';

const route = getRouteApi('/own/venue/operator/accounts');

export function AccountsPage() {
  const { o, t } = useOperatorWords();
  const { frozen, cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(accountsQuery({ frozen, cursor }));
  usePageTitle(t('accounts.title'));
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
                <div className="scroll">
                  <table className="table roomy">
                    <caption className="hidden-text">{t('accounts.title')}</caption>
                    <thead>
                      <tr>
                        <th>{o('column.person')}</th>
                        <th>{t('column.state')}</th>
                        <th>{o('account.known')}</th>
                        <th className="less">{t('me.accreditation')}</th>
                        <th className="less">{o('column.organization')}</th>
                      </tr>
                    </thead>
                    <tbody>
                      {rows.map(({ accountId, name, owner, facts }) => (
                        <tr key={accountId}>
                          <td>
                            <AccountLink id={accountId}>{name ?? accountId}</AccountLink>
                          </td>
                          <td>
                            <State tone={facts.frozen ? 'bad' : 'ok'}>
                              {o(facts.frozen ? 'account_state.frozen' : 'account_state.free')}
                            </State>
                          </td>
                          <td>{facts.kycStatus}</td>
                          <td className="less">{facts.accreditationStatus}</td>
                          <td className="less">{owner}</td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
                <Pager cursor={cursor} next={next} />
              </>
            )
          }
        </ReadBlock>
      </section>
    </div>
  );
}
