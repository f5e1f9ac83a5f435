import { dataOf, exchange } from '../../api/client.ts';
import { Field, SelectField } from '../../parts/field.tsx';
import { useCustomerWords } from '../../texts/use-customer-words.ts';
import { ActDialog, type ActHeaders } from '../act-dialog.tsx';
import { useFormDraft } from '../parts/use-form-draft.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import type { Incident } from './incident-queries.ts';

const TITLE_LENGTH_MAX = 120;
const WORDS_LENGTH_MAX = 1_000;

type Part = Incident['parts'][number];
type State = Incident['state'];

const PARTS = [
  'trading',
  'market_data',
  'money',
  'sign_in',
  'partners',
  'bridge',
  'events',
] as const satisfies readonly Part[];
const STATES = ['investigating', 'identified', 'monitoring', 'resolved'] as const satisfies readonly State[];

interface IncidentDialogProps {
  /** Null opens another one. */
  readonly incident: Incident | null;
  readonly state?: State;
  readonly onClose: () => void;
}

/** Tells the public of a disturbance: the words take the place of a reason, since everybody reads them. */
export function IncidentDialog({ incident, state = 'investigating', onClose }: IncidentDialogProps) {
  const { o } = useOperatorWords();
  const { c } = useCustomerWords();
  const draft = useFormDraft(`incident ${incident?.id ?? 'new'} ${state}`, {
    title: '',
    parts: (incident?.parts ?? []).join(' '),
    state: incident === null ? 'investigating' : state,
  });
  const { change } = draft;
  const { title } = draft.form;
  const chosen = draft.form.state as State;
  const parts = PARTS.filter((part) => draft.form.parts.split(' ').includes(part));
  const lacksTitle = incident === null && title.trim() === '';
  const send = async (words: string, header: ActHeaders) => {
    if (incident === null) {
      const opening = chosen === 'resolved' ? 'investigating' : chosen;
      const body = { title: title.trim(), parts: [...parts], state: opening, words };
      await dataOf(exchange.POST('/v1/operator/incidents', { params: { header }, body }));
      return o('incident.opened_said');
    }
    // What another operator changes of the parts meanwhile stays, unless this one changes them, too.
    const isOwn = draft.form.parts !== draft.start.parts;
    const body = { state: chosen, words, ...(isOwn ? { parts: [...parts] } : {}) };
    const call = { params: { path: { id: incident.id }, header }, body };
    await dataOf(exchange.POST('/v1/operator/incidents/{id}/updates', call));
    return o('incident.told_said');
  };
  const isOver = chosen === 'resolved';
  return (
    <ActDialog
      title={o(incident === null ? 'incident.open' : isOver ? 'incident.resolve' : 'incident.again')}
      act={o(incident === null ? 'incident.open' : isOver ? 'incident.resolve' : 'incident.again')}
      name={`incident ${incident?.id ?? 'new'} ${state}`}
      draft={draft}
      blocked={lacksTitle || parts.length === 0}
      changed={incident !== null && incident.resolvedAt !== null}
      asks={{
        label: o('incident.words'),
        hint: o('incident.words_hint'),
        missing: o('incident.words_missing'),
        lengthMax: WORDS_LENGTH_MAX,
      }}
      send={send}
      onClose={onClose}
    >
      <p>{o(isOver ? 'incident.happens_resolved' : 'incident.happens')}</p>
      {incident === null ? (
        <Field
          label={o('incident.name')}
          hint={o('incident.name_hint')}
          error={lacksTitle && parts.length > 0 ? o('incident.name_missing') : null}
        >
          {({ id, describedBy, invalid }) => (
            <input
              id={id}
              name="title"
              className="input"
              maxLength={TITLE_LENGTH_MAX}
              aria-describedby={describedBy}
              aria-invalid={invalid}
              value={title}
              onChange={(event) => change({ title: event.target.value })}
            />
          )}
        </Field>
      ) : (
        <p className="strong">{incident.title}</p>
      )}
      <SelectField<State>
        label={o('incident.state')}
        value={chosen}
        options={STATES.filter((one) => incident !== null || one !== 'resolved').map((value) => ({
          value,
          label: c(`incident_state.${value}`),
        }))}
        onChange={(next) => change({ state: next })}
      />
      <fieldset className="checks">
        <legend>{o('incident.parts')}</legend>
        {parts.length === 0 && <p className="hint">{o('incident.parts_missing')}</p>}
        {PARTS.map((part) => (
          <label key={part} className="check">
            <input
              type="checkbox"
              checked={parts.includes(part)}
              onChange={(event) =>
                change({
                  parts: PARTS.filter((one) => (one === part ? event.target.checked : parts.includes(one))).join(' '),
                })
              }
            />{' '}
            {c(`status_part.${part}`)}
          </label>
        ))}
      </fieldset>
    </ActDialog>
  );
}
