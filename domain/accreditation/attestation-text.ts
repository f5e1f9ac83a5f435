/** What a person states who certifies to be an accredited investor (17 CFR 230.501(a)). Another text is another version. */
export const ATTESTATION = {
  version: '2026-1',
  text:
    'I certify that I am an accredited investor as Rule 501(a) of Regulation D defines it: my own income was above $200,000 in each of the two ' +
    'last years, or above $300,000 together with my spouse or spousal equivalent, and I expect as much this year; or my net worth, alone or ' +
    'with my spouse or spousal equivalent and without my primary residence, is above $1,000,000; or I meet another of its definitions. ' +
    'I will say so at once when this is no longer so.',
} as const;

/** The same version in German, for whoever reads it there; what is certified, and kept, is the text above. */
export const ATTESTATION_IN_GERMAN =
  'Ich bestätige, dass ich ein akkreditierter Anleger nach Rule 501(a) der Regulation D bin: Mein eigenes Einkommen lag in jedem der beiden letzten Jahre ' +
  'über 200.000 Dollar, oder zusammen mit meinem Ehe- oder Lebenspartner über 300.000 Dollar, und ich erwarte in diesem Jahr ebenso viel; oder mein Vermögen, ' +
  'allein oder mit meinem Ehe- oder Lebenspartner und ohne meine Hauptwohnung, liegt über 1.000.000 Dollar; oder ich erfülle eine andere ihrer Definitionen. ' +
  'Ich sage es sofort, wenn das nicht mehr so ist.';
