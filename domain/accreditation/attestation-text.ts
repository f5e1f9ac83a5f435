/** What a person states who certifies to be an accredited investor (17 CFR 230.501(a)). Another text is another version. */
export const ATTESTATION = {
  version: '2026-1',
  text:
    'I certify that I am an accredited investor as Rule 501(a) of Regulation D defines it: my own income was above $200,000 in each of the two ' +
    'last years, or above $300,000 together with my spouse or spousal equivalent, and I expect as much this year; or my net worth, alone or ' +
    'with my spouse or spousal equivalent and without my primary residence, is above $1,000,000; or I meet another of its definitions. ' +
    'I will say so at once when this is no longer so.',
} as const;
