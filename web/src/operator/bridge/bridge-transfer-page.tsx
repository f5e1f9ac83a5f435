import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { dataOf, exchange } from '../../api/client.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { FactList, Panel, State } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { useSession } from '../../session/session.ts';
import { ActDialog } from '../act-dialog.tsx';
import { type BridgeTransfer, type BridgeWords, bridgeTransferQuery, bridgeWordsQuery } from '../desk-queries.ts';
import { mayRunVenue } from '../may-see.ts';
import { AccountLink } from '../parts/links.tsx';
import { ObjectPage } from '../parts/object-page.tsx';
import { TrailPanel } from '../parts/trail-panel.tsx';
import { useOperatorWords } from '../use-operator-words.ts';
import { shortAddress, toneOfTransfer } from './bridge-words.ts';

const route = getRouteApi('/own/venue/operator/bridge/$organization/$transferId');

export function BridgeTransferPage() {
  const { o, t } = useOperatorWords();
  const { organization, transferId } = route.useParams();
  const query = useQuery(bridgeTransferQuery(transferId));
  return (
    <ObjectPage
      title={t('desk.bridge_transfer')}
      list={
        <Link to="/operator/bridge/$organization" params={{ organization }}>
          {t('desk.bridge')} {organization}
        </Link>
      }
      query={query}
      failed={o('bridge.transfer_failed')}
    >
      {(transfer) => <OneTransfer transfer={transfer} />}
    </ObjectPage>
  );
}

function OneTransfer({ transfer }: { readonly transfer: BridgeTransfer }) {
  const { o, exact, dateTime } = useOperatorWords();
  const numbers = (signers: readonly (string | number)[]) => (signers.length === 0 ? '–' : signers.join(', '));
  return (
    <>
      <div className="page-head">
        <div>
          <h1>
            {exact(transfer.amount)} {transfer.asset}
          </h1>
          <p className="lede">
            <State tone={toneOfTransfer(transfer.state)}>{o(`bridge_state.${transfer.state}`)}</State>{' '}
            {transfer.waitsFor !== null && transfer.waitsFor}
          </p>
        </div>
      </div>
      {transfer.isUncovered && (
        <div className="note bad" role="status">
          <strong>{o('bridge.uncovered')}</strong>
          <p>{o('bridge.uncovered_text')}</p>
        </div>
      )}
      <div className="columns">
        <div className="stack">
          <Panel title={o('bridge.terms')} padded>
            <FactList
              rows={[
                [o('bridge.source'), <Place key="s" of={transfer.source} />],
                [o('bridge.destination'), <Place key="d" of={transfer.destination} />],
                [o('bridge.fee'), `${exact(transfer.fee)} ${transfer.asset}`],
                [o('bridge.tenant'), transfer.hostname],
                transfer.refundReason === null
                  ? null
                  : [o('bridge.refund_reason'), o(`refund.${transfer.refundReason}`)],
                [o('bridge.attested'), numbers(transfer.attestedBy.map(String))],
                [o('bridge.refused'), numbers(transfer.refusedBy.map(String))],
                transfer.cheaters.length === 0 ? null : [o('bridge.cheaters'), numbers(transfer.cheaters.map(String))],
                [o('bridge.begun'), dateTime(transfer.createdAt)],
                [o('bridge.expires'), dateTime(transfer.expiresAt)],
                transfer.until === null ? null : [o('bridge.until'), dateTime(transfer.until)],
                [o('bridge.transfer'), <CopyText key="id" text={transfer.transferId} />],
              ]}
            />
          </Panel>
          <Words transferId={transfer.transferId} />
          <Panel title={o('bridge.history')}>
            {transfer.history.length === 0 ? (
              <Empty title={o('bridge.no_history')} text={o('bridge.no_history_text')} />
            ) : (
              <ol className="trail">
                {transfer.history.map((step) => (
                  <li key={`${step.at} ${step.state}`}>
                    <p>
                      <strong>{o(`bridge_state.${step.state}`)}</strong>{' '}
                      <span className="dim small">{dateTime(step.at)}</span>
                    </p>
                  </li>
                ))}
              </ol>
            )}
          </Panel>
        </div>
        <TrailPanel subject={transfer.transferId} />
      </div>
    </>
  );
}

function Place({ of }: { readonly of: BridgeTransfer['source'] }) {
  if (of.chain === null) return <AccountLink id={of.address} />;
  return (
    <>
      {of.chain} <CopyText text={of.address} shown={shortAddress(of.address)} />
    </>
  );
}

/** What signers have said of the funds, and what it may prove against them. */
function Words({ transferId }: { readonly transferId: string }) {
  const { o, dateTime } = useOperatorWords();
  const mayRun = mayRunVenue(useSession());
  const query = useQuery(bridgeWordsQuery(transferId));
  const [asked, setAsked] = useState<BridgeWords['proofs'][number] | null>(null);
  const isProof = (one: BridgeWords['proofs'][number]) =>
    query.data?.proofs.some(({ signer, kind }) => String(signer) === String(one.signer) && kind === one.kind) === true;
  return (
    <Panel title={o('bridge.words')}>
      <ReadBlock query={query} failed={o('bridge.words_failed')} rows={3}>
        {({ words, faults, proofs, areFundsLost }) => (
          <>
            {areFundsLost && <p className="note bad">{o('bridge.funds_lost')}</p>}
            {proofs.map((proof) => (
              <div className="runbook" key={`${proof.signer} ${proof.kind}`}>
                <div>
                  <h3>{o('bridge.proof', { signer: String(proof.signer) })}</h3>
                  <p>{o(`proof.${proof.kind}`)}</p>
                </div>
                {mayRun && (
                  <button type="button" className="button danger" onClick={() => setAsked(proof)}>
                    {o('bridge.bring')}
                  </button>
                )}
              </div>
            ))}
            {words.length === 0 ? (
              <Empty title={o('bridge.no_words')} text={o('bridge.no_words_text')} />
            ) : (
              <div className="scroll">
                <table className="table">
                  <caption className="hidden-text">{o('bridge.words')}</caption>
                  <thead>
                    <tr>
                      <th>{o('bridge.signer')}</th>
                      <th>{o('bridge.said')}</th>
                      <th className="less">{o('bridge.subject')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {words.map((word) => (
                      <tr key={word.signature}>
                        <td>{String(word.signer)}</td>
                        <td>{word.claim.kind}</td>
                        <td className="less">
                          <CopyText text={word.claim.subject} shown={shortAddress(word.claim.subject)} />
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )}
            {faults.length > 0 && (
              <ul className="todo">
                {faults.map((fault) => (
                  <li key={`${fault.signer} ${fault.reason}`}>
                    <State tone="bad">
                      {o('bridge.signer')} {String(fault.signer)}: {o(`fault.${fault.reason}`)}
                    </State>
                    <span className="small dim">{dateTime(fault.at)}</span>
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </ReadBlock>
      {asked !== null && (
        <ActDialog
          name={`prove ${transferId} ${asked.signer} ${asked.kind}`}
          title={o('bridge.bring_ask', { signer: String(asked.signer) })}
          act={o('bridge.bring')}
          danger
          unreasoned
          changed={!isProof(asked)}
          onClose={() => setAsked(null)}
          send={async () => {
            const params = { path: { id: transferId } };
            await dataOf(exchange.POST('/v1/operator/bridge/transfers/{id}/proofs', { params, body: asked }));
            return o('bridge.bring_said', { signer: String(asked.signer) });
          }}
        >
          <p>{o(`proof.${asked.kind}`)}</p>
          <p className="dim small">{o('bridge.bring_happens')}</p>
        </ActDialog>
      )}
    </Panel>
  );
}
