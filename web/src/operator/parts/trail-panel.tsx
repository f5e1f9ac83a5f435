import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Panel } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { trailQuery } from '../queue-queries.ts';
import { actionLabel, reasonOf } from '../trail/action-words.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { PersonLink } from './links.tsx';

/** What was done to an object, newest first, beside its facts. */
export function TrailPanel({ subject }: { readonly subject: string }) {
  const { o, t, dateTime } = useOperatorWords();
  const query = useQuery(trailQuery({ subject }, '10'));
  return (
    <Panel
      title={t('trail.title')}
      aside={
        <Link to="/operator/trail" search={{ subject }} className="small">
          {o('trail.all_of_it')}
        </Link>
      }
    >
      <ReadBlock query={query} failed={o('trail.failed')} rows={3}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty title={o('trail.none_here')} text={o('trail.none_here_text')} />
          ) : (
            <ol className="trail">
              {rows.map((row) => (
                <li key={row.id}>
                  <p>
                    <strong>{actionLabel(row.type)}</strong>{' '}
                    <span className="dim small">{dateTime(row.timestamp)}</span>
                  </p>
                  <p className="small">
                    <PersonLink id={row.actor} />
                    {reasonOf(row) !== null && <> · {reasonOf(row)}</>}
                  </p>
                </li>
              ))}
            </ol>
          )
        }
      </ReadBlock>
    </Panel>
  );
}
