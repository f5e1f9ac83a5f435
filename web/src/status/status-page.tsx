import { useQuery } from '@tanstack/react-query';
import { Panel, State } from '../parts/panel.tsx';
import { ReadBlock } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useCustomerWords } from '../texts/use-customer-words.ts';
import { type PublicIncident, type PublicStatus, statusQuery } from './status-query.ts';

const TONES = { ok: 'ok', unknown: 'none', degraded: 'warn', down: 'bad' } as const;

/** Is it you or is it me: for anybody, without a session. */
export function StatusPage() {
  const { c, t } = useCustomerWords();
  const query = useQuery(statusQuery);
  usePageTitle(t('status.title'));
  return (
    <div className="page mid">
      {query.data === undefined && <h1 className="hidden-text">{t('status.title')}</h1>}
      <ReadBlock query={query} failed={c('status.failed')} rows={7}>
        {(status) => <Now status={status} />}
      </ReadBlock>
    </div>
  );
}

function Now({ status }: { readonly status: PublicStatus }) {
  const { c, dateTime } = useCustomerWords();
  const { at, state, parts, incidents, past_incidents: past } = status;
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{c(`status.${state}`)}</h1>
          <p className="lede">
            {c('status.lede')} {c('status.at', { time: dateTime(at) })}.
          </p>
        </div>
      </div>
      <div className="stack">
        {incidents === null && <p className="note warn">{c('status.incidents_unread')}</p>}
        {incidents !== null && incidents.length > 0 && (
          <Panel title={c('status.open')} padded>
            <Incidents rows={incidents} />
          </Panel>
        )}
        <Panel title={c('status.parts')}>
          <table className="table roomy wraps">
            <caption className="hidden-text">{c('status.parts')}</caption>
            <tbody>
              {parts.map((one) => (
                <tr key={one.part}>
                  <th scope="row">{c(`status_part.${one.part}`)}</th>
                  <td>
                    <State tone={TONES[one.state]}>{c(`status_reason.${one.reason ?? 'ok'}`)}</State>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Panel>
        {past !== null && (
          <Panel title={c('status.past')} padded>
            {past.length === 0 ? <p className="dim">{c('status.no_past')}</p> : <Incidents rows={past} />}
          </Panel>
        )}
      </div>
    </>
  );
}

/** What operators wrote, as they wrote it. */
function Incidents({ rows }: { readonly rows: readonly PublicIncident[] }) {
  const { c, dateTime } = useCustomerWords();
  return (
    <ul className="incidents">
      {rows.map((incident) => (
        <li key={incident.id}>
          <h3>{incident.title}</h3>
          <p className="dim small">
            {c('incident.parts', { parts: incident.parts.map((part) => c(`status_part.${part}`)).join(', ') })}
          </p>
          <ol>
            {incident.updates.map((update) => (
              <li key={update.at}>
                <p className="small">
                  <strong>{c(`incident_state.${update.state}`)}</strong>{' '}
                  <span className="dim">{dateTime(update.at)}</span>
                </p>
                <p className="told">{update.words}</p>
              </li>
            ))}
          </ol>
        </li>
      ))}
    </ul>
  );
}
