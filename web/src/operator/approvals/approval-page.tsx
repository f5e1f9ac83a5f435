import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { dataOf, exchange } from '../../api/client.ts';
import { FactList, Panel, State } from '../../parts/panel.tsx';
import { useSession } from '../../session/session.ts';
import { useWords } from '../../texts/words.tsx';
import { ActDialog } from '../parts/act-dialog.tsx';
import { PersonLink } from '../parts/links.tsx';
import { ObjectPage } from '../parts/object-page.tsx';
import { TrailPanel } from '../parts/trail-panel.tsx';
import { type Approval, approvalQuery } from '../queue-queries.ts';
import { approvalState, choicesOf, toneOfApproval, useCallTitle } from './approval-words.ts';
import { askedCall } from './asked-call.ts';
import { MakeCall } from './make-call-button.tsx';
import { WhatHappens } from './what-happens.tsx';

const route = getRouteApi('/own/operator/approvals/$approvalId');

export function ApprovalPage() {
  const { t } = useWords();
  const { approvalId } = route.useParams();
  const query = useQuery(approvalQuery(approvalId));
  return (
    <ObjectPage
      title={t('approval.title')}
      list={<Link to="/operator/approvals">{t('approvals.title')}</Link>}
      query={query}
      failed={t('approval.failed')}
    >
      {(approval) => <OneApproval approval={approval} />}
    </ObjectPage>
  );
}

function OneApproval({ approval }: { readonly approval: Approval }) {
  const { t, dateTime } = useWords();
  const titleOf = useCallTitle();
  const session = useSession();
  const [decision, setDecision] = useState<'approve' | 'reject' | null>(null);
  const mayDecide = session?.powers.includes('run_venue') === true;
  const choices = mayDecide ? choicesOf(approval, Date.now()) : [];
  const isKnown = askedCall(approval.call).kind !== 'other';
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{titleOf(approval)}</h1>
          <p className="lede">
            <State tone={toneOfApproval(approval)}>{t(`approval_state.${approvalState(approval)}`)}</State>{' '}
            {t('approval.ends_at', { time: dateTime(approval.expiresAt) })}
          </p>
        </div>
        <div className="row">
          {choices.includes('reject') && (
            <button type="button" className="button danger" onClick={() => setDecision('reject')}>
              {t('approval_act.reject')}
            </button>
          )}
          {choices.includes('approve') && (
            <button type="button" className="button primary" onClick={() => setDecision('approve')}>
              {t('approval_act.approve')}
            </button>
          )}
          {choices.includes('make') && isKnown && <MakeCall approval={approval} title={titleOf(approval)} />}
        </div>
      </div>
      {approval.own && approval.state === 'asked' && <p className="note">{t('approval.own_text')}</p>}
      {choices.includes('make') && !isKnown && (
        <p className="note">{t('approval.make_elsewhere', { id: approval.id })}</p>
      )}
      <div className="columns">
        <div className="stack">
          <WhatHappens approval={approval} />
        </div>
        <div className="stack">
          <Panel title={t('approval.who')} padded>
            <FactList
              rows={[
                [t('approval.asked_by'), <PersonLink key="by" id={approval.askedBy} />],
                [t('approval.asked_at'), dateTime(approval.askedAt)],
                [t('approval.ends'), dateTime(approval.expiresAt)],
                approval.decidedBy === null
                  ? null
                  : [t('approval.decided_by'), <PersonLink key="d" id={approval.decidedBy} />],
                approval.decidedAt === null ? null : [t('approval.decided_at'), dateTime(approval.decidedAt)],
              ]}
            />
          </Panel>
          <TrailPanel subject={approval.id} />
        </div>
      </div>
      {decision !== null && (
        <ActDialog
          title={t(`approval_ask.${decision}`)}
          act={t(`approval_act.${decision}`)}
          failed={t('approval.not_decided')}
          said={t(`approval_said.${decision}`)}
          name={`approval ${decision} ${approval.id}`}
          danger={decision === 'reject'}
          onClose={() => setDecision(null)}
          send={(reason, key) => {
            const call = {
              params: { path: { id: approval.id }, header: { 'Idempotency-Key': key } },
              body: { reason },
            };
            return decision === 'approve'
              ? dataOf(exchange.POST('/v1/operator/approvals/{id}/approve', call))
              : dataOf(exchange.POST('/v1/operator/approvals/{id}/reject', call));
          }}
        >
          <p className="strong">{titleOf(approval)}</p>
          <p>{t(`approval_happens.${decision}`)}</p>
        </ActDialog>
      )}
    </>
  );
}
