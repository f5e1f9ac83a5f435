/** Why an address is not paid although it is one: what came there would come to nobody, or to the bridge itself. Read after "the address". */
export const PAYEE_FAULTS = {
  keyless: 'is none of the chain, or nobody has its key, or everybody',
  own: 'is one of the bridge itself: nobody could sign there',
  program: 'is a program’s, a token’s or an object’s: nobody signs there',
  locked: 'is an account that nobody can sign for any more',
  missing: 'is of no account that there is',
} as const;

export type PayeeFault = keyof typeof PAYEE_FAULTS;
