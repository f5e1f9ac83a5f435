import type { IdentitySubject } from './identity-state.ts';

/** What a person states before their identity is looked at. Another text is another version. */
export const IDENTITY_ATTESTATIONS = [
  {
    name: 'true_statements',
    version: '2026-1',
    text: {
      en: 'What I have stated is true, and the documents are mine. I will say so at once when something changes.',
      de: 'Meine Angaben sind wahr, und die Dokumente sind meine. Wenn sich etwas ändert, teile ich es sofort mit.',
    },
  },
  {
    name: 'own_account',
    version: '2026-1',
    text: {
      en: 'I open the account for myself and act for nobody else.',
      de: 'Ich eröffne das Konto für mich selbst und handle für niemand anderen.',
    },
  },
  {
    name: 'identity_checks',
    version: '2026-1',
    text: {
      en: 'My statements and documents may be checked by a third party, also against lists of sanctions and in the media, and are kept as long as the law asks: documents for five years, statements for six years after the account is closed.',
      de: 'Meine Angaben und Dokumente dürfen von Dritten geprüft werden, auch gegen Sanktionslisten und in Medien, und werden so lange aufbewahrt, wie das Gesetz es verlangt: Dokumente fünf, Angaben sechs Jahre nach Schließung des Kontos.',
    },
  },
] as const;

/** What is stated in the name of an entity before it is looked at; the last one is the certification of 31 CFR 1010.230(b)(1). */
export const ENTITY_ATTESTATIONS = [
  {
    name: 'entity_statements',
    version: '2026-1',
    text: {
      en: 'What I have stated of the entity is true, and the documents are its own. I will say so at once when something changes, also who owns or controls it.',
      de: 'Meine Angaben zur Gesellschaft sind wahr, und die Dokumente sind ihre. Wenn sich etwas ändert, auch wem sie gehört oder wer sie leitet, teile ich es sofort mit.',
    },
  },
  {
    name: 'entity_authority',
    version: '2026-1',
    text: {
      en: 'I am authorised to open the account for the entity and to act for it. The account is the entity’s, and it acts for nobody else.',
      de: 'Ich bin befugt, das Konto für die Gesellschaft zu eröffnen und für sie zu handeln. Das Konto gehört der Gesellschaft, und sie handelt für niemand anderen.',
    },
  },
  {
    name: 'entity_checks',
    version: '2026-1',
    text: {
      en: 'Everybody whom I have named knows that these statements and documents may be checked by a third party, also against lists of sanctions and in the media, and are kept as long as the law asks: documents for five years, statements for six years after the account is closed.',
      de: 'Alle, die ich genannt habe, wissen, dass diese Angaben und Dokumente von Dritten geprüft werden dürfen, auch gegen Sanktionslisten und in Medien, und so lange aufbewahrt werden, wie das Gesetz es verlangt: Dokumente fünf, Angaben sechs Jahre nach Schließung des Kontos.',
    },
  },
  {
    name: 'beneficial_owners',
    version: '2026-1',
    text: {
      en: 'I certify, to the best of my knowledge, that what I have stated of who owns 25 % or more of the entity and of who controls it is complete and correct.',
      de: 'Ich bestätige nach bestem Wissen, dass meine Angaben dazu, wem 25 % oder mehr der Gesellschaft gehören und wer sie leitet, vollständig und richtig sind.',
    },
  },
] as const;

/** What has to be stated for whom. */
export const ATTESTATIONS_OF = {
  person: IDENTITY_ATTESTATIONS,
  entity: ENTITY_ATTESTATIONS,
} as const satisfies Readonly<Record<IdentitySubject, readonly object[]>>;

export type AttestationName = (typeof ATTESTATIONS_OF)[IdentitySubject][number]['name'];

/** What was stated, which text, and when. */
export interface Attested {
  readonly name: AttestationName;
  readonly version: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** Statements that were not made in the version that is in force. */
export function missingAttestations(attested: readonly Attested[], subject: IdentitySubject): AttestationName[] {
  const missing: AttestationName[] = [];
  for (const { name, version } of ATTESTATIONS_OF[subject])
    if (!attested.some((stated) => stated.name === name && stated.version === version)) missing.push(name);
  return missing;
}
