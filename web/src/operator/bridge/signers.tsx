import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CopyText } from '../../parts/copy-text.tsx';
import { Panel, State } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { signersQuery } from '../desk-queries.ts';
import { shortId } from '../parts/short-id.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { shortAddress } from './bridge-words.ts';

/** The five signers of an organization: whether they answer and what they stand in for, and what each was seen doing wrong. */
export function Signers({ organization }: { readonly organization: string }) {
  const { o, t, whole, dateTime } = useOperatorWords();
  const query = useQuery(signersQuery(organization));
  return (
    <Panel title={o('bridge.signers')}>
      <ReadBlock query={query} failed={o('bridge.signers_failed')} rows={5}>
        {(signers) =>
          signers.length === 0 ? (
            <Empty title={o('bridge.no_signers')} text={o('bridge.no_signers_text')} />
          ) : (
            <div className="scroll">
              <table className="table roomy">
                <caption className="hidden-text">{o('bridge.signers')}</caption>
                <thead>
                  <tr>
                    <th>{o('bridge.signer')}</th>
                    <th>{t('column.state')}</th>
                    <th className="right less">{o('bridge.stakes')}</th>
                    <th>{o('bridge.faults')}</th>
                  </tr>
                </thead>
                <tbody>
                  {signers.map((signer) => (
                    <tr key={String(signer.signer)}>
                      <td>
                        <span className="strong">{whole(signer.signer)}</span>
                        {signer.account !== null && (
                          <small>
                            <CopyText text={signer.account} shown={shortAddress(signer.account)} />
                          </small>
                        )}
                      </td>
                      <td>
                        {signer.isSlashed === true ? (
                          <State tone="bad">{o('bridge.slashed')}</State>
                        ) : (
                          <State tone={signer.identity === null ? 'warn' : 'ok'}>
                            {o(signer.identity === null ? 'bridge.silent' : 'bridge.answers')}
                          </State>
                        )}
                      </td>
                      <td className="right less">{signer.seat === null ? '–' : whole(signer.seat.stake)}</td>
                      <td>
                        {whole(signer.faults.total)}
                        {signer.faults.latest.slice(0, 3).map((fault) => (
                          <small key={`${fault.transferId} ${fault.reason}`}>
                            {o(`fault.${fault.reason}`)}, {dateTime(fault.at)},{' '}
                            <Link
                              to="/operator/bridge/$organization/$transferId"
                              params={{ organization, transferId: fault.transferId }}
                            >
                              {shortId(fault.transferId)}
                            </Link>
                          </small>
                        ))}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </ReadBlock>
    </Panel>
  );
}
