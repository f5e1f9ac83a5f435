import { useState } from 'react';
import { dataOf, exchange, sent } from '../../api/client.ts';
import { FactList } from '../../parts/panel.tsx';
import { ActDialog, type ActHeaders } from '../act-dialog.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useFormDraft } from '../parts/use-form-draft.ts';
import type { Identity } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { decisionsOf, hasDoubtfulParty, type IdentityDecision, isOutdated, notOpened } from './identity-words.ts';

const MESSAGE_LENGTH_MAX = 500;

interface DecideIdentityProps {
  readonly identity: Identity;
  readonly decision: IdentityDecision;
  readonly opened: ReadonlySet<string>;
  readonly onClose: () => void;
}

/** Decides on what stands on the page: the API refuses where another handing in, or a finding, has come meanwhile. */
export function DecideIdentity({ identity, decision, opened, onClose }: DecideIdentityProps) {
  const { o, many } = useOperatorWords();
  const [{ submission, version }] = useState(identity);
  const unread = notOpened(identity.documents, opened).length;
  const name = identity.name ?? identity.userId;
  const draft = useFormDraft(`identity ${decision} ${submission} ${version}`, { message: '' });
  const message = draft.form.message.trim();
  const isTooLong = message.length > MESSAGE_LENGTH_MAX;
  const send = async (reason: string, header: ActHeaders) => {
    const params = { path: { id: identity.id }, header };
    const body = { reason, submission: submission ?? '', version: sent(version) };
    const told = message === '' ? body : { ...body, message };
    if (decision === 'approve') await dataOf(exchange.POST('/v1/operator/onboarding/{id}/approve', { params, body }));
    else if (decision === 'refuse')
      await dataOf(exchange.POST('/v1/operator/onboarding/{id}/refuse', { params, body: told }));
    else await dataOf(exchange.POST('/v1/operator/onboarding/{id}/ask-back', { params, body: { ...body, message } }));
    return o(`identity_said.${decision}`, { name });
  };
  return (
    <ActDialog
      title={o(`identity_ask.${decision}`, { name })}
      act={o(`identity_act.${decision}`)}
      name={`identity ${decision} ${submission} ${version}`}
      draft={draft}
      blocked={isTooLong || (decision === 'ask-back' && message === '')}
      asks={{ label: o('act.reason'), hint: o('identity.reason_hint') }}
      danger={decision === 'refuse'}
      changed={identity.version !== version || !decisionsOf(identity).includes(decision)}
      send={send}
      onClose={onClose}
    >
      <p>{o(`identity_happens.${decision}`)}</p>
      <FactList
        rows={[
          [o('identity.legal_name'), identity.facts.legalName],
          [o('identity.lists'), o(`screening.${identity.sanctions}`)],
          [o('identity.media'), o(`screening.${identity.adverseMedia}`)],
          [o('identity.documents'), many('identity.documents_count', identity.documents.length)],
        ]}
      />
      {decision === 'approve' && unread > 0 && <p className="note warn">{many('identity.unread', unread)}</p>}
      {decision === 'approve' && identity.sanctions === 'match' && (
        <p className="note bad">{o('identity.match_warning')}</p>
      )}
      {decision === 'approve' && hasDoubtfulParty(identity) && <p className="note bad">{o('entity.party_warning')}</p>}
      {decision === 'approve' && isOutdated(identity, Date.now()) && (
        <p className="note warn">{o('identity.outdated_warning')}</p>
      )}
      {decision !== 'approve' && (
        <TextField
          label={o(decision === 'refuse' ? 'identity.message_if_any' : 'identity.message')}
          hint={o('identity.message_hint')}
          error={isTooLong ? o('act.too_long', { max: String(MESSAGE_LENGTH_MAX) }) : null}
          name="message"
          lines={3}
          value={draft.form.message}
          onChange={(next) => draft.change({ message: next })}
        />
      )}
    </ActDialog>
  );
}
