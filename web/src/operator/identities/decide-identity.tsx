import { useState } from 'react';
import { dataOf, exchange } from '../../api/client.ts';
import { FactList } from '../../parts/panel.tsx';
import { useWords } from '../../texts/words.tsx';
import { ActDialog } from '../parts/act-dialog.tsx';
import type { Identity } from '../queue-queries.ts';
import { type IdentityDecision, isOutdated, notOpened } from './identity-words.ts';

interface DecideIdentityProps {
  readonly identity: Identity;
  readonly decision: IdentityDecision;
  readonly opened: ReadonlySet<string>;
  readonly onClose: () => void;
}

/** Decides on the handing in that stands on the page: the API refuses where another one has come meanwhile. */
export function DecideIdentity({ identity, decision, opened, onClose }: DecideIdentityProps) {
  const { t, count } = useWords();
  const [submission] = useState(identity.submission);
  const unread = notOpened(identity.documents, opened).length;
  const name = identity.name ?? identity.userId;
  const send = (reason: string, key: string) => {
    const call = {
      params: { path: { id: identity.id }, header: { 'Idempotency-Key': key } },
      body: { reason, submission: submission ?? '' },
    };
    if (decision === 'approve') return dataOf(exchange.POST('/v1/operator/onboarding/{id}/approve', call));
    if (decision === 'refuse') return dataOf(exchange.POST('/v1/operator/onboarding/{id}/refuse', call));
    return dataOf(exchange.POST('/v1/operator/onboarding/{id}/ask-back', call));
  };
  return (
    <ActDialog
      title={t(`identity_ask.${decision}`, { name })}
      act={t(`identity_act.${decision}`)}
      failed={t('identity.not_decided')}
      said={t(`identity_said.${decision}`, { name })}
      name={`identity ${decision} ${submission}`}
      danger={decision === 'refuse'}
      reasonHint={t(decision === 'ask-back' ? 'identity.reason_told' : 'act.reason_hint')}
      send={send}
      onClose={onClose}
    >
      <p>{t(`identity_happens.${decision}`)}</p>
      <FactList
        rows={[
          [t('identity.legal_name'), identity.facts.legalName],
          [t('identity.lists'), t(`screening.${identity.sanctions}`)],
          [t('identity.media'), t(`screening.${identity.adverseMedia}`)],
          [t('identity.documents'), count('identity.documents_count', identity.documents.length)],
        ]}
      />
      {decision === 'approve' && unread > 0 && <p className="note warn">{count('identity.unread', unread)}</p>}
      {decision === 'approve' && identity.sanctions === 'match' && (
        <p className="note bad">{t('identity.match_warning')}</p>
      )}
      {decision === 'approve' && isOutdated(identity, Date.now()) && (
        <p className="note warn">{t('identity.outdated_warning')}</p>
      )}
    </ActDialog>
  );
}
