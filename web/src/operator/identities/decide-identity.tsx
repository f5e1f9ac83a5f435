import { useState } from 'react';
import { dataOf, exchange, sent } from '../../api/client.ts';
import { FactList } from '../../parts/panel.tsx';
import { ActDialog, type ActHeaders } from '../act-dialog.tsx';
import type { Identity } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { decisionsOf, hasDoubtfulParty, type IdentityDecision, isOutdated, notOpened } from './identity-words.ts';

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
  const send = async (reason: string, header: ActHeaders) => {
    const call = {
      params: { path: { id: identity.id }, header },
      body: { reason, submission: submission ?? '', version: sent(version) },
    };
    if (decision === 'approve') await dataOf(exchange.POST('/v1/operator/onboarding/{id}/approve', call));
    else if (decision === 'refuse') await dataOf(exchange.POST('/v1/operator/onboarding/{id}/refuse', call));
    else await dataOf(exchange.POST('/v1/operator/onboarding/{id}/ask-back', call));
    return o(`identity_said.${decision}`, { name });
  };
  return (
    <ActDialog
      title={o(`identity_ask.${decision}`, { name })}
      act={o(`identity_act.${decision}`)}
      name={`identity ${decision} ${submission} ${version}`}
      danger={decision === 'refuse'}
      changed={identity.version !== version || !decisionsOf(identity).includes(decision)}
      send={send}
      onClose={onClose}
    >
      <p>{o(`identity_happens.${decision}`)}</p>
      {decision === 'ask-back' && <p className="note">{o('identity.reason_told')}</p>}
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
    </ActDialog>
  );
}
