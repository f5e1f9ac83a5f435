import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CopyText } from '../../parts/copy-text.tsx';
import { FactList, Panel, State } from '../../parts/panel.tsx';
import { useSession } from '../../session/session.ts';
import { useWords } from '../../texts/words.tsx';
import { AccountLink, PersonLink, UserLink } from '../parts/links.tsx';
import { ObjectPage } from '../parts/object-page.tsx';
import { TrailPanel } from '../parts/trail-panel.tsx';
import { type Identity, identityQuery } from '../queue-queries.ts';
import { DecideIdentity } from './decide-identity.tsx';
import { DocumentList } from './document-list.tsx';
import { decisionsOf, type IdentityDecision, isOutdated, toneOfIdentity, toneOfScreening } from './identity-words.ts';
import { StatedFacts } from './stated-facts.tsx';

const route = getRouteApi('/own/operator/identities/$identityId');

export function IdentityPage() {
  const { t } = useWords();
  const { identityId } = route.useParams();
  const query = useQuery(identityQuery(identityId));
  return (
    <ObjectPage
      title={t('identity.title')}
      list={<Link to="/operator/identities">{t('identities.title')}</Link>}
      query={query}
      failed={t('identity.failed')}
    >
      {/* Another handing in is another thing to look at: what was opened of the last one counts for nothing. */}
      {(identity) => <SeenIdentity key={identity.submission} identity={identity} />}
    </ObjectPage>
  );
}

function SeenIdentity({ identity }: { readonly identity: Identity }) {
  const { t, dateTime } = useWords();
  const session = useSession();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [decision, setDecision] = useState<IdentityDecision | null>(null);
  const isOwn = session?.user_id === identity.userId;
  const mayDecide = session?.powers.includes('run_venue') === true && !isOwn;
  const decisions = decisionsOf(identity.state);
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{identity.name ?? t('identity.title')}</h1>
          <p className="lede">
            <State tone={toneOfIdentity(identity.state)}>{t(`identity_state.${identity.state}`)}</State>{' '}
            {identity.submittedAt !== null && t('identity.handed_in_at', { time: dateTime(identity.submittedAt) })}
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
                {t(`identity_act.${one}`)}
              </button>
            ))}
          </div>
        )}
      </div>
      {isOwn && <p className="note">{t('identity.own')}</p>}
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
  const { t, dateTime } = useWords();
  const { sanctions, adverseMedia, checkedAt, expiresAt, provider, reason, decidedAt, decidedBy } = identity;
  return (
    <Panel title={t('identity.findings')} padded>
      <FactList
        rows={[
          [t('identity.provider'), provider ?? t('identity.no_provider')],
          [
            t('identity.lists'),
            <State key="s" tone={toneOfScreening(sanctions)}>
              {t(`screening.${sanctions}`)}
            </State>,
          ],
          [
            t('identity.media'),
            <State key="m" tone={toneOfScreening(adverseMedia)}>
              {t(`screening.${adverseMedia}`)}
            </State>,
          ],
          [t('identity.checked'), checkedAt === null ? t('identity.not_checked') : dateTime(checkedAt)],
          [
            t('identity.expires'),
            expiresAt === null ? (
              '–'
            ) : isOutdated(identity, Date.now()) ? (
              <State key="e" tone="warn">
                {t('identity.outdated_since', { time: dateTime(expiresAt) })}
              </State>
            ) : (
              dateTime(expiresAt)
            ),
          ],
          reason === null ? null : [t('act.reason'), reason],
          decidedAt === null ? null : [t('identity.decided'), dateTime(decidedAt)],
          decidedBy === null ? null : [t('identity.decided_by'), <PersonLink key="by" id={decidedBy} />],
          [
            t('column.person'),
            <UserLink key="u" id={identity.userId}>
              {identity.name ?? identity.userId}
            </UserLink>,
          ],
          [t('column.account'), <AccountLink key="a" id={identity.accountId} />],
          [t('column.organization'), identity.owner],
          [
            t('identity.submission'),
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
