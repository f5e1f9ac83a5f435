import type { Mutant } from './mutant.ts';

const CHECK_FEES = 'domain/bridge/signing/check-fees.ts';
const CHECK = 'domain/bridge/signing/check-job.ts';
const HOST = 'domain/bridge/signing/signer-host.ts';
const MEMORY = 'domain/bridge/signing/memory/vault-fees.ts';
const EARNED = 'domain/bridge/fees/earned-fee.ts';
const EVM = 'domain/bridge/chains/evm/evm-adapter.ts';
const CLUSTER = 'durable-objects/bridge-chains/signing-cluster.ts';
const TRANSFER = 'durable-objects/transfer/transfer.ts';
const PAYMENTS = 'durable-objects/transfer/transfer-payments.ts';
const signers = ['domain/bridge/signing/vault-fees.test.ts'];
const liars = ['test/node/bridge/liar/fees.test.ts'];
const heard = ['durable-objects/bridge-chains/signing-cluster.test.ts'];
const whole = ['test/runtime/workers/bridge/fees.test.ts'];

/** Rules of fees that are paid out to the tenant, and of whom a coordinator waits for. */
export const BRIDGE_EARNED_FEE_MUTANTS: readonly Mutant[] = [
  {
    rule: 'payouts of fees follow each other on the chain',
    file: CHECK_FEES,
    from: "  if (number > next) return notYet('an earlier payout of fees is not settled');\n",
    to: '',
    tests: [...signers, ...liars],
  },
  {
    rule: 'a number of a payout of fees is signed once',
    file: CHECK_FEES,
    from: "  if (number < next) return never('another payout of fees has its number');\n",
    to: '',
    tests: signers,
  },
  {
    rule: 'what was paid of fees is earned no more',
    file: CHECK_FEES,
    from: 'return paid + BigInt(payment.amount) > earned',
    to: 'return BigInt(payment.amount) > earned',
    tests: [...signers, ...liars],
  },
  {
    rule: 'an earlier payout of fees has to be deep',
    file: CHECK_FEES,
    from: "  if (found.next > from && found.confirmations < (await eyes.confirmationsNeeded(terms, 'destination')))\n    return { ok: false, ...notYet('an earlier payout of fees is not deep enough') };\n",
    to: '',
    tests: [...signers, ...liars],
  },
  {
    rule: 'fees go to the address that is stated of their lane',
    file: CHECK_FEES,
    from: "return isStated ? null : never('fees of its lane go to another address');",
    to: 'return isStated ? null : null;',
    tests: [...signers, ...liars],
  },
  {
    rule: 'a payout of fees is not held to the least of its lane, but to its address',
    file: CHECK,
    from: '  if (isOfFees(terms)) return feesPlaceRefusal(terms, places);\n',
    to: '',
    tests: signers,
  },
  {
    rule: 'a payout of fees has a reference of its own kind',
    file: CHECK,
    from: 'if ((feesNumber(reference) !== null) !== isOfFees(terms))',
    to: 'if (false)',
    tests: signers,
  },
  {
    rule: 'a payout of fees that came to nothing is signed for the next of its number',
    file: HOST,
    from: "payment.kind === 'cancel' || isOfFees(terms) ?",
    to: "payment.kind === 'cancel' ?",
    tests: signers,
  },
  {
    rule: 'fees are attested as far as they were earned',
    file: HOST,
    from: 'if (paid + BigInt(terms.amountOut) > earned)',
    to: 'if (false)',
    tests: signers,
  },
  {
    rule: 'a fee is counted by funds that came as quoted',
    file: HOST,
    from: '    if (!funds.value.isAsQuoted) return counted;\n',
    to: '',
    tests: signers,
  },
  {
    rule: 'a fee is counted by funds that the signer sees',
    file: HOST,
    from: '    if (!funds.ok) return funds;\n    if (!funds.value',
    to: '    if (!funds.ok) return counted;\n    if (!funds.value',
    tests: signers,
  },
  {
    rule: 'a fee is counted once, also by two calls at once',
    file: HOST,
    from: '    // Without a pause: the same may be asked for at the same moment.\n    if (isFeeCounted(memory, commitment)) return counted;\n',
    to: '',
    tests: signers,
  },
  {
    rule: 'a fee is counted of amounts that limits see',
    file: HOST,
    from: 'if (vault === null || scaleRefusal(terms, places) !== null) return counted;',
    to: 'if (vault === null) return counted;',
    tests: signers,
  },
  {
    rule: 'that a fee is counted is written before the sum',
    file: MEMORY,
    from: "    { kind: 'fee', id: commitment, text: String(units) },\n    feesChange(vault, { ...known, earned: known.earned + units }),",
    to: "    feesChange(vault, { ...known, earned: known.earned + units }),\n    { kind: 'fee', id: commitment, text: String(units) },",
    tests: signers,
  },
  {
    rule: 'sums of fees are of one token',
    file: MEMORY,
    from: 'contract?.toLowerCase() ?? null, token?.toLowerCase() ?? null',
    to: 'contract?.toLowerCase() ?? null',
    tests: signers,
  },
  {
    rule: 'what pays fees out earns none',
    file: EARNED,
    from: 'if (terms.fee === 0 || isOfFees(terms)) return null;',
    to: 'if (terms.fee === 0) return null;',
    tests: signers,
  },
  {
    rule: 'wrapped tokens earn no fees',
    file: EARNED,
    from: ' && chain !== EXCHANGE_CHAIN',
    to: '',
    tests: signers,
  },
  {
    rule: 'at a custody provider nobody counts fees',
    file: EARNED,
    from: ' && custody === undefined',
    to: '',
    tests: signers,
  },
  {
    rule: 'a number that another payout of fees has used is void',
    file: EVM,
    from: "  if (!isAsOrdered && number !== null) return { state: 'void', transaction, confirmations };\n",
    to: '',
    tests: liars,
  },
  {
    rule: 'nothing goes back by a number of fees',
    file: EVM,
    from: "if (feesNumber(reference) !== null) return kind !== 'refund';",
    to: 'if (feesNumber(reference) !== null) return true;',
    tests: liars,
  },
  {
    rule: 'numbers of fees are of one token',
    file: EVM,
    from: "['edge.bridge.fees.v1', tokenOf(token), number]",
    to: "['edge.bridge.fees.v1', number]",
    tests: liars,
  },
  {
    rule: 'nobody waits for a signer that hangs once three know a reference, or cannot',
    file: CLUSTER,
    from: '[true, false].some((ok) => counted(answers, ok) >= CLUSTER_THRESHOLD)',
    to: 'counted(answers, true) >= CLUSTER_SIZE',
    tests: heard,
  },
  {
    rule: 'fees are what three signers have counted',
    file: CLUSTER,
    from: 'most[CLUSTER_THRESHOLD - 1]',
    to: 'most[0]',
    tests: heard,
  },
  {
    rule: 'a payout of fees waits for an operator where the venue asks for a second one',
    file: TRANSFER,
    from: 'if (settings.needsApproval === true && isApproved !== true)',
    to: 'if (false)',
    tests: whole,
  },
  {
    rule: 'a payout of fees that is not to be ends with nothing taken',
    file: TRANSFER,
    from: '        if (this.#isLeftThere()) return this.#leaveThere(ports);\n',
    to: '',
    tests: whole,
  },
  {
    rule: 'a payout of fees that nobody has signed ends without a cancellation',
    file: PAYMENTS,
    from: 'if (isOfFees(this.#store.begun.terms) && this.#store.begun.signed[signedKey(payment)] === undefined)',
    to: 'if (false)',
    tests: whole,
  },
  {
    rule: 'signers count what a transfer has left in its vault',
    file: PAYMENTS,
    from: '(spent === null && !this.#earnsFee())',
    to: 'spent === null',
    tests: whole,
  },
  {
    rule: 'a tenant asks for payouts of fees so often a day',
    file: 'application/bridge/pay-fees.ts',
    from: '(await countFees(database(env.DB), day)) >= PAYOUTS_A_DAY_MAX',
    to: 'false',
    tests: whole,
  },
  {
    rule: 'what somebody names as the funds of a transfer is looked up by itself',
    file: TRANSFER,
    from: 'return funds === null ? named : [funds.reference, ...named];',
    to: 'return funds === null ? [] : [funds.reference];',
    tests: ['test/runtime/durable-objects/transfer/transfer.test.ts'],
  },
  {
    rule: 'one payout of fees is under way at a time',
    file: 'durable-objects/chain-watcher/chain-watcher.ts',
    from: 'order.isOfFees === true && this.#areFeesUnderWay(commitment)',
    to: 'false',
    tests: whole,
  },
  {
    rule: 'a payout of fees waits for an operator where the tenant’s organization asks for two',
    file: 'application/bridge/pay-fees.ts',
    from: 'return (await needsSecond(env)) || asksForTwoOperators(database(env.DB), organization);',
    to: 'return needsSecond(env);',
    tests: whole,
  },
];
