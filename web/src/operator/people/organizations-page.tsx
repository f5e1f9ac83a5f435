import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { CopyText } from '../../parts/copy-text.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { Pager } from '../parts/pager.tsx';
import { organizationsQuery } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';

/** The API counts no further. */
const COUNTED_MAX = 1000;

const route = getRouteApi('/own/venue/operator/organizations');

export function OrganizationsPage() {
  const { o, t, exact, date } = useOperatorWords();
  const { cursor } = route.useSearch();
  const query = useQuery(organizationsQuery({ cursor }));
  usePageTitle(t('organizations.title'));
  return (
    <div className="page">
      <p className="crumb">
        <Link to="/operator/people">{t('people.title')}</Link>
      </p>
      <div className="page-head">
        <div>
          <h1>{t('organizations.title')}</h1>
          <p className="lede">{o('organizations.lede')}</p>
        </div>
      </div>
      <section className="panel">
        <ReadBlock query={query} failed={o('organizations.failed')} rows={6}>
          {({ rows, next }) =>
            rows.length === 0 ? (
              <Empty title={o('organizations.none')} text={o('organizations.none_text')} />
            ) : (
              <>
                <div className="scroll">
                  <table className="table roomy">
                    <caption className="hidden-text">{t('organizations.title')}</caption>
                    <thead>
                      <tr>
                        <th>{o('column.organization')}</th>
                        <th className="right">{o('organizations.people')}</th>
                        <th>{o('organizations.partner')}</th>
                        <th className="less">{o('person.since')}</th>
                      </tr>
                    </thead>
                    <tbody>
                      {rows.map((row) => (
                        <tr key={row.id}>
                          <td>
                            <Link to="/operator/people" search={{ owner: row.id }} className="strong">
                              {row.name}
                            </Link>
                            <small>
                              <CopyText text={row.id} />
                            </small>
                          </td>
                          <td className="right">
                            {Number(row.users) >= COUNTED_MAX ? `${exact(row.users)}+` : exact(row.users)}
                          </td>
                          <td>{row.partnerRole === null ? '–' : `${row.partnerRole} · ${row.partnerState}`}</td>
                          <td className="less nowrap">{date(row.createdAt)}</td>
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
