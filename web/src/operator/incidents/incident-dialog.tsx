import { useState } from 'react';
import { dataOf, exchange } from '../../api/client.ts';
import { Field, SelectField } from '../../parts/field.tsx';
import { useCustomerWords } from '../../texts/use-customer-words.ts';
import { ActDialog, type ActHeaders } from '../act-dialog.tsx';
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

/** What an operator wrote beside the words, kept while they sign in once more. */
interface Draft {
  readonly title: string;
  readonly parts: readonly Part[];
  readonly state: State;
}

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
  // Telling more and ending it are two acts: what was written for the one is nothing of the other.
  const kept = `incident:${incident?.id ?? ''}:${state === 'resolved' ? 'end' : 'tell'}`;
  // What another operator changes of the parts meanwhile stays, unless this one changes them, too.
  const [shown] = useState(incident?.parts ?? []);
  const [draft, setDraft] = useState<Draft>(
    () =>
      draftOf(kept) ?? { title: '', parts: incident?.parts ?? [], state: incident === null ? 'investigating' : state },
  );
  const change = (next: Partial<Draft>) => setDraft({ ...draft, ...next });
  const { title, parts } = draft;
  const lacksTitle = incident === null && title.trim() === '';
  const close = () => {
    sessionStorage.removeItem(kept);
    onClose();
  };
  const send = async (words: string, header: ActHeaders) => {
    if (incident === null) {
      const opening = draft.state === 'resolved' ? 'investigating' : draft.state;
      const body = { title: title.trim(), parts: [...parts], state: opening, words };
      await dataOf(exchange.POST('/v1/operator/incidents', { params: { header }, body }));
      return o('incident.opened_said');
    }
    const body = { state: draft.state, words, ...(isSame(parts, shown) ? {} : { parts: [...parts] }) };
    const call = { params: { path: { id: incident.id }, header }, body };
    await dataOf(exchange.POST('/v1/operator/incidents/{id}/updates', call));
    return o('incident.told_said');
  };
  const isOver = draft.state === 'resolved';
  return (
    <ActDialog
      title={o(incident === null ? 'incident.open' : isOver ? 'incident.resolve' : 'incident.again')}
      act={o(incident === null ? 'incident.open' : isOver ? 'incident.resolve' : 'incident.again')}
      name={`incident ${incident?.id ?? 'new'} ${draft.state} ${parts.join('+')} ${title.trim()}`}
      blocked={lacksTitle || parts.length === 0}
      changed={incident !== null && incident.resolvedAt !== null}
      asks={{
        label: o('incident.words'),
        hint: o('incident.words_hint'),
        missing: o('incident.words_missing'),
        lengthMax: WORDS_LENGTH_MAX,
      }}
      onLeave={() => sessionStorage.setItem(kept, JSON.stringify(draft))}
      send={send}
      onClose={close}
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
        value={draft.state}
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
                change({ parts: PARTS.filter((one) => (one === part ? event.target.checked : parts.includes(one))) })
              }
            />{' '}
            {c(`status_part.${part}`)}
          </label>
        ))}
      </fieldset>
    </ActDialog>
  );
}

function isSame(one: readonly Part[], other: readonly Part[]): boolean {
  return one.length === other.length && one.every((part) => other.includes(part));
}

function draftOf(kept: string): Draft | null {
  try {
    return JSON.parse(sessionStorage.getItem(kept) ?? 'null') as Draft | null;
  } catch {
    return null;
  }
}
