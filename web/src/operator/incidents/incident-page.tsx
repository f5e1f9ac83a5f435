import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { FactList, Panel, State } from '../../parts/panel.tsx';
import { useSession } from '../../session/session.ts';
import { useCustomerWords } from '../../texts/use-customer-words.ts';
import { ObjectPage } from '../parts/object-page.tsx';
import { TrailPanel } from '../parts/trail-panel.tsx';
import { useOperatorWords } from '../use-operator-words.ts';
import { IncidentDialog } from './incident-dialog.tsx';
import { type Incident, incidentQuery } from './incident-queries.ts';

const route = getRouteApi('/own/venue/operator/incidents/$incidentId');

export function IncidentPage() {
  const { o, t } = useOperatorWords();
  const { incidentId } = route.useParams();
  const query = useQuery(incidentQuery(incidentId));
  return (
    <ObjectPage
      title={t('incident.title')}
      list={<Link to="/operator/incidents">{t('incidents.title')}</Link>}
      query={query}
      failed={o('incident.failed')}
    >
      {(incident) => <OneIncident incident={incident} />}
    </ObjectPage>
  );
}

function OneIncident({ incident }: { readonly incident: Incident }) {
  const { o, dateTime } = useOperatorWords();
  const { c } = useCustomerWords();
  const session = useSession();
  const [next, setNext] = useState<Incident['state'] | null>(null);
  const isOpen = incident.resolvedAt === null;
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{incident.title}</h1>
          <p className="lede">
            <State tone={isOpen ? 'warn' : 'ok'}>{c(`incident_state.${incident.state}`)}</State>
          </p>
        </div>
        {isOpen && session?.powers.includes('run_venue') === true && (
          <div className="row">
            <button type="button" className="button" onClick={() => setNext(incident.state)}>
              {o('incident.again')}
            </button>
            <button type="button" className="button primary" onClick={() => setNext('resolved')}>
              {o('incident.resolve')}
            </button>
          </div>
        )}
      </div>
      <div className="columns">
        <div className="stack">
          <Panel title={o('incident.told')} padded>
            <ol className="trail">
              {incident.updates.map((update) => (
                <li key={update.at}>
                  <p>
                    <strong>{c(`incident_state.${update.state}`)}</strong>{' '}
                    <span className="dim small">{dateTime(update.at)}</span>
                  </p>
                  <p className="told">{update.words}</p>
                </li>
              ))}
            </ol>
            <FactList
              rows={[
                [o('incident.parts'), incident.parts.map((part) => c(`status_part.${part}`)).join(', ')],
                [o('incident.opened'), dateTime(incident.openedAt)],
                incident.resolvedAt === null ? null : [o('incident.resolved_at'), dateTime(incident.resolvedAt)],
              ]}
            />
          </Panel>
        </div>
        <TrailPanel subject={incident.id} />
      </div>
      {next !== null && <IncidentDialog incident={incident} state={next} onClose={() => setNext(null)} />}
    </>
  );
}
