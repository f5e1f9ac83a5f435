import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Column } from '../../parts/columns.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { SelectField } from '../../parts/field.tsx';
import { State } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { TableChoices } from '../../parts/table-choices.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { type Webhook, webhooksQuery } from '../desk-queries.ts';
import { Pager } from '../parts/pager.tsx';
import { useOperatorWords } from '../use-operator-words.ts';
import { stateOf, toneOfWebhook } from './webhook-words.ts';

const route = getRouteApi('/own/venue/operator/webhooks');

/** Where every organization is told what happens, and how that goes. */
export function WebhooksPage() {
  const { o, t } = useOperatorWords();
  const { status, organization, cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(webhooksQuery({ status, organization, cursor }));
  usePageTitle(t('desk.webhooks'));
  const columns = useWebhookColumns();
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{t('desk.webhooks')}</h1>
          <p className="lede">{o('webhooks.lede')}</p>
        </div>
        {organization !== undefined && (
          <button type="button" className="button" onClick={() => void navigate({ search: {} })}>
            {t('filter.clear')}
          </button>
        )}
      </div>
      <section className="panel">
        <header className="filters">
          <SelectField<'enabled' | 'disabled' | ''>
            label={t('column.state')}
            value={status ?? ''}
            options={[
              { value: '', label: t('filter.all') },
              { value: 'enabled', label: o('webhooks.enabled') },
              { value: 'disabled', label: o('webhooks.disabled') },
            ]}
            onChange={(next) =>
              void navigate({ search: { ...(organization && { organization }), ...(next !== '' && { status: next }) } })
            }
          />
          <span className="end">
            <TableChoices name="webhooks" columns={columns} />
          </span>
        </header>
        <ReadBlock query={query} failed={o('webhooks.failed')} rows={6}>
          {({ rows, next }) =>
            rows.length === 0 ? (
              <Empty title={o('webhooks.none')} text={o('webhooks.none_text')} />
            ) : (
              <>
                <DataTable
                  name="webhooks"
                  caption={t('desk.webhooks')}
                  columns={columns}
                  rows={rows}
                  keyOf={(row) => row.webhookId}
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

function useWebhookColumns(): readonly Column<Webhook>[] {
  const { o, t, whole, dateTime } = useOperatorWords();
  return [
    {
      name: 'destination',
      title: o('webhook.destination'),
      isFixed: true,
      cell: (row) => (
        <>
          <Link to="/operator/webhooks/$webhookId" params={{ webhookId: row.webhookId }} className="strong">
            {row.destination}
          </Link>
          <small>
            <Link to="/operator/webhooks" search={{ organization: row.organization }}>
              {row.organization}
            </Link>
          </small>
        </>
      ),
    },
    {
      name: 'state',
      title: t('column.state'),
      cell: (row) => (
        <>
          <State tone={toneOfWebhook(stateOf(row))}>{o(`webhook_state.${stateOf(row)}`)}</State>
          {row.disabledReason !== null && <small>{o(`disabled.${row.disabledReason}`)}</small>}
        </>
      ),
    },
    {
      name: 'waiting',
      title: o('webhook.waiting'),
      looks: 'right',
      cell: (row) => (row.backlog === null ? '–' : whole(row.backlog.waiting)),
    },
    {
      name: 'failing_since',
      title: o('webhook.failing_since'),
      looks: 'less',
      cell: (row) => (row.backlog?.failingSince == null ? '–' : dateTime(row.backlog.failingSince)),
    },
    {
      name: 'next_try',
      title: o('webhook.next_try'),
      looks: 'less',
      cell: (row) => (row.backlog?.nextTryAt == null ? '–' : dateTime(row.backlog.nextTryAt)),
    },
  ];
}
