import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CopyText } from '../../parts/copy-text.tsx';
import { FactList, Panel, State } from '../../parts/panel.tsx';
import { useSession } from '../../session/session.ts';
import { AccountLink, PersonLink, UserLink } from '../parts/links.tsx';
import { ObjectPage } from '../parts/object-page.tsx';
import { TrailPanel } from '../parts/trail-panel.tsx';
import { type Identity, identityQuery } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { DecideIdentity } from './decide-identity.tsx';
import { DocumentList } from './document-list.tsx';
import { decisionsOf, type IdentityDecision, isOutdated, toneOfIdentity, toneOfScreening } from './identity-words.ts';
import { StatedFacts } from './stated-facts.tsx';

const route = getRouteApi('/own/venue/operator/identities/$identityId');

export function IdentityPage() {
  const { o, t } = useOperatorWords();
  const { identityId } = route.useParams();
  const query = useQuery(identityQuery(identityId));
  return (
    <ObjectPage
      title={t('identity.title')}
      list={<Link to="/operator/identities">{t('identities.title')}</Link>}
      query={query}
      failed={o('identity.failed')}
    >
      {/* Another handing in is another thing to look at: what was opened of the last one counts for nothing. */}
      {(identity) => <SeenIdentity key={identity.submission} identity={identity} />}
    </ObjectPage>
  );
}

function SeenIdentity({ identity }: { readonly identity: Identity }) {
  const { o, t, dateTime } = useOperatorWords();
  const session = useSession();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [decision, setDecision] = useState<IdentityDecision | null>(null);
  const isOwn = session?.user_id === identity.userId;
  const mayDecide = session?.powers.includes('run_venue') === true && !isOwn;
  const decisions = decisionsOf(identity);
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{identity.name ?? t('identity.title')}</h1>
          <p className="lede">
            <State tone={toneOfIdentity(identity.state)}>{o(`identity_state.${identity.state}`)}</State>{' '}
            {identity.submittedAt !== null && o('identity.handed_in_at', { time: dateTime(identity.submittedAt) })}
          </p>
        </div>
        {mayDecide && (
          <div className="row">
            {decisions.map((one) => (
              <button
                key={one}
                type="button"
                className={one === 'approve' ? 'button primary' : one === 'refuse' ? 'button danger' : 'button'}
                onClick={() => setDecision(one)}
              >
                {o(`identity_act.${one}`)}
              </button>
            ))}
          </div>
        )}
      </div>
      {isOwn && <p className="note">{o('identity.own')}</p>}
      <div className="columns">
        <div className="stack">
          <StatedFacts identity={identity} />
          <DocumentList
            identity={identity}
            opened={opened}
            onOpened={(id) => setOpened((before) => new Set([...before, id]))}
          />
        </div>
        <div className="stack">
          <Findings identity={identity} />
          <TrailPanel subject={identity.id} />
        </div>
      </div>
      {decision !== null && (
        <DecideIdentity identity={identity} decision={decision} opened={opened} onClose={() => setDecision(null)} />
      )}
    </>
  );
}

function Findings({ identity }: { readonly identity: Identity }) {
  const { o, dateTime } = useOperatorWords();
  const { sanctions, adverseMedia, checkedAt, expiresAt, approvedUntil, provider, reason, decidedAt, decidedBy } =
    identity;
  return (
    <Panel title={o('identity.findings')} padded>
      <FactList
        rows={[
          [o('identity.provider'), provider ?? o('identity.no_provider')],
          [
            o('identity.lists'),
            <State key="s" tone={toneOfScreening(sanctions)}>
              {o(`screening.${sanctions}`)}
            </State>,
          ],
          [
            o('identity.media'),
            <State key="m" tone={toneOfScreening(adverseMedia)}>
              {o(`screening.${adverseMedia}`)}
            </State>,
          ],
          [o('identity.checked'), checkedAt === null ? o('identity.not_checked') : dateTime(checkedAt)],
          [
            o('identity.expires'),
            expiresAt === null ? (
              '–'
            ) : isOutdated(identity, Date.now()) ? (
              <State key="e" tone="warn">
                {o('identity.outdated_since', { time: dateTime(expiresAt) })}
              </State>
            ) : (
              dateTime(expiresAt)
            ),
          ],
          approvedUntil === null ? null : [o('identity.approved_until'), dateTime(approvedUntil)],
          reason === null ? null : [o('act.reason'), reason],
          decidedAt === null ? null : [o('identity.decided'), dateTime(decidedAt)],
          decidedBy === null ? null : [o('identity.decided_by'), <PersonLink key="by" id={decidedBy} />],
          [
            o('column.person'),
            <UserLink key="u" id={identity.userId}>
              {identity.name ?? identity.userId}
            </UserLink>,
          ],
          [o('column.account'), <AccountLink key="a" id={identity.accountId} />],
          [o('column.organization'), identity.owner],
          [
            o('identity.submission'),
            identity.submission === null ? (
              '–'
            ) : (
              <CopyText key="sub" text={identity.submission} shown={`…${identity.submission.slice(-8)}`} />
            ),
          ],
        ]}
      />
    </Panel>
  );
}
