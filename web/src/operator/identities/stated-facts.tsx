import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, exchange } from '../../api/client.ts';
import { FactList, Panel } from '../../parts/panel.tsx';
import { useSession } from '../../session/session.ts';
import { ActProblem } from '../parts/act-problem.tsx';
import { type Identity, OPERATOR_KEY } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { PartyList } from './party-list.tsx';

/** What the person stated of themselves, or of an entity and who is behind it, masked; in the clear once somebody asks for it, which the trail keeps. It is held by this page alone. */
export function StatedFacts({ identity }: { readonly identity: Identity }) {
  const { o, date } = useOperatorWords();
  const queries = useQueryClient();
  const session = useSession();
  const [clear, setClear] = useState<Pick<Identity, 'facts' | 'entity'> | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const { facts, entity } = clear ?? identity;
  const look = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const full = await dataOf(
        exchange.GET('/v1/operator/onboarding/{id}/full', { params: { path: { id: identity.id } } }),
      );
      setClear(full.data);
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
      await queries.invalidateQueries({ queryKey: [...OPERATOR_KEY, 'trail'] });
    }
  };
  return (
    <>
      <Panel
        title={o('identity.stated')}
        padded
        aside={
          clear !== null ? (
            <button type="button" className="link small" onClick={() => setClear(null)}>
              {o('identity.mask')}
            </button>
          ) : session?.powers.includes('see_identities') === true ? (
            <button type="button" className="link small" disabled={busy} onClick={() => void look()}>
              {o('identity.unmask')}
            </button>
          ) : undefined
        }
        footer={o(clear === null ? 'identity.masked_text' : 'identity.unmasked_text')}
      >
        <FactList
          rows={[
            [o('identity.legal_name'), facts.legalName],
            ...(entity === null
              ? ([[o('identity.birth_date'), facts.birthDate]] as const)
              : ([
                  [o('entity.form'), entity.form],
                  [o('entity.formed'), [entity.formationRegion, entity.formationCountry].filter(Boolean).join(', ')],
                  [o('entity.registration'), entity.registrationNumber],
                  [o('entity.activity'), entity.activity],
                  [o('entity.source_of_funds'), entity.sourceOfFunds],
                ] as const)),
            [o('identity.street'), facts.street],
            [o('identity.city'), [facts.postalCode, facts.city, facts.region].filter(Boolean).join(' ')],
            [o('identity.country'), facts.country],
            [o('identity.tax_id'), facts.taxId],
            ...identity.attested.map(
              ({ name, at }) =>
                [
                  o('identity.attested'),
                  o('identity.attested_at', { name: name.replaceAll('_', ' '), date: date(at) }),
                ] as const,
            ),
          ]}
        />
        {problem !== null && <ActProblem title={o('identity.not_shown')} error={problem} />}
      </Panel>
      {entity !== null && <PartyList entity={entity} />}
    </>
  );
}
