import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Segments, SelectField } from '../../parts/field.tsx';
import { State } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { useSession } from '../../session/session.ts';
import {
  type BrokerBreak,
  type BrokerDifference,
  breaksQuery,
  differencesQuery,
  type PrimeEvent,
  primeEventsQuery,
} from '../desk-queries.ts';
import { mayRunVenue } from '../may-see.ts';
import { Pager } from '../parts/pager.tsx';
import { shortId } from '../parts/short-id.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { toneOfBreak, toneOfDifference } from './break-words.ts';
import { ClosePrimeEvent } from './close-prime-event.tsx';

const route = getRouteApi('/own/venue/operator/breaks');
const SHOWN = ['breaks', 'differences', 'events'] as const;

/** Where brokers and we do not agree: reports that fit no order, differences of the last comparison, events that no book took. */
export function BreaksPage() {
  const { o, t } = useOperatorWords();
  const { show: named, state = 'open' } = route.useSearch();
  // The router keeps a value of the address that its check has left out.
  const show = SHOWN.find((known) => known === named) ?? 'breaks';
  const navigate = route.useNavigate();
  usePageTitle(t('desk.breaks'));
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{t('desk.breaks')}</h1>
          <p className="lede">{o(`breaks.lede_${show}`)}</p>
        </div>
      </div>
      <section className="panel">
        <header className="filters">
          <Segments
            label={o('breaks.show')}
            value={show}
            options={SHOWN.map((value) => ({
              value,
              label: o(`breaks.${value}`),
            }))}
            onChange={(next) => void navigate({ search: { show: next } })}
          />
          {show === 'breaks' && (
            <SelectField
              label={t('column.state')}
              value={state}
              options={(['open', 'resolved', 'all'] as const).map((value) => ({
                value,
                label: value === 'all' ? t('filter.all') : o(`breaks.${value}`),
              }))}
              onChange={(next) => void navigate({ search: { show, state: next } })}
            />
          )}
        </header>
        {show === 'breaks' && <Breaks />}
        {show === 'differences' && <Differences />}
        {show === 'events' && <PrimeEvents />}
      </section>
    </div>
  );
}

function Breaks() {
  const { o } = useOperatorWords();
  const { state = 'open', cursor } = route.useSearch();
  const query = useQuery(breaksQuery({ state, cursor }));
  return (
    <ReadBlock query={query} failed={o('breaks.failed')} rows={6}>
      {({ rows, next }) =>
        rows.length === 0 ? (
          <Empty title={o(state === 'open' ? 'breaks.none' : 'breaks.none_fits')} text={o('breaks.none_text')} />
        ) : (
          <>
            <BreakTable rows={rows} />
            <Pager cursor={cursor} next={next} />
          </>
        )
      }
    </ReadBlock>
  );
}

function BreakTable({ rows }: { readonly rows: readonly BrokerBreak[] }) {
  const { o, t, dateTime, price, exact } = useOperatorWords();
  return (
    <div className="scroll">
      <table className="table roomy">
        <caption className="hidden-text">{o('breaks.breaks')}</caption>
        <thead>
          <tr>
            <th>{o('break.kind')}</th>
            <th>{t('column.market')}</th>
            <th className="right less">{t('column.quantity')}</th>
            <th className="right less">{t('column.price')}</th>
            <th>{t('column.state')}</th>
            <th className="less">{t('column.time')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.symbol} ${row.id}`}>
              <td>
                <Link
                  to="/operator/breaks/$symbol/$breakId"
                  params={{ symbol: row.symbol, breakId: row.id }}
                  className="strong"
                >
                  {o(`break_kind.${row.kind}`)}
                </Link>
              </td>
              <td>{row.symbol}</td>
              <td className="right less">{row.quantity === null ? '–' : exact(row.quantity)}</td>
              <td className="right less">{row.price === null ? '–' : price(row.price)}</td>
              <td>
                <State tone={toneOfBreak(row.state)}>{o(`break_state.${row.state}`)}</State>
              </td>
              <td className="less nowrap">{dateTime(row.timestamp)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Differences() {
  const { o } = useOperatorWords();
  const { cursor } = route.useSearch();
  const query = useQuery(differencesQuery({ cursor }));
  return (
    <ReadBlock query={query} failed={o('differences.failed')} rows={6}>
      {({ rows, next }) =>
        rows.length === 0 ? (
          <Empty title={o('differences.none')} text={o('differences.none_text')} />
        ) : (
          <>
            <DifferenceTable rows={rows} />
            <Pager cursor={cursor} next={next} />
          </>
        )
      }
    </ReadBlock>
  );
}

function DifferenceTable({ rows }: { readonly rows: readonly BrokerDifference[] }) {
  const { o, t, dateTime } = useOperatorWords();
  return (
    <div className="scroll">
      <table className="table roomy">
        <caption className="hidden-text">{o('breaks.differences')}</caption>
        <thead>
          <tr>
            <th>{t('column.market')}</th>
            <th>{o('difference.what')}</th>
            <th>{t('column.state')}</th>
            <th className="less">{o('difference.since')}</th>
            <th className="less">{o('difference.compared')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.symbol} ${row.kind} ${row.orderId}`}>
              <td>
                <Link to="/operator/markets/$symbol" params={{ symbol: row.symbol }}>
                  {row.symbol}
                </Link>
              </td>
              <td>
                <span className="strong">{o(`difference.${row.kind}`)}</span>
                <small>{row.detail}</small>
                {row.orderId !== null && (
                  <small>
                    <Link to="/operator/search" search={{ id: row.orderId }}>
                      {shortId(row.orderId)}
                    </Link>
                  </small>
                )}
              </td>
              <td>
                <State tone={toneOfDifference(row)}>{o(row.isBreak ? 'difference.break' : 'difference.once')}</State>
              </td>
              <td className="less nowrap">{dateTime(row.firstSeenAt)}</td>
              <td className="less">
                {row.comparedAt === null ? '–' : dateTime(row.comparedAt)}
                {row.failingSince !== null && (
                  <small>{o('difference.failing', { time: dateTime(row.failingSince) })}</small>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function PrimeEvents() {
  const { o, dateTime } = useOperatorWords();
  const session = useSession();
  const query = useQuery(primeEventsQuery);
  const [closing, setClosing] = useState<PrimeEvent | null>(null);
  return (
    <>
      <ReadBlock query={query} failed={o('prime.failed')} rows={6}>
        {(events) =>
          events.length === 0 ? (
            <Empty title={o('prime.none')} text={o('prime.none_text')} />
          ) : (
            <ul className="todo">
              {events.map((event) => (
                <li key={event.id}>
                  <div>
                    <strong>{event.reason}</strong>
                    <p className="small dim">
                      {dateTime(event.receivedAt)} · <code>{event.id}</code>
                    </p>
                    {event.body !== null && (
                      <details>
                        <summary className="small">{o('prime.body')}</summary>
                        <pre className="code-block">{event.body}</pre>
                      </details>
                    )}
                  </div>
                  {mayRunVenue(session) && (
                    <button type="button" className="button small-button" onClick={() => setClosing(event)}>
                      {o('prime.close')}
                    </button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </ReadBlock>
      {closing !== null && (
        <ClosePrimeEvent
          event={closing}
          changed={query.data?.every(({ id }) => id !== closing.id) === true}
          onClose={() => setClosing(null)}
        />
      )}
    </>
  );
}
