import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { dataOf, exchange } from '../api/client.ts';
import { CopyText } from '../parts/copy-text.tsx';
import { FactList, Panel, State } from '../parts/panel.tsx';
import { ReadBlock } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useSession } from '../session/session.ts';
import { ActDialog, type ActHeaders } from './act-dialog.tsx';
import { runbookOf } from './ledger-halt.ts';
import { mayRunVenue } from './may-see.ts';
import { type Book, booksQuery, type LedgerState, ledgerQuery } from './queries.ts';
import { useOperatorWords } from './use-operator-words.ts';

/** The ledger and every book: whether they run, how far they are behind, and what to do. */
export function LedgerPage() {
  const { o } = useOperatorWords();
  const ledger = useQuery(ledgerQuery);
  const books = useQuery(booksQuery);
  usePageTitle(o('ledger.title'));
  return (
    <div className="page mid">
      <div className="page-head">
        <div>
          <h1>{o('ledger.title')}</h1>
          <p className="lede">{o('ledger.lede')}</p>
        </div>
      </div>
      <div className="columns">
        <div className="stack">
          <Panel title={o('ledger.ledger')}>
            <ReadBlock query={ledger} failed={o('ledger.failed')} rows={4}>
              {(state) => <LedgerNow state={state} />}
            </ReadBlock>
          </Panel>
          <Panel title={o('ledger.books')}>
            <ReadBlock query={books} failed={o('ledger.books_failed')} rows={8}>
              {(read) => <Books books={read} />}
            </ReadBlock>
          </Panel>
        </div>
        <div className="stack">
          <Panel title={o('ledger.bounds')} padded>
            <ReadBlock query={ledger} failed={o('ledger.failed')} rows={8}>
              {({ bounds }) => <Bounds bounds={bounds} />}
            </ReadBlock>
          </Panel>
          <Panel title={o('ledger.rebuild')} padded>
            <ReadBlock query={ledger} failed={o('ledger.failed')} rows={3}>
              {(state) => <Rebuild state={state} />}
            </ReadBlock>
          </Panel>
        </div>
      </div>
    </div>
  );
}

function LedgerNow({ state }: { readonly state: LedgerState }) {
  const { o, whole } = useOperatorWords();
  const { halted, admits, lag } = state;
  return (
    <>
      <div className="pad">
        <FactList
          rows={[
            [
              o('column.state'),
              <State key="s" tone={halted === null && admits ? 'ok' : 'bad'}>
                {o(halted !== null ? 'ledger.stopped' : admits ? 'ledger.runs' : 'ledger.refuses')}
              </State>,
            ],
            [
              o('ledger.lag'),
              Number(lag.rows) === 0
                ? o('ledger.lag_none')
                : o('ledger.lag_rows', { rows: whole(lag.rows), seconds: whole(Math.round(Number(lag.seconds))) }),
            ],
            [o('ledger.rows'), whole(state.journaledRows)],
            [o('ledger.unsealed'), whole(state.unsealedRows)],
            [o('ledger.accounts'), whole(state.accounts)],
            [o('ledger.cancellations'), whole(state.cancellationsPending)],
          ]}
        />
      </div>
      {halted !== null && (
        <div className="runbook">
          <div>
            <h3>{o('run.head')}</h3>
            <p>{o(runbookOf(halted))}</p>
            <p className="gap-above">{o('ledger.when')}</p>
          </div>
          <div className="words note bad">
            <strong>{o('run.for_developers')}</strong>
            <pre>{halted}</pre>
            <CopyText text={halted} shown={halted.slice(0, 20)} />
          </div>
        </div>
      )}
      {halted === null && !admits && (
        <div className="runbook">
          <div>
            <h3>{o('run.head')}</h3>
            <p>{o('ledger.admits_lag')}</p>
          </div>
        </div>
      )}
    </>
  );
}

/** From so full on a bound is marked. */
const FILL_WARN = 0.7;
const FILL_BAD = 0.9;

function Bounds({ bounds }: Pick<LedgerState, 'bounds'>) {
  const { o, whole, number } = useOperatorWords();
  const sorted = [...bounds].sort((a, b) => Number(b.fill) - Number(a.fill));
  return (
    <>
      <p className="dim small">{o('ledger.bounds_text')}</p>
      <FactList
        rows={sorted.map(({ bound, used, max, fill }) => {
          const share = Number(fill);
          const tone = share >= FILL_BAD ? 'bad' : share >= FILL_WARN ? 'warn' : 'ok';
          return [
            bound.replaceAll('_', ' '),
            <State key={bound} tone={tone}>
              {number(String(share * 100), 1)} % <span className="dim small">{`${whole(used)} / ${whole(max)}`}</span>
            </State>,
          ] as const;
        })}
      />
    </>
  );
}

function Rebuild({ state: { rebuild, journaledRows, halted } }: { readonly state: LedgerState }) {
  const { o, whole, dateTime } = useOperatorWords();
  const session = useSession();
  const [opened, setOpened] = useState(false);
  const isUnderWay = rebuild !== null && rebuild.phase !== 'done' && rebuild.phase !== 'failed';
  const send = async (reason: string, header: ActHeaders) => {
    await dataOf(exchange.POST('/v1/operator/ledger/rebuild-read-model', { body: { reason }, params: { header } }));
    return o('rebuild.said');
  };
  return (
    <>
      {rebuild === null ? (
        <p className="dim small">{o('ledger.rebuild_none')}</p>
      ) : (
        <FactList
          rows={[
            [
              dateTime(rebuild.startedAt),
              <State key="p" tone={rebuild.phase === 'failed' ? 'bad' : rebuild.phase === 'done' ? 'ok' : 'run'}>
                {o(`ledger.phase.${rebuild.phase}`, {
                  done: whole(doneOf(rebuild)),
                  total: whole(rebuild.totalRows),
                })}
              </State>,
            ],
            rebuild.reason === null ? null : [o('run.for_developers'), rebuild.reason],
          ]}
        />
      )}
      <p className="dim small gap-above">{o('ledger.rebuild_when')}</p>
      {mayRunVenue(session) && halted === null && !isUnderWay && (
        <p className="gap-above">
          <button type="button" className="button" onClick={() => setOpened(true)}>
            {o('act.rebuild')}
          </button>
        </p>
      )}
      {opened && (
        <ActDialog
          name="rebuild"
          title={o('rebuild.title')}
          act={o('rebuild.act')}
          danger
          onClose={() => setOpened(false)}
          send={send}
        >
          <FactList rows={[[o('rebuild.rows'), whole(journaledRows)]]} />
          <p className="dim small">{o('rebuild.text')}</p>
        </ActDialog>
      )}
    </>
  );
}

function doneOf({ phase, verifiedRows, emptiedRows, projectedRows }: NonNullable<LedgerState['rebuild']>): string {
  if (phase === 'verifying') return verifiedRows;
  return phase === 'emptying' ? emptiedRows : projectedRows;
}

function Books({ books }: { readonly books: readonly Book[] }) {
  const { o, t, whole } = useOperatorWords();
  const sorted = [...books].sort((a, b) => weightOf(b) - weightOf(a) || a.symbol.localeCompare(b.symbol));
  return (
    <section className="scroll" aria-label={o('ledger.books')}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t('column.market')}</th>
            <th scope="col">{o('column.state')}</th>
            <th scope="col" className="right">
              {o('market.live')}
            </th>
            <th scope="col" className="right less">
              {o('market.queued')}
            </th>
            <th scope="col" className="right less">
              {o('market.outbox')}
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted.map(({ symbol, status }) => (
            <tr key={symbol}>
              <th scope="row">
                <Link to="/operator/markets/$symbol" params={{ symbol }}>
                  {symbol}
                </Link>
              </th>
              <td>
                {status === null ? (
                  <State tone="bad">{o('ledger.book_away')}</State>
                ) : status.halted === null ? (
                  <State tone="ok">{o('ledger.book_runs')}</State>
                ) : (
                  <State tone="bad">{o('ledger.book_halted')}</State>
                )}
              </td>
              <td className="right">{status === null ? '–' : whole(status.liveOrders)}</td>
              <td className="right less">{status === null ? '–' : whole(status.queued)}</td>
              <td className="right less">{status === null ? '–' : whole(status.outbox)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Trouble first, then backlog. */
function weightOf({ status }: Book): number {
  if (status === null || status.halted !== null) return Number.MAX_SAFE_INTEGER;
  return Number(status.queued) + Number(status.outbox);
}
