import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { accountQuery } from '../api/queries.ts';
import { Panel, State } from '../parts/panel.tsx';
import { Empty, ReadBlock } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useCustomerWords } from '../texts/use-customer-words.ts';
import {
  type Accreditation,
  type AccreditationRecord,
  accreditationQuery,
  type Verification,
  verificationsQuery,
} from './accreditation-queries.ts';
import { CertifyDialog, VerifyDialog } from './path-dialogs.tsx';
import { isInForce, isWaiting, standingEnd, standingOf, toneOfVerification } from './standing.ts';

/** How it is known that one is an accredited investor, what that opens, and the two ways there. */
export function AccreditationPage() {
  const { c, t, date } = useCustomerWords();
  const account = useQuery(accountQuery);
  const accreditation = useQuery(accreditationQuery);
  const verifications = useQuery(verificationsQuery);
  usePageTitle(t('accreditation.title'));
  const standing = account.data === undefined ? null : standingOf(account.data);
  const end =
    standing === null || accreditation.data === undefined
      ? null
      : standingEnd(accreditation.data.records, standing, Date.now());
  return (
    <div className="page mid">
      <div className="page-head">
        <div>
          <h1>{t('accreditation.title')}</h1>
          <p className="lede">{c('accreditation.lede')}</p>
        </div>
      </div>
      <div className="stack">
        <Panel title={standing === null ? t('accreditation.title') : c(`accreditation_now.${standing}`)} padded>
          <ReadBlock query={account} failed={c('accreditation.failed')} rows={2}>
            {(own) => (
              <p>
                {end !== null && `${c('accreditation.standing_ends', { time: date(end) })} `}
                {c(`accreditation.opens_${standingOf(own)}`)}
              </p>
            )}
          </ReadBlock>
        </Panel>
        <ReadBlock query={accreditation} failed={c('accreditation.failed')} rows={4}>
          {(read) => (
            <>
              {read.endedByOperator !== null && (
                <div className="note bad">
                  <strong>{c('accreditation.ended_by_operator')}</strong>
                  <p>
                    {c('accreditation.ended_by_operator_text', {
                      time: date(read.endedByOperator.at),
                      reason: read.endedByOperator.reason,
                    })}
                  </p>
                </div>
              )}
              <Ways
                accreditation={read}
                isKnown={account.data?.kycStatus === 'completed'}
                isWaiting={verifications.data === undefined || isWaiting(verifications.data)}
              />
              <Panel title={c('accreditation.records')}>
                {read.records.length === 0 ? (
                  <Empty title={c('accreditation.no_records')} text={c('accreditation.no_records_text')} />
                ) : (
                  <Records rows={read.records} />
                )}
              </Panel>
            </>
          )}
        </ReadBlock>
        <ReadBlock query={verifications} failed={c('accreditation.requests_failed')} rows={2}>
          {(rows) =>
            rows.length > 0 && (
              <Panel title={c('accreditation.requests')}>
                <Verifications rows={rows} />
              </Panel>
            )
          }
        </ReadBlock>
      </div>
    </div>
  );
}

interface WaysProps {
  readonly accreditation: Accreditation;
  readonly isKnown: boolean;
  readonly isWaiting: boolean;
}

function Ways({ accreditation, isKnown, isWaiting }: WaysProps) {
  const { c } = useCustomerWords();
  const [asked, setAsked] = useState<'certify' | 'verify' | null>(null);
  return (
    <Panel title={c('accreditation.path')} padded>
      {!isKnown && (
        <p className="note warn">
          <Link to="/">{c('accreditation.needs_identity')}</Link>
        </p>
      )}
      <ul className="ways">
        <li>
          <div>
            <h3>{c('accreditation.certify')}</h3>
            <p>{c('accreditation.certify_text')}</p>
          </div>
          <button
            type="button"
            className="button"
            disabled={!isKnown || accreditation.endedByOperator !== null}
            onClick={() => setAsked('certify')}
          >
            {c('accreditation.act_certify')}
          </button>
        </li>
        <li>
          <div>
            <h3>{c('accreditation.verify')}</h3>
            <p>{c('accreditation.verify_text')}</p>
            <p>{c('accreditation.verify_documents')}</p>
          </div>
          <button
            type="button"
            className="button primary"
            disabled={!isKnown || isWaiting}
            onClick={() => setAsked('verify')}
          >
            {c('accreditation.ask')}
          </button>
        </li>
      </ul>
      {asked === 'certify' && <CertifyDialog attestation={accreditation.attestation} onClose={() => setAsked(null)} />}
      {asked === 'verify' && <VerifyDialog onClose={() => setAsked(null)} />}
    </Panel>
  );
}

function Records({ rows }: { readonly rows: readonly AccreditationRecord[] }) {
  const { c, t, date } = useCustomerWords();
  return (
    <div className="scroll">
      <table className="table roomy">
        <caption className="hidden-text">{c('accreditation.records')}</caption>
        <thead>
          <tr>
            <th>{c('accreditation.evidence')}</th>
            <th className="less">{c('accreditation.provider')}</th>
            <th className="less">{c('accreditation.decided')}</th>
            <th>{c('accreditation.until')}</th>
            <th>{t('column.state')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                {c(`accreditation_kind.${row.kind}`)}
                {row.evidenceKind !== null && <small>{c(`evidence.${row.evidenceKind}`)}</small>}
                {row.endedAt !== null && (
                  <small>{c('accreditation.ended', { time: date(row.endedAt), reason: row.endedReason ?? '–' })}</small>
                )}
              </td>
              <td className="less">{row.verifier ?? '–'}</td>
              <td className="less nowrap">{date(row.at)}</td>
              <td className="nowrap">{row.expiresAt === null ? c('accreditation.no_end') : date(row.expiresAt)}</td>
              <td>
                {isInForce(row, Date.now()) ? (
                  <State tone="ok">{c('accreditation.in_force')}</State>
                ) : (
                  <State tone="none">{c('accreditation.over')}</State>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Verifications({ rows }: { readonly rows: readonly Verification[] }) {
  const { c, t, date } = useCustomerWords();
  return (
    <div className="scroll">
      <table className="table roomy">
        <caption className="hidden-text">{c('accreditation.requests')}</caption>
        <thead>
          <tr>
            <th>{c('accreditation.evidence')}</th>
            <th className="less">{c('accreditation.provider')}</th>
            <th>{c('accreditation.requested')}</th>
            <th className="less">{c('accreditation.decided')}</th>
            <th>{t('column.state')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                {c(`evidence.${row.evidenceKind}`)}
                {row.reason !== null && <small>{row.reason}</small>}
              </td>
              <td className="less">{row.provider}</td>
              <td className="nowrap">{date(row.requestedAt)}</td>
              <td className="less nowrap">{row.decidedAt === null ? '–' : date(row.decidedAt)}</td>
              <td>
                <State tone={toneOfVerification(row.state)}>{c(`verification_state.${row.state}`)}</State>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
