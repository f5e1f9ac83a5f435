import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { State } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { useSession } from '../../session/session.ts';
import { useCustomerWords } from '../../texts/use-customer-words.ts';
import { Pager } from '../parts/pager.tsx';
import { useOperatorWords } from '../use-operator-words.ts';
import { IncidentDialog } from './incident-dialog.tsx';
import { incidentsQuery } from './incident-queries.ts';

const route = getRouteApi('/own/venue/operator/incidents');

/** What the public was told of disturbances, and the way to tell it. */
export function IncidentsPage() {
  const { o, t, dateTime } = useOperatorWords();
  const { c } = useCustomerWords();
  const { cursor } = route.useSearch();
  const query = useQuery(incidentsQuery(cursor));
  const session = useSession();
  const [isOpening, setOpening] = useState(false);
  usePageTitle(t('incidents.title'));
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{t('incidents.title')}</h1>
          <p className="lede">{o('incidents.lede')}</p>
        </div>
        <div className="row">
          <Link to="/status" className="button">
            {t('status.see')}
          </Link>
          {session?.powers.includes('run_venue') === true && (
            <button type="button" className="button primary" onClick={() => setOpening(true)}>
              {o('incident.open')}
            </button>
          )}
        </div>
      </div>
      <section className="panel">
        <ReadBlock query={query} failed={o('incidents.failed')} rows={4}>
          {({ rows, next }) =>
            rows.length === 0 ? (
              <Empty title={o('incidents.none')} text={o('incidents.none_text')} />
            ) : (
              <>
                <div className="scroll">
                  <table className="table roomy">
                    <caption className="hidden-text">{t('incidents.title')}</caption>
                    <thead>
                      <tr>
                        <th>{o('incident.name')}</th>
                        <th>{o('incident.state')}</th>
                        <th className="less">{o('incident.parts')}</th>
                        <th className="less">{o('incidents.updated')}</th>
                      </tr>
                    </thead>
                    <tbody>
                      {rows.map((row) => (
                        <tr key={row.id}>
                          <td>
                            <Link
                              to="/operator/incidents/$incidentId"
                              params={{ incidentId: row.id }}
                              className="strong"
                            >
                              {row.title}
                            </Link>
                          </td>
                          <td>
                            <State tone={row.resolvedAt === null ? 'warn' : 'ok'}>
                              {c(`incident_state.${row.state}`)}
                            </State>
                          </td>
                          <td className="less">{row.parts.map((part) => c(`status_part.${part}`)).join(', ')}</td>
                          <td className="less nowrap">{dateTime(row.updatedAt)}</td>
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
      {isOpening && <IncidentDialog incident={null} onClose={() => setOpening(false)} />}
    </div>
  );
}
