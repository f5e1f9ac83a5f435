import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Column } from '../../parts/columns.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { TableChoices } from '../../parts/table-choices.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { PersonLink } from '../parts/links.tsx';
import { Pager } from '../parts/pager.tsx';
import { shortId } from '../parts/short-id.ts';
import { type AuditedAction, type TrailFilter, trailQuery } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { actionLabel, changesOf, reasonOf } from './action-words.ts';

const route = getRouteApi('/own/venue/operator/trail');

/** Who did what, newest first: of one object, of one person, or of one kind. */
export function TrailPage() {
  const { o, t } = useOperatorWords();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(trailQuery(filter));
  usePageTitle(t('trail.title'));
  const columns = useTrailColumns();
  const { subject, actor, type } = filter;
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{t('trail.title')}</h1>
          <p className="lede">{o('trail.lede')}</p>
        </div>
      </div>
      <section className="panel">
        <TrailFilters
          key={`${subject} ${actor} ${type}`}
          filter={filter}
          choices={<TableChoices name="trail" columns={columns} />}
          onChoose={(next) => void navigate({ search: next })}
        />
        <ReadBlock query={query} failed={o('trail.failed')} rows={8}>
          {({ rows, next }) =>
            rows.length === 0 ? (
              <Empty title={o('trail.none')} text={o('trail.none_text')} />
            ) : (
              <>
                <DataTable
                  name="trail"
                  caption={t('trail.title')}
                  columns={columns}
                  rows={rows}
                  keyOf={(row) => row.id}
                  roomy
                />
                <Pager cursor={filter.cursor} next={next} />
              </>
            )
          }
        </ReadBlock>
      </section>
    </div>
  );
}

interface FiltersProps {
  readonly filter: TrailFilter;
  readonly choices: ReactNode;
  readonly onChoose: (filter: { subject?: string; actor?: string; type?: string }) => void;
}

const NAMES = ['subject', 'actor', 'type'] as const;

function TrailFilters({ filter, choices, onChoose }: FiltersProps) {
  const { o, t } = useOperatorWords();
  const [typed, setTyped] = useState({
    subject: filter.subject ?? '',
    actor: filter.actor ?? '',
    type: filter.type ?? '',
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const chosen = NAMES.flatMap((name) => (typed[name].trim() === '' ? [] : [[name, typed[name].trim()] as const]));
    onChoose(Object.fromEntries(chosen));
  };
  return (
    <header className="filters">
      <form className="row" onSubmit={submit}>
        {NAMES.map((name) => (
          <input
            key={name}
            className="input search"
            maxLength={200}
            aria-label={o(`trail.${name}`)}
            placeholder={o(`trail.${name}`)}
            value={typed[name]}
            onChange={(event) => setTyped((before) => ({ ...before, [name]: event.target.value }))}
          />
        ))}
        <button type="submit" className="button small-button">
          {o('people.find')}
        </button>
        {NAMES.some((name) => filter[name] !== undefined) && (
          <button type="button" className="button small-button" onClick={() => onChoose({})}>
            {t('filter.clear')}
          </button>
        )}
      </form>
      <span className="end">{choices}</span>
    </header>
  );
}

function useTrailColumns(): readonly Column<AuditedAction>[] {
  const { o, t, dateTime } = useOperatorWords();
  return [
    {
      name: 'time',
      title: t('column.time'),
      isFixed: true,
      looks: 'nowrap',
      cell: (row) => (
        <>
          {dateTime(row.timestamp)}
          <small className="less">
            <CopyText text={row.requestId} shown={shortId(row.requestId)} />
          </small>
        </>
      ),
    },
    {
      name: 'what',
      title: o('trail.what'),
      cell: (row) => (
        <>
          {actionLabel(row.type)}
          {reasonOf(row) !== null && <small>{reasonOf(row)}</small>}
        </>
      ),
    },
    {
      name: 'actor',
      title: o('trail.actor'),
      cell: (row) => (
        <>
          <PersonLink id={row.actor} />
          {row.credential !== null && <small>{row.credential}</small>}
        </>
      ),
    },
    {
      name: 'subject',
      title: o('trail.subject'),
      looks: 'nowrap',
      cell: (row) => (row.subject === null ? '–' : <CopyText text={row.subject} shown={shortId(row.subject)} />),
    },
    {
      name: 'change',
      title: o('trail.change'),
      looks: 'less change',
      cell: (row) =>
        changesOf(row.before, row.after).map(({ name, before, after }) => (
          <small key={name}>
            {name}: {before ?? '–'} → {after ?? '–'}
          </small>
        )),
    },
  ];
}
