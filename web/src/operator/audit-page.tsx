import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Panel, State } from '../parts/panel.tsx';
import { Empty, ProblemNote } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { auditQuery } from './queries.ts';
import { useOperatorWords } from './use-operator-words.ts';

/** Recounts everything when asked to, and says of each rule whether it holds. */
export function AuditPage() {
  const { o, many, time, whole } = useOperatorWords();
  const audit = useQuery(auditQuery);
  const { data } = audit;
  usePageTitle(o('audit.title'));
  const broken = data?.checks.filter(({ holds }) => !holds).length ?? 0;
  return (
    <div className="page mid">
      <div className="page-head">
        <div>
          <h1>{o('audit.title')}</h1>
          <p className="lede">{o('audit.lede')}</p>
        </div>
        <button
          type="button"
          className="button primary"
          disabled={audit.isFetching}
          onClick={() => void audit.refetch()}
        >
          {o(data === undefined ? 'audit.run' : 'audit.again')}
        </button>
      </div>
      {audit.isFetching && <Running />}
      {audit.error !== null && !audit.isFetching && <ProblemNote title={o('audit.failed')} error={audit.error} />}
      {data === undefined ? (
        !audit.isFetching && (
          <section className="panel">
            <Empty title={o('audit.none')} text={o('audit.none_text')} />
          </section>
        )
      ) : (
        <Panel
          title={broken === 0 ? many('audit.holds', data.checks.length) : many('audit.broken', broken)}
          aside={
            <span className="small dim">
              {o('audit.at', {
                time: time(data.endedAt),
                seconds: whole(Math.round((data.endedAt - data.beganAt) / 1_000)),
              })}
            </span>
          }
        >
          {data.unsettledBooks.length > 0 && (
            <p className="note warn">{o('audit.unsettled', { books: data.unsettledBooks.join(', ') })}</p>
          )}
          <section className="scroll" aria-label={o('audit.title')}>
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">{o('audit.result')}</th>
                  <th scope="col">{o('audit.claim')}</th>
                  <th scope="col" className="less">
                    {o('audit.invariant')}
                  </th>
                  <th scope="col" className="right less">
                    {o('audit.examined')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {[...data.checks]
                  .sort((a, b) => Number(a.holds) - Number(b.holds))
                  .map(({ invariant, claim, holds, examined, violation }) => (
                    <tr key={`${invariant} ${claim}`}>
                      <td className="nowrap">
                        <State tone={holds ? 'ok' : 'bad'}>{o(holds ? 'audit.ok' : 'audit.not')}</State>
                      </td>
                      <td className="claim">
                        {claim}
                        {violation !== null && <p className="note bad">{violation}</p>}
                      </td>
                      <td className="less">{invariant}</td>
                      <td className="right less">{whole(examined)}</td>
                    </tr>
                  ))}
              </tbody>
            </table>
          </section>
        </Panel>
      )}
    </div>
  );
}

/** How long it has been at it: there is no more to say before it ends. */
function Running() {
  const { o, whole } = useOperatorWords();
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className="note" role="status">
      {o('audit.running', { seconds: whole(seconds) })}
    </p>
  );
}
