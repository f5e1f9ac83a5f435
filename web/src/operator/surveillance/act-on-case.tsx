import { dataOf, exchange, sent } from '../../api/client.ts';
import { SelectField } from '../../parts/field.tsx';
import { FactList } from '../../parts/panel.tsx';
import { useSession } from '../../session/session.ts';
import { ActDialog, type ActHeaders } from '../act-dialog.tsx';
import { useFormDraft } from '../parts/use-form-draft.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import type { SurveillanceCase } from './case-queries.ts';
import { actsOf, CASE_OUTCOMES, type CaseAct } from './case-words.ts';

const NOTE_LENGTH_MAX = 4_000;

type Outcome = (typeof CASE_OUTCOMES)[number];

interface ActOnCaseProps {
  readonly found: SurveillanceCase;
  readonly act: CaseAct;
  readonly onClose: () => void;
}

/** One act on the case as it stood when the dialog was opened: the API refuses where somebody else has changed it meanwhile. */
export function ActOnCase({ found, act, onClose }: ActOnCaseProps) {
  const { o, t } = useOperatorWords();
  const session = useSession();
  const draft = useFormDraft(`surveillance ${act} ${found.id}`, { version: String(found.version), outcome: '' });
  const [version, outcome] = [draft.form.version, draft.form.outcome as Outcome | ''];
  const viewer = session?.user_id;
  const send = async (words: string, header: ActHeaders) => {
    const call = { params: { path: { id: found.id }, header } };
    const read = { version: sent(version), reason: words };
    const own = { ...read, assignee: act === 'take' ? (viewer ?? null) : null };
    switch (act) {
      case 'note':
        await dataOf(exchange.POST('/v1/operator/surveillance/{id}/notes', { ...call, body: { text: words } }));
        break;
      case 'take':
      case 'leave':
        await dataOf(exchange.POST('/v1/operator/surveillance/{id}/assign', { ...call, body: own }));
        break;
      case 'close':
        if (outcome === '') break;
        await dataOf(exchange.POST('/v1/operator/surveillance/{id}/close', { ...call, body: { ...read, outcome } }));
        break;
      case 'reopen':
        await dataOf(exchange.POST('/v1/operator/surveillance/{id}/reopen', { ...call, body: read }));
    }
    return o(`surveillance_said.${act}`);
  };
  return (
    <ActDialog
      title={o(`surveillance_ask.${act}`)}
      act={o(`surveillance_act.${act}`)}
      name={`surveillance ${act} ${found.id}`}
      draft={draft}
      blocked={act === 'close' && outcome === ''}
      changed={(act !== 'note' && String(found.version) !== version) || !actsOf(found, viewer).includes(act)}
      {...(act === 'note' && {
        asks: {
          label: o('surveillance.note'),
          hint: o('surveillance.note_hint'),
          missing: o('surveillance.note_missing'),
          lengthMax: NOTE_LENGTH_MAX,
        },
      })}
      send={send}
      onClose={onClose}
    >
      <p>{o(`surveillance_happens.${act}`)}</p>
      <FactList
        rows={[
          [o('surveillance.rule'), o(`surveillance_rule.${found.rule}`)],
          [t('column.market'), found.market],
          [o('surveillance.people'), found.people.map(({ userId, name }) => name ?? userId).join(', ')],
        ]}
      />
      {act === 'close' && (
        <SelectField<Outcome | ''>
          label={o('surveillance.outcome')}
          value={outcome}
          options={[
            { value: '', label: o('surveillance.outcome_needed') },
            ...CASE_OUTCOMES.map((value) => ({ value, label: o(`surveillance_outcome.${value}`) })),
          ]}
          onChange={(next) => draft.change({ outcome: next })}
        />
      )}
    </ActDialog>
  );
}
