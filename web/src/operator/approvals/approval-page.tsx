import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { dataOf, exchange } from '../../api/client.ts';
import { FactList, Panel, State } from '../../parts/panel.tsx';
import { useSession } from '../../session/session.ts';
import { ActDialog, type ActHeaders } from '../act-dialog.tsx';
import { PersonLink } from '../parts/links.tsx';
import { ObjectPage } from '../parts/object-page.tsx';
import { TrailPanel } from '../parts/trail-panel.tsx';
import { type Approval, approvalQuery } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { approvalState, choicesOf, toneOfApproval, useCallTitle } from './approval-words.ts';
import { askedCall } from './asked-call.ts';
import { MakeCall } from './make-call-button.tsx';
import { WhatHappens } from './what-happens.tsx';

const route = getRouteApi('/own/venue/operator/approvals/$approvalId');

export function ApprovalPage() {
  const { o, t } = useOperatorWords();
  const { approvalId } = route.useParams();
  const query = useQuery(approvalQuery(approvalId));
  return (
    <ObjectPage
      title={t('approval.title')}
      list={<Link to="/operator/approvals">{t('approvals.title')}</Link>}
      query={query}
      failed={o('approval.failed')}
    >
      {(approval) => <OneApproval approval={approval} />}
    </ObjectPage>
  );
}

function OneApproval({ approval }: { readonly approval: Approval }) {
  const { o, dateTime } = useOperatorWords();
  const titleOf = useCallTitle();
  const session = useSession();
  const [decision, setDecision] = useState<'approve' | 'reject' | null>(null);
  const mayDecide = session?.powers.includes('run_venue') === true;
  const choices = mayDecide ? choicesOf(approval, Date.now()) : [];
  const send = async (reason: string, header: ActHeaders) => {
    const call = { params: { path: { id: approval.id }, header }, body: { reason } };
    await (decision === 'approve'
      ? dataOf(exchange.POST('/v1/operator/approvals/{id}/approve', call))
      : dataOf(exchange.POST('/v1/operator/approvals/{id}/reject', call)));
    return o(decision === 'approve' ? 'approval_said.approve' : 'approval_said.reject');
  };
  const isKnown = askedCall(approval.call).kind !== 'other';
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{titleOf(approval)}</h1>
          <p className="lede">
            <State tone={toneOfApproval(approval)}>{o(`approval_state.${approvalState(approval)}`)}</State>{' '}
            {o('approval.ends_at', { time: dateTime(approval.expiresAt) })}
          </p>
        </div>
        <div className="row">
          {choices.includes('reject') && (
            <button type="button" className="button danger" onClick={() => setDecision('reject')}>
              {o('approval_act.reject')}
            </button>
          )}
          {choices.includes('approve') && (
            <button type="button" className="button primary" onClick={() => setDecision('approve')}>
              {o('approval_act.approve')}
            </button>
          )}
          {choices.includes('make') && isKnown && <MakeCall approval={approval} title={titleOf(approval)} />}
        </div>
      </div>
      {approval.own && approval.state === 'asked' && <p className="note">{o('approval.own_text')}</p>}
      {choices.includes('make') && !isKnown && (
        <p className="note">{o('approval.make_elsewhere', { id: approval.id })}</p>
      )}
      <div className="columns">
        <div className="stack">
          <WhatHappens approval={approval} />
        </div>
        <div className="stack">
          <Panel title={o('approval.who')} padded>
            <FactList
              rows={[
                [o('approval.asked_by'), <PersonLink key="by" id={approval.askedBy} />],
                [o('approval.asked_at'), dateTime(approval.askedAt)],
                [o('approval.ends'), dateTime(approval.expiresAt)],
                approval.decidedBy === null
                  ? null
                  : [o('approval.decided_by'), <PersonLink key="d" id={approval.decidedBy} />],
                approval.decidedAt === null ? null : [o('approval.decided_at'), dateTime(approval.decidedAt)],
              ]}
            />
          </Panel>
          <TrailPanel subject={approval.id} />
        </div>
      </div>
      {decision !== null && (
        <ActDialog
          title={o(`approval_ask.${decision}`)}
          act={o(`approval_act.${decision}`)}
          name={`approval ${decision} ${approval.id}`}
          danger={decision === 'reject'}
          changed={!choices.includes(decision)}
          onClose={() => setDecision(null)}
          send={send}
        >
          <p className="strong">{titleOf(approval)}</p>
          <p>{o(`approval_happens.${decision}`)}</p>
        </ActDialog>
      )}
    </>
  );
}
