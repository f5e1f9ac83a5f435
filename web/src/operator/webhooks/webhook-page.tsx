import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { dataOf, exchange } from '../../api/client.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField } from '../../parts/field.tsx';
import { FactList, Panel, State } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { useSession } from '../../session/session.ts';
import { ActDialog } from '../act-dialog.tsx';
import { type Delivery, deliveriesQuery, deliveryQuery, type Webhook, webhookQuery } from '../desk-queries.ts';
import { mayRunVenue } from '../may-see.ts';
import { ObjectPage } from '../parts/object-page.tsx';
import { Pager } from '../parts/pager.tsx';
import { TrailPanel } from '../parts/trail-panel.tsx';
import { useOperatorWords } from '../use-operator-words.ts';
import { mayReplay, stateOf, toneOfDelivery, toneOfWebhook } from './webhook-words.ts';

const route = getRouteApi('/own/venue/operator/webhooks/$webhookId');
const STATUSES = ['dead', 'waiting', 'delivered', 'skipped'] as const;

const READ_AGAIN_MS = 5_000;

export function WebhookPage() {
  const { o, t } = useOperatorWords();
  const { webhookId } = route.useParams();
  const query = useQuery(webhookQuery(webhookId));
  return (
    <ObjectPage
      title={t('desk.webhook')}
      list={<Link to="/operator/webhooks">{t('desk.webhooks')}</Link>}
      query={query}
      failed={o('webhook.failed')}
    >
      {(webhook) => <OneWebhook webhook={webhook} />}
    </ObjectPage>
  );
}

function OneWebhook({ webhook }: { readonly webhook: Webhook }) {
  const { o, whole, dateTime } = useOperatorWords();
  const { backlog } = webhook;
  const state = stateOf(webhook);
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{webhook.destination}</h1>
          <p className="lede">
            <State tone={toneOfWebhook(state)}>{o(`webhook_state.${state}`)}</State> {o(`webhook_text.${state}`)}
          </p>
        </div>
      </div>
      <div className="columns">
        <div className="stack">
          <Panel title={o('webhook.facts')} padded>
            <FactList
              rows={[
                [o('column.organization'), webhook.organization],
                webhook.description === null ? null : [o('webhook.description'), webhook.description],
                [o('webhook.events'), webhook.events.join(', ')],
                webhook.disabledReason === null
                  ? null
                  : [o('webhook.disabled_why'), o(`disabled.${webhook.disabledReason}`)],
                webhook.disabledAt === null ? null : [o('webhook.disabled_at'), dateTime(webhook.disabledAt)],
                backlog === null ? null : [o('webhook.waiting'), whole(backlog.waiting)],
                backlog?.failingSince == null ? null : [o('webhook.failing_since'), dateTime(backlog.failingSince)],
                backlog?.nextTryAt == null ? null : [o('webhook.next_try'), dateTime(backlog.nextTryAt)],
                [o('webhook.made'), dateTime(webhook.createdAt)],
                [o('webhook.id'), <CopyText key="id" text={webhook.webhookId} />],
              ]}
            />
          </Panel>
          <Deliveries webhook={webhook} />
        </div>
        <TrailPanel subject={webhook.webhookId} />
      </div>
    </>
  );
}

function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const { o, t, whole, dateTime } = useOperatorWords();
  const { status = 'dead', cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const mayRun = mayRunVenue(useSession());
  const query = useQuery(deliveriesQuery(webhook.webhookId, { status: status === 'all' ? undefined : status, cursor }));
  const [shown, setShown] = useState<Delivery | null>(null);
  const [replayed, setReplayed] = useState<Delivery | null>(null);
  return (
    <section className="panel">
      <header className="filters">
        <h2>{o('webhook.deliveries')}</h2>
        <SelectField<Delivery['status'] | 'all'>
          label={t('column.state')}
          value={status}
          options={[
            ...STATUSES.map((value) => ({ value, label: o(`delivery_state.${value}`) })),
            { value: 'all' as const, label: t('filter.all') },
          ]}
          onChange={(next) => void navigate({ search: { status: next } })}
        />
      </header>
      <ReadBlock query={query} failed={o('webhook.deliveries_failed')} rows={5}>
        {({ rows, next }) =>
          rows.length === 0 ? (
            <Empty
              title={o(status === 'dead' ? 'webhook.no_dead' : 'webhook.no_deliveries')}
              text={o('webhook.no_deliveries_text')}
            />
          ) : (
            <>
              <div className="scroll">
                <table className="table roomy">
                  <caption className="hidden-text">{o('webhook.deliveries')}</caption>
                  <thead>
                    <tr>
                      <th>{o('webhook.event')}</th>
                      <th>{t('column.state')}</th>
                      <th className="right less">{o('webhook.tries')}</th>
                      <th className="less">{o('webhook.made')}</th>
                      <th>{t('column.acts')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {rows.map((row) => (
                      <tr key={row.deliveryId}>
                        <td>
                          <span className="strong">{row.eventType}</span>
                          {row.replayOf !== null && <small>{o('webhook.is_replay')}</small>}
                        </td>
                        <td>
                          <State tone={toneOfDelivery(row.status)}>{o(`delivery_state.${row.status}`)}</State>
                          {row.reason !== null && <small>{o(`disabled.${row.reason}`)}</small>}
                          {row.sentAgain !== null && <small>{o(`webhook.sent_again.${row.sentAgain.status}`)}</small>}
                        </td>
                        <td className="right less">{whole(row.tries)}</td>
                        <td className="less nowrap">{dateTime(row.createdAt)}</td>
                        <td>
                          <span className="row">
                            <button type="button" className="button small-button" onClick={() => setShown(row)}>
                              {o('webhook.tries')}
                              <span className="hidden-text"> {row.deliveryId}</span>
                            </button>
                            {mayRun && mayReplay(row, webhook) && (
                              <button type="button" className="button small-button" onClick={() => setReplayed(row)}>
                                {o('webhook.replay')}
                                <span className="hidden-text"> {row.deliveryId}</span>
                              </button>
                            )}
                          </span>
                        </td>
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
      {shown !== null && (
        <Dialog title={shown.eventType} opened onClose={() => setShown(null)} size={640}>
          <Attempts webhookId={webhook.webhookId} delivery={shown} />
        </Dialog>
      )}
      {replayed !== null && <Replay webhook={webhook} delivery={replayed} onClose={() => setReplayed(null)} />}
    </section>
  );
}

interface AttemptsProps {
  readonly webhookId: string;
  readonly delivery: Delivery;
}

/** Each try of a message. Its body and what was answered are its owner's. */
function Attempts({ webhookId, delivery }: AttemptsProps) {
  const { o, t, dateTime, whole } = useOperatorWords();
  const query = useQuery(deliveryQuery(webhookId, delivery.deliveryId));
  return (
    <ReadBlock query={query} failed={o('webhook.deliveries_failed')} rows={4}>
      {({ attempts }) =>
        attempts.length === 0 ? (
          <Empty title={o('webhook.no_tries')} text={o('webhook.no_tries_text')} />
        ) : (
          <div className="scroll">
            <table className="table">
              <caption className="hidden-text">{o('webhook.tries')}</caption>
              <thead>
                <tr>
                  <th>{t('column.time')}</th>
                  <th>{o('webhook.answer')}</th>
                  <th className="right">ms</th>
                </tr>
              </thead>
              <tbody>
                {attempts.map((attempt) => (
                  <tr key={attempt.at}>
                    <td>{dateTime(attempt.at)}</td>
                    <td>
                      {attempt.error === null ? o('webhook.taken') : o(`attempt.${attempt.error}`)}
                      {attempt.status !== null && <small>HTTP {String(attempt.status)}</small>}
                    </td>
                    <td className="right">{whole(Math.round(Number(attempt.durationMs)))}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      }
    </ReadBlock>
  );
}

interface ReplayProps {
  readonly webhook: Webhook;
  readonly delivery: Delivery;
  readonly onClose: () => void;
}

function Replay({ webhook, delivery, onClose }: ReplayProps) {
  const { o, dateTime } = useOperatorWords();
  const { webhookId: id, destination, organization } = webhook;
  // Somebody else may send it again, or its owner, while the dialog is open.
  const { data: now = delivery } = useQuery({
    ...deliveryQuery(id, delivery.deliveryId),
    refetchOnMount: 'always',
    refetchInterval: READ_AGAIN_MS,
  });
  return (
    <ActDialog
      name={`replay ${id} ${delivery.deliveryId}`}
      title={o('webhook.replay_ask')}
      act={o('webhook.replay')}
      changed={!mayReplay(now, webhook)}
      onClose={onClose}
      send={async (reason, header) => {
        const params = { path: { id, delivery: delivery.deliveryId }, header };
        const call = { params, body: { reason } };
        await dataOf(exchange.POST('/v1/operator/webhooks/{id}/deliveries/{delivery}/replay', call));
        return o('webhook.replay_said');
      }}
    >
      <FactList
        rows={[
          [o('webhook.event'), delivery.eventType],
          [o('webhook.made'), dateTime(delivery.createdAt)],
          [o('webhook.destination'), destination],
          [o('column.organization'), organization],
        ]}
      />
      <p className="dim small">{o('webhook.replay_happens')}</p>
    </ActDialog>
  );
}
