import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, exchange } from '../../api/client.ts';
import type { components } from '../../api/generated/exchange-api.ts';
import { SelectField } from '../../parts/field.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { useSession } from '../../session/session.ts';
import { ActDialog } from '../act-dialog.tsx';
import { mayRunVenue } from '../may-see.ts';
import { UserLink } from '../parts/links.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useFormDraft } from '../parts/use-form-draft.ts';
import { OPERATOR_KEY, type UserDetail } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { RELATIONSHIPS } from './role-words.ts';

type Relation = components['schemas']['OperatorFamilyRelation'];

const familyQuery = (userId: string) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'family', userId],
    queryFn: async ({ signal }) =>
      (await dataOf(exchange.GET('/v1/operator/users/{id}/family', { params: { path: { id: userId } }, signal }))).data
        .relations,
  });

/** Who is family of somebody with an account: each may buy what the other may sell to family. */
export function Families({ user }: { readonly user: UserDetail }) {
  const { o, date } = useOperatorWords();
  const mayRun = mayRunVenue(useSession());
  const query = useQuery(familyQuery(user.userId));
  const [records, setRecords] = useState(false);
  const [ended, setEnded] = useState<Relation | null>(null);
  return (
    <Panel
      title={o('family.title')}
      aside={
        mayRun && (
          <button type="button" className="button small-button" onClick={() => setRecords(true)}>
            {o('family.record')}
          </button>
        )
      }
    >
      <ReadBlock query={query} failed={o('family.failed')} rows={2}>
        {(relations) =>
          relations.length === 0 ? (
            <Empty title={o('family.none')} text={o('family.none_text')} />
          ) : (
            <ul className="todo">
              {relations.map((relation) => (
                <li key={relation.id}>
                  <div>
                    <strong>{o(`relationship.${relation.relationship}`)}</strong>{' '}
                    {relation.relativeId === null ? o('family.elsewhere') : <UserLink id={relation.relativeId} />}
                    <p className="small dim">
                      {relation.evidence !== null && `${relation.evidence} · `}
                      {relation.endedAt === null
                        ? o('family.since', { date: date(relation.recordedAt) })
                        : o('family.ended', { date: date(relation.endedAt) })}
                    </p>
                  </div>
                  {mayRun && relation.endedAt === null && (
                    <button type="button" className="button small-button" onClick={() => setEnded(relation)}>
                      {o('family.end')}
                    </button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </ReadBlock>
      {records && <RecordFamily user={user} onClose={() => setRecords(false)} />}
      {ended !== null && (
        <EndFamily
          user={user}
          relation={ended}
          changed={query.data?.every(({ id, endedAt }) => id !== ended.id || endedAt !== null) === true}
          onClose={() => setEnded(null)}
        />
      )}
    </Panel>
  );
}

function RecordFamily({ user, onClose }: { readonly user: UserDetail; readonly onClose: () => void }) {
  const { o } = useOperatorWords();
  const draft = useFormDraft(`family ${user.userId}`, { relativeId: '', relationship: 'spouse', evidence: '' });
  const { form, change } = draft;
  const [relativeId, evidence] = [form.relativeId.trim(), form.evidence.trim()];
  return (
    <ActDialog
      name={`family ${user.userId}`}
      title={o('family.ask', { name: user.name })}
      act={o('family.record')}
      unreasoned
      blocked={relativeId === '' || evidence === ''}
      draft={draft}
      onClose={onClose}
      send={async (_, header) => {
        const params = { path: { id: user.userId }, header };
        const body = { relativeId, evidence, relationship: form.relationship as Relation['relationship'] };
        await dataOf(exchange.POST('/v1/operator/users/{id}/family', { params, body }));
        return o('family.said');
      }}
    >
      <p className="dim small">{o('family.happens')}</p>
      <TextField
        label={o('family.relative')}
        hint={o('family.relative_hint')}
        name="relativeId"
        value={form.relativeId}
        onChange={(value) => change({ relativeId: value })}
      />
      <SelectField
        label={o('family.relationship', { name: user.name })}
        value={form.relationship}
        options={RELATIONSHIPS.map((value) => ({ value, label: o(`relationship.${value}`) }))}
        onChange={(relationship) => change({ relationship })}
      />
      <TextField
        label={o('family.evidence')}
        name="evidence"
        value={form.evidence}
        onChange={(value) => change({ evidence: value })}
      />
    </ActDialog>
  );
}

interface EndProps {
  readonly user: UserDetail;
  readonly relation: Relation;
  readonly changed: boolean;
  readonly onClose: () => void;
}

function EndFamily({ user, relation, changed, onClose }: EndProps) {
  const { o, many } = useOperatorWords();
  return (
    <ActDialog
      name={`end family ${relation.id}`}
      title={o('family.end_ask', { name: user.name })}
      act={o('family.end')}
      danger
      changed={changed}
      onClose={onClose}
      send={async (reason, header) => {
        const params = { path: { id: user.userId, relation_id: relation.id }, header };
        const call = { params, body: { reason } };
        const { data } = await dataOf(exchange.DELETE('/v1/operator/users/{id}/family/{relation_id}', call));
        return many('family.end_said', data.cancelledOrders.length);
      }}
    >
      <p>{o('family.end_happens')}</p>
    </ActDialog>
  );
}
