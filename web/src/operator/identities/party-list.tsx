import { Panel, State } from '../../parts/panel.tsx';
import type { Identity } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { shareOf, toneOfFinding, toneOfScreening } from './identity-words.ts';

type Entity = NonNullable<Identity['entity']>;

/** Who is behind an entity, what each owns, and what was found of each. */
export function PartyList({ entity }: { readonly entity: Entity }) {
  const { o, exact } = useOperatorWords();
  return (
    <Panel title={o('entity.parties')} footer={o('entity.parties_text')}>
      {entity.nobodyOwns && <p className="note">{o('entity.nobody_owns')}</p>}
      <div className="scroll">
        <table className="table roomy">
          <caption className="hidden-text">{o('entity.parties')}</caption>
          <thead>
            <tr>
              <th>{o('column.person')}</th>
              <th className="right">{o('entity.share')}</th>
              <th>{o('identity.findings')}</th>
              <th>{o('identity.lists')}</th>
              <th className="less">{o('identity.media')}</th>
            </tr>
          </thead>
          <tbody>
            {entity.parties.map((party) => {
              const { facts, roles } = party;
              const share = shareOf(party);
              return (
                <tr key={party.id}>
                  <td>
                    <strong>{facts.legalName}</strong>
                    <small>{roles.map((role) => o(`entity.role.${role}`)).join(', ')}</small>
                    <small>
                      {[
                        facts.title,
                        o('entity.party_born', { date: facts.birthDate }),
                        [facts.street, facts.postalCode, facts.city, facts.region, facts.country]
                          .filter(Boolean)
                          .join(', '),
                        facts.taxId === '' ? `${facts.passport} ${facts.passportCountry}` : facts.taxId,
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </small>
                  </td>
                  <td className="right">{share === null ? '–' : `${exact(share)} %`}</td>
                  <td>
                    <State tone={toneOfFinding(party.finding)}>{o(`entity.finding.${party.finding}`)}</State>
                    {party.reason !== null && <small>{party.reason}</small>}
                  </td>
                  <td>
                    <State tone={toneOfScreening(party.sanctions)}>{o(`screening.${party.sanctions}`)}</State>
                  </td>
                  <td className="less">
                    <State tone={toneOfScreening(party.adverseMedia)}>{o(`screening.${party.adverseMedia}`)}</State>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
