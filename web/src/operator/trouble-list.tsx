import { Link } from '@tanstack/react-router';
import type { HaltStep } from './queries.ts';
import type { Remedy, Trouble } from './troubles.ts';
import { type OperatorKey, type OperatorWords, useOperatorWords } from './use-operator-words.ts';

/** What needs a person, each with where it is mended. */
export function TroubleList({ troubles }: { readonly troubles: readonly Trouble[] }) {
  const words = useOperatorWords();
  const { o, dateTime } = words;
  return (
    <ul className="trouble">
      {troubles.map((trouble) => (
        <li key={trouble.id} className={trouble.tone}>
          <div>
            <strong>{titleOf(trouble, words)}</strong>
            {trouble.step !== null && (
              <p>
                {whoAndWhy(trouble.step, words)}, {o('trouble.since', { time: dateTime(trouble.step.at) })}
              </p>
            )}
            {trouble.words !== null && <p>{trouble.words}</p>}
            {trouble.until !== null && <p>{o('trouble.until', { time: dateTime(trouble.until) })}</p>}
          </div>
          <RemedyLink remedy={trouble.remedy} about={titleOf(trouble, words)} />
        </li>
      ))}
    </ul>
  );
}

function RemedyLink({ remedy, about }: { readonly remedy: Remedy; readonly about: string }) {
  const { o } = useOperatorWords();
  const text = (
    <>
      {o('home.what_to_do')}
      <span className="hidden-text">: {about}</span>
    </>
  );
  if (remedy.page === 'market')
    return (
      <Link to="/operator/markets/$symbol" params={{ symbol: remedy.symbol }} className="button">
        {text}
      </Link>
    );
  return (
    <Link to={`/operator/${remedy.page}`} className="button">
      {text}
    </Link>
  );
}

function titleOf({ title }: Trouble, { o, many, dateTime }: OperatorWords): string {
  if ('count' in title) return many(title.count, title.n);
  const { cause, part, time, ...facts } = title.facts ?? {};
  return o(title.key, {
    ...facts,
    ...(cause === undefined ? {} : { cause: o(cause as OperatorKey) }),
    ...(part === undefined ? {} : { part: o(part as OperatorKey) }),
    ...(time === undefined ? {} : { time: dateTime(String(time)) }),
  });
}

/** Who has done a step, and the reason that they gave. */
export function whoAndWhy({ actor, actorName, reason }: HaltStep, { o }: Pick<OperatorWords, 'o'>): string {
  const name = actorName ?? actor;
  return reason === null ? o('trouble.no_reason', { name }) : o('trouble.by', { name, reason });
}
