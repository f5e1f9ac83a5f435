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

export type AttestationName = (typeof IDENTITY_ATTESTATIONS)[number]['name'];

/** What was stated, which text, and when. */
export interface Attested {
  readonly name: AttestationName;
  readonly version: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** Statements that were not made in the version that is in force. */
export function missingAttestations(attested: readonly Attested[]): AttestationName[] {
  return IDENTITY_ATTESTATIONS.filter(
    ({ name, version }) => !attested.some((stated) => stated.name === name && stated.version === version),
  ).map(({ name }) => name);
}
