import { useQuery } from '@tanstack/react-query';
import { FactList, Panel, State } from '../parts/panel.tsx';
import { Empty, ReadBlock } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { type Overview, overviewQuery, storesQuery, type Waiting } from './queries.ts';
import { type OperatorWords, useOperatorWords } from './use-operator-words.ts';

const BYTES_OF_MB = 1_000_000;

/** What runs behind trading: jobs, what others are told, blocks, bridge, broker, room. */
export function PartsPage() {
  const { o } = useOperatorWords();
  const overview = useQuery(overviewQuery);
  usePageTitle(o('parts.title'));
  return (
    <div className="page mid">
      <div className="page-head">
        <div>
          <h1>{o('parts.title')}</h1>
          <p className="lede">{o('parts.lede')}</p>
        </div>
      </div>
      <div className="columns">
        <div className="stack">
          <Panel title={o('parts.jobs')}>
            <ReadBlock query={overview} failed={o('home.failed')} rows={10}>
              {({ jobs }) => (jobs === null ? <Away /> : <Jobs jobs={jobs} />)}
            </ReadBlock>
          </Panel>
          <Stores />
        </div>
        <div className="stack">
          <Panel title={o('parts.deliveries')} padded>
            <ReadBlock query={overview} failed={o('home.failed')} rows={3}>
              {({ deliveries }) =>
                deliveries === null ? (
                  <Away />
                ) : (
                  <Counts
                    rows={[
                      ['parts.events', deliveries.events],
                      ['parts.mails', deliveries.mails],
                      ['parts.endpoints', deliveries.disabledEndpoints],
                    ]}
                  />
                )
              }
            </ReadBlock>
          </Panel>
          <Panel title={o('parts.chain')} padded>
            <ReadBlock query={overview} failed={o('home.failed')} rows={4}>
              {({ chain }) => (chain === null ? <Away /> : <Chain chain={chain} />)}
            </ReadBlock>
          </Panel>
          <Panel title={o('parts.bridge')} padded>
            <ReadBlock query={overview} failed={o('home.failed')} rows={2}>
              {({ bridge }) => (bridge === null ? <Away /> : <Bridge bridge={bridge} />)}
            </ReadBlock>
          </Panel>
          <Panel title={o('parts.broker')} padded>
            <ReadBlock query={overview} failed={o('home.failed')} rows={1}>
              {({ broker }) =>
                broker === null ? <Away /> : <Counts rows={[['parts.uncompared', broker.uncompared]]} />
              }
            </ReadBlock>
          </Panel>
        </div>
      </div>
    </div>
  );
}

function Away() {
  const { o } = useOperatorWords();
  return <p className="note warn">{o('parts.away')}</p>;
}

function countOf({ count, isMore, oldestAt }: Waiting, { o, whole, dateTime }: OperatorWords): string {
  const n = isMore ? o('home.more', { n: whole(count) }) : whole(count);
  return oldestAt === null ? n : `${n}, ${o('home.oldest', { time: dateTime(oldestAt) })}`;
}

type CountRow = readonly [
  key: 'parts.events' | 'parts.mails' | 'parts.endpoints' | 'parts.uncompared' | 'parts.under_way',
  waiting: Waiting,
];

function Counts({ rows }: { readonly rows: readonly CountRow[] }) {
  const words = useOperatorWords();
  return <FactList rows={rows.map(([key, waiting]) => [words.o(key), countOf(waiting, words)] as const)} />;
}

function Bridge({ bridge }: { readonly bridge: NonNullable<Overview['bridge']> }) {
  const words = useOperatorWords();
  const { o, dateTime } = words;
  return (
    <FactList
      rows={[
        [o('parts.under_way'), countOf(bridge.underWay, words)],
        ...bridge.changingPlaces.map(
          ({ organization, from }) => [`${o('parts.places')}: ${organization}`, dateTime(from)] as const,
        ),
      ]}
    />
  );
}

function Chain({ chain }: { readonly chain: NonNullable<Overview['chain']> }) {
  const { o, whole, dateTime } = useOperatorWords();
  const waits = [chain.blocksWaitFor, chain.checkpointsWaitFor, chain.registryWaitsFor].filter((why) => why !== null);
  const number = (n: string | null) => (n === null ? '–' : whole(n));
  return (
    <FactList
      rows={[
        [o('parts.height'), `${number(chain.height)} / ${number(chain.finalHeight)}`],
        [
          o('parts.registry'),
          chain.registryWaitingSince === null
            ? number(chain.registryWaiting)
            : `${number(chain.registryWaiting)}, ${o('home.oldest', { time: dateTime(chain.registryWaitingSince) })}`,
        ],
        [
          o('parts.waits_for'),
          waits.length === 0 && chain.unanswered.length === 0 ? (
            <State key="w" tone="ok">
              {o('parts.nothing')}
            </State>
          ) : (
            <State key="w" tone="warn">
              {[...waits, ...chain.unanswered].join('; ')}
            </State>
          ),
        ],
      ]}
    />
  );
}

const OUTCOMES = { done: 'parts.done', goes_on: 'parts.goes_on', failed: 'parts.job_failed' } as const;

function Jobs({ jobs }: { readonly jobs: NonNullable<Overview['jobs']> }) {
  const { o, whole, dateTime } = useOperatorWords();
  const sorted = [...jobs].sort((a, b) => badnessOf(b) - badnessOf(a) || a.job.localeCompare(b.job));
  return (
    <section className="scroll" aria-label={o('parts.jobs')}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{o('parts.job')}</th>
            <th scope="col" className="right less">
              {o('parts.every')}
            </th>
            <th scope="col">{o('parts.last')}</th>
            <th scope="col">{o('parts.outcome')}</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map(
            ({ job, everyMinutes, lastEndedAt, outcome, failuresInRow, isOverdue, lastFailedAt, lastFailure }) => (
              <tr key={job}>
                <th scope="row">
                  {job.replaceAll('_', ' ')}
                  {lastFailedAt !== null && (
                    <small className="dim">
                      {' '}
                      {o('parts.failure')} {dateTime(lastFailedAt)}: {lastFailure}
                    </small>
                  )}
                </th>
                <td className="right less">{o('parts.minutes', { n: whole(everyMinutes) })}</td>
                <td>{lastEndedAt === null ? o('parts.never') : dateTime(lastEndedAt)}</td>
                <td>
                  {isOverdue ? (
                    <State tone="warn">{o('parts.overdue')}</State>
                  ) : outcome === null ? (
                    '–'
                  ) : (
                    <State tone={outcome === 'failed' ? 'bad' : outcome === 'done' ? 'ok' : 'run'}>
                      {o(OUTCOMES[outcome])}
                      {Number(failuresInRow) > 1 && `, ${o('parts.in_row', { n: whole(failuresInRow) })}`}
                    </State>
                  )}
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </section>
  );
}

function badnessOf({ isOverdue, outcome }: NonNullable<Overview['jobs']>[number]): number {
  return (isOverdue ? 2 : 0) + (outcome === 'failed' ? 1 : 0);
}

function Stores() {
  const { o, whole, number } = useOperatorWords();
  const stores = useQuery(storesQuery);
  return (
    <Panel title={o('parts.stores')}>
      <ReadBlock query={stores} failed={o('parts.stores_failed')} rows={3}>
        {(read) =>
          read.length === 0 ? (
            <Empty title={o('parts.stores_none')} text={o('parts.stores_none_text')} />
          ) : (
            <div className="pad">
              <FactList
                rows={read.map(({ store, bytes, bytesMax, daysLeft }) => [
                  store,
                  `${number(String(Number(bytes) / BYTES_OF_MB), 1)} / ${whole(Math.round(Number(bytesMax) / BYTES_OF_MB))} MB, ${
                    daysLeft === null
                      ? o('parts.days_none')
                      : `${o('parts.days').toLowerCase()} ${o('parts.days_left', { n: whole(daysLeft) })}`
                  }`,
                ])}
              />
            </div>
          )
        }
      </ReadBlock>
    </Panel>
  );
}
