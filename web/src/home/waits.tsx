import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ExchangePaths } from '../../../clients/sdk/exchange.ts';
import { dataOf, exchange } from '../api/client.ts';
import type { Answer } from '../api/queries.ts';
import { Panel } from '../parts/panel.tsx';
import { ReadBlock } from '../parts/read-block.tsx';
import { useCustomerWords } from '../texts/use-customer-words.ts';

type Task = Answer<ExchangePaths, '/v1/account/tasks'>['data'][number];

const POLL_MS = 60_000;

const tasksQuery = queryOptions({
  queryKey: ['own', 'tasks'],
  queryFn: async ({ signal }) => (await dataOf(exchange.GET('/v1/account/tasks', { signal }))).data,
  refetchInterval: POLL_MS,
});

/** What only I can move on, each with the way there. */
export function Waits() {
  const { c, t, dateTime } = useCustomerWords();
  const query = useQuery(tasksQuery);
  const count = query.data?.length ?? 0;
  return (
    <Panel title={t('home.waits')} aside={count > 0 ? <span className="dim small">{count}</span> : undefined}>
      <ReadBlock query={query} failed={c('tasks.failed')} rows={2}>
        {(tasks) =>
          tasks.length === 0 ? (
            <p className="none dim">{t('home.nothing_waits')}</p>
          ) : (
            <ul className="todo">
              {tasks.map((task) => {
                const facts = { time: task.dueAt === null ? '' : dateTime(task.dueAt) };
                return (
                  <li key={`${task.kind} ${task.subject}`}>
                    <div>
                      <h3>{c(`task.${task.kind}`, facts)}</h3>
                      <p>{c(`task.${task.kind}_text`, facts)}</p>
                    </div>
                    <WayThere task={task} />
                  </li>
                );
              })}
            </ul>
          )
        }
      </ReadBlock>
    </Panel>
  );
}

/** The way to where it is done. What is done with an identity provider that is not the venue's own has none. */
function WayThere({ task: { kind, subject, page } }: { readonly task: Task }) {
  const { t } = useCustomerWords();
  const looks = 'button small-button';
  if (page !== null) {
    return (
      <a href={page} className={looks}>
        {t('waits.see')}
      </a>
    );
  }
  if (subject !== null) {
    return (
      <Link to="/account/money/$requestId" params={{ requestId: subject }} className={looks}>
        {t('waits.see')}
      </Link>
    );
  }
  if (!kind.startsWith('accreditation_')) return null;
  return (
    <Link to="/account/accreditation" className={looks}>
      {t('waits.see')}
    </Link>
  );
}
