import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ApiProblem } from '../../api/api-problem.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { FactList, Panel, State } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { bridgeQuery, bridgeTransfersQuery, tenantsQuery } from '../desk-queries.ts';
import { Pager } from '../parts/pager.tsx';
import { shortId } from '../parts/short-id.ts';
import { TrailPanel } from '../parts/trail-panel.tsx';
import { useOperatorWords } from '../use-operator-words.ts';
import { minutesOf, shortAddress, toneOfTransfer } from './bridge-words.ts';
import { Signers } from './signers.tsx';

const route = getRouteApi('/own/venue/operator/bridge/$organization');

/** The bridge of an organization: tenants, what it has set, where it has its assets, its signers and transfers. */
export function BridgePage() {
  const { t } = useOperatorWords();
  const { organization } = route.useParams();
  usePageTitle(`${t('desk.bridge')} ${organization}`);
  return (
    <div className="page">
      <p className="crumb">
        <Link to="/operator/bridge">{t('desk.bridge')}</Link>
      </p>
      <div className="page-head">
        <h1>{organization}</h1>
      </div>
      <div className="columns">
        <div className="stack">
          <Transfers organization={organization} />
          <Signers organization={organization} />
          <Settings organization={organization} />
          <Tenants organization={organization} />
        </div>
        <TrailPanel subject={organization} />
      </div>
    </div>
  );
}

interface PartProps {
  readonly organization: string;
}

function Transfers({ organization }: PartProps) {
  const { o, t, dateTime } = useOperatorWords();
  const { cursor } = route.useSearch();
  const query = useQuery(bridgeTransfersQuery(organization, { cursor }));
  return (
    <Panel title={o('bridge.transfers')}>
      <ReadBlock query={query} failed={o('bridge.transfers_failed')} rows={4}>
        {({ rows, next }) =>
          rows.length === 0 ? (
            <Empty title={o('bridge.no_transfers')} text={o('bridge.no_transfers_text')} />
          ) : (
            <>
              <div className="scroll">
                <table className="table roomy">
                  <caption className="hidden-text">{o('bridge.transfers')}</caption>
                  <thead>
                    <tr>
                      <th>{o('bridge.transfer')}</th>
                      <th>{t('column.asset')}</th>
                      <th className="less">{o('bridge.way')}</th>
                      <th>{t('column.state')}</th>
                      <th className="less">{o('bridge.changed')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {rows.map((row) => (
                      <tr key={row.transferId}>
                        <td>
                          <Link
                            to="/operator/bridge/$organization/$transferId"
                            params={{ organization, transferId: row.transferId }}
                            className="strong"
                          >
                            {shortId(row.transferId)}
                          </Link>
                        </td>
                        <td>{row.asset ?? '–'}</td>
                        <td className="less">
                          {row.source === null || row.destination === null
                            ? '–'
                            : `${row.source.chain ?? o('bridge.exchange')} → ${row.destination.chain ?? o('bridge.exchange')}`}
                        </td>
                        <td>
                          <State tone={toneOfTransfer(row.state)}>{o(`bridge_state.${row.state}`)}</State>
                        </td>
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
    </Panel>
  );
}

function Settings({ organization }: PartProps) {
  const { o, number, whole, dateTime } = useOperatorWords();
  const query = useQuery(bridgeQuery(organization));
  if (query.error instanceof ApiProblem && query.error.status === 404)
    return (
      <Panel title={o('bridge.settings')}>
        <Empty title={o('bridge.nothing_set')} text={o('bridge.nothing_set_text')} />
      </Panel>
    );
  return (
    <ReadBlock query={query} failed={o('bridge.settings_failed')} rows={6}>
      {(set) => (
        <>
          <Panel title={o('bridge.settings')} padded>
            <FactList
              rows={[
                [o('bridge.guard'), <Address key="g" of={set.guard} />],
                [o('bridge.stake'), <Address key="s" of={set.stake} />],
                [o('bridge.fee'), `${number(String(Number(set.feeBps) / 100))} %`],
                [o('bridge.quote'), o('bridge.minutes', { n: whole(minutesOf(String(set.quoteMs))) })],
                [o('bridge.queue'), o('bridge.minutes', { n: whole(minutesOf(String(set.queueMs))) })],
                [o('bridge.answer'), o('bridge.minutes', { n: whole(minutesOf(String(set.answerMs))) })],
                [
                  o('bridge.co_sign'),
                  Object.entries(set.coSignFrom)
                    .map(([symbol, amount]) => `${symbol} ${whole(String(amount))}`)
                    .join(', ') || '–',
                ],
              ]}
            />
            {set.next !== null && (
              <div className="note warn">
                <strong>{o('bridge.next', { time: dateTime(set.next.from) })}</strong>
                <FactList
                  rows={[
                    [o('bridge.guard'), <Address key="g" of={set.next.guard} />],
                    [o('bridge.stake'), <Address key="s" of={set.next.stake} />],
                  ]}
                />
              </div>
            )}
          </Panel>
          <Panel title={o('bridge.places')}>
            {set.vaults.length === 0 ? (
              <Empty title={o('bridge.no_places')} text={o('bridge.no_places_text')} />
            ) : (
              <div className="scroll">
                <table className="table roomy">
                  <caption className="hidden-text">{o('bridge.places')}</caption>
                  <thead>
                    <tr>
                      <th>{o('bridge.place')}</th>
                      <th>{o('bridge.contract')}</th>
                      <th className="less">{o('bridge.scheme')}</th>
                      <th>{o('bridge.changes_at')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {set.vaults.map((vault) => (
                      <tr key={`${vault.origin} ${vault.assetId} ${vault.chain}`}>
                        <td>
                          <span className="strong">{vault.assetId}</span>
                          <small>
                            {vault.origin === vault.chain ? vault.chain : `${vault.origin} → ${vault.chain}`} ·{' '}
                            {vault.place.network}
                          </small>
                        </td>
                        <td>
                          {vault.place.contract === null ? (
                            (vault.place.custody?.provider ?? '–')
                          ) : (
                            <Address of={vault.place.contract} />
                          )}
                        </td>
                        <td className="less">{vault.place.keys.scheme}</td>
                        <td>{vault.next === null ? '–' : dateTime(vault.next.from)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )}
          </Panel>
        </>
      )}
    </ReadBlock>
  );
}

function Tenants({ organization }: PartProps) {
  const { o, whole } = useOperatorWords();
  const query = useQuery(tenantsQuery(organization));
  return (
    <ReadBlock query={query} failed={o('bridge.tenants_failed')} rows={4}>
      {({ tenants, keys }) => (
        <>
          <Panel title={o('bridge.tenants')}>
            {tenants.length === 0 ? (
              <Empty title={o('bridge.no_tenants')} text={o('bridge.no_tenants_text')} />
            ) : (
              <ul className="todo">
                {tenants.map((tenant) => (
                  <li key={tenant.hostname}>
                    <div>
                      <strong>{tenant.name}</strong>
                      <p className="small dim">
                        {tenant.hostname} · {o(`signing_mode.${tenant.signingMode}`)}
                        {tenant.singleOperator && ` · ${o('bridge.single_operator')}`}
                      </p>
                      <p className="small">{tenant.chains.join(', ')}</p>
                    </div>
                    <State tone={tenant.isEnabled ? 'ok' : 'none'}>
                      {o(tenant.isEnabled ? 'webhooks.enabled' : 'webhooks.disabled')}
                    </State>
                  </li>
                ))}
              </ul>
            )}
          </Panel>
          {keys.length > 0 && (
            <Panel title={o('bridge.keys')} padded>
              <FactList
                rows={keys.map((key) => [
                  `${key.scheme}, ${o('bridge.generation', { n: whole(key.generation) })}`,
                  <Address key={key.scheme} of={key.groupKey} />,
                ])}
              />
            </Panel>
          )}
        </>
      )}
    </ReadBlock>
  );
}

function Address({ of }: { readonly of: string }) {
  return <CopyText text={of} shown={shortAddress(of)} />;
}
