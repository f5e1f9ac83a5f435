import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FactList, Panel, State } from '../parts/panel.tsx';
import { Empty, ReadBlock } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useSession } from '../session/session.ts';
import { mayRunVenue } from './may-see.ts';
import { type Overview, overviewQuery, type WorkQueue } from './queries.ts';
import { TroubleList } from './trouble-list.tsx';
import { failingJobs, troublesOf } from './troubles.ts';
import { useOperatorWords } from './use-operator-words.ts';
import { HaltVenue } from './venue-acts.tsx';

/** Is everything all right, and what needs a person: the first page of whoever has just been woken. */
export function OperatorHome() {
  const { o, many, time } = useOperatorWords();
  const session = useSession();
  const overview = useQuery(overviewQuery);
  const troubles = overview.data === undefined ? null : troublesOf(overview.data);
  usePageTitle(o('nav.home'));
  return (
    <div className="page mid">
      <div className="page-head">
        <div>
          <h1>
            {troubles === null
              ? o('nav.home')
              : troubles.length === 0
                ? o(overview.data?.trading?.isMore === true ? 'home.runs_part' : 'home.runs')
                : many('home.troubles', troubles.length)}
          </h1>
          {overview.data !== undefined && <p className="lede">{o('home.as_of', { time: time(overview.data.at) })}</p>}
        </div>
        {mayRunVenue(session) && <HaltVenue trading={overview.data?.trading ?? null} />}
      </div>
      <div className="columns">
        <div className="stack">
          <Panel title={o('home.needs')}>
            <ReadBlock query={overview} failed={o('home.failed')} rows={4}>
              {() =>
                troubles === null || troubles.length === 0 ? (
                  <Empty
                    title={o(overview.data?.trading?.isMore === true ? 'home.runs_part' : 'home.nothing')}
                    text={o('home.nothing_text')}
                  />
                ) : (
                  <TroubleList troubles={troubles} />
                )
              }
            </ReadBlock>
            {overview.data?.trading?.isMore === true && <p className="pad small dim">{o('home.standing_more')}</p>}
          </Panel>
          <Panel title={o('home.waits')} padded>
            <ReadBlock query={overview} failed={o('home.waits_away')} rows={4}>
              {({ waiting }) => <Waits waiting={waiting} />}
            </ReadBlock>
          </Panel>
        </div>
        <Panel title={o('home.health')} padded>
          <ReadBlock query={overview} failed={o('home.failed')} rows={7}>
            {(read) => <Health overview={read} />}
          </ReadBlock>
        </Panel>
      </div>
    </div>
  );
}

function Waits({ waiting }: Pick<Overview, 'waiting'>) {
  const { o, whole, dateTime } = useOperatorWords();
  if (waiting === null) return <p className="note warn">{o('home.waits_away')}</p>;
  const rows = (Object.keys(waiting) as WorkQueue[]).filter((queue) => Number(waiting[queue].count) > 0);
  if (rows.length === 0) return <Empty title={o('home.waits_none')} text={o('home.waits_none_text')} />;
  return (
    <FactList
      rows={rows.map((queue) => {
        const { count, isMore, oldestAt } = waiting[queue];
        return [
          <>
            <QueueName queue={queue} />
            {oldestAt !== null && <small className="dim"> {o('home.oldest', { time: dateTime(oldestAt) })}</small>}
          </>,
          isMore ? o('home.more', { n: whole(count) }) : whole(count),
        ] as const;
      })}
    />
  );
}

/** By its name one comes to its page, where it has one. */
function QueueName({ queue }: { readonly queue: WorkQueue }) {
  const { o } = useOperatorWords();
  const name = o(`queue.${queue}`);
  switch (queue) {
    case 'identities':
      return <Link to="/operator/identities">{name}</Link>;
    case 'surveillance_cases':
      return <Link to="/operator/surveillance">{name}</Link>;
    case 'approvals':
      return <Link to="/operator/approvals">{name}</Link>;
    case 'transfer_requests':
      return <Link to="/operator/transfers">{name}</Link>;
    case 'approved_transfers':
      return (
        <Link to="/operator/transfers" search={{ status: 'approved' }}>
          {name}
        </Link>
      );
    case 'broker_breaks':
      return (
        <Link to="/operator/breaks" search={{ show: 'breaks' }}>
          {name}
        </Link>
      );
    case 'prime_events':
      return (
        <Link to="/operator/breaks" search={{ show: 'events' }}>
          {name}
        </Link>
      );
    case 'bridge_returns':
      return <Link to="/operator/bridge">{name}</Link>;
    default:
      return name;
  }
}

type Word = readonly [tone: 'ok' | 'warn' | 'bad' | 'none', words: string];

function Health({ overview }: { readonly overview: Overview }) {
  const { o } = useOperatorWords();
  const words = useHealth(overview);
  return (
    <FactList
      rows={(['trading', 'ledger', 'reads', 'books', 'jobs', 'deliveries', 'blocks'] as const).map((part) => {
        const [tone, text] = words[part];
        return [
          o(`health.${part}`),
          <State key={part} tone={tone}>
            {text}
          </State>,
        ] as const;
      })}
    />
  );
}

function useHealth({ trading, ledger, jobs, deliveries, chain }: Overview) {
  const { o, whole } = useOperatorWords();
  const unknown: Word = ['none', o('health.unknown')];
  const words: Record<'trading' | 'ledger' | 'reads' | 'books' | 'jobs' | 'deliveries' | 'blocks', Word> = {
    trading: unknown,
    ledger: unknown,
    reads: unknown,
    books: unknown,
    jobs: unknown,
    deliveries: unknown,
    blocks: unknown,
  };
  if (trading !== null) {
    const { open, halted } = trading.markets;
    const all = Number(open) + Number(halted);
    const still = Number(trading.standingCount);
    words.trading = trading.venueHalted
      ? ['bad', o('health.halted_all')]
      : [still === 0 ? 'ok' : 'warn', o('health.open', { open: whole(all - still), all: whole(all) })];
    const { asked, answered, halted: stopped } = trading.books;
    const bad = Number(asked) - Number(answered) + Number(stopped);
    words.books =
      bad === 0
        ? ['ok', o('health.books_all', { n: whole(answered) })]
        : ['bad', o('health.books_bad', { n: whole(bad), all: whole(asked) })];
  }
  if (ledger !== null) {
    const seconds = Math.round(Number(ledger.lag.seconds));
    words.ledger =
      ledger.halted !== null
        ? ['bad', o('health.stopped')]
        : ledger.admits
          ? ['ok', o('health.takes')]
          : ['bad', o('health.takes_none')];
    words.reads =
      seconds <= 1 ? ['ok', o('health.current')] : ['warn', o('health.behind', { seconds: whole(seconds) })];
  }
  if (jobs !== null) {
    const failing = failingJobs(jobs).length;
    words.jobs = failing === 0 ? ['ok', o('health.jobs_all')] : ['warn', o('health.jobs_bad', { n: whole(failing) })];
  }
  if (deliveries !== null) {
    const waiting = Number(deliveries.events.count) + Number(deliveries.mails.count);
    words.deliveries = waiting === 0 ? ['ok', o('health.sent')] : ['none', o('health.waiting', { n: whole(waiting) })];
  }
  if (chain !== null && chain.lag !== null && chain.finalHeight !== null) {
    words.blocks =
      Number(chain.lag) === 0
        ? ['ok', o('health.final', { height: whole(chain.finalHeight) })]
        : [chain.blocksWaitFor === null ? 'none' : 'warn', o('health.not_final', { n: whole(chain.lag) })];
  }
  return words;
}
