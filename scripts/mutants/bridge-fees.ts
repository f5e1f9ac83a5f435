import type { Mutant } from './mutant.ts';

const CHECK = 'domain/bridge/signing/check-job.ts';
const HOST = 'domain/bridge/signing/signer-host.ts';
const BOUND = 'domain/bridge/signing/memory/day-bound.ts';
const PAYMENTS = 'durable-objects/transfer/transfer-payments.ts';
const PLACES = 'domain/bridge/places/transfer-places.ts';
const places = ['domain/bridge/places/transfer-places.test.ts'];
const jobs = ['domain/bridge/signing/check-job.test.ts'];
const hosts = ['domain/bridge/signing/signer-host.test.ts'];
const payments = ['test/runtime/durable-objects/transfer/transfer-payments.test.ts'];

/** What fees, cancellations and references of the bridge may come to. */
export const BRIDGE_FEE_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a cancellation may have its fee from a dearer day',
    file: 'domain/bridge/chains/bitcoin/utxo-adapter.ts',
    from: "notSo(!isDear || order.kind !== 'payout',",
    to: 'notSo(!isDear,',
    tests: ['test/adversary/operator/references-that-lie.test.ts'],
  },
  {
    rule: 'what the signer has signed itself is cancelled without a place of the day',
    file: CHECK,
    from: 'if (isAgain || hasSigned(record, job, vault)) return null;',
    to: 'if (isAgain) return null;',
    tests: jobs,
  },
  {
    rule: 'what is signed again takes no place of the day',
    file: CHECK,
    from: 'if (isAgain || hasSigned(record, job, vault)) return null;',
    to: 'if (hasSigned(record, job, vault)) return null;',
    tests: jobs,
  },
  {
    rule: 'a refund by a dear fee takes a place of the day',
    file: CHECK,
    from: 'if (!isCancel && !isDear) return null;',
    to: 'if (!isCancel) return null;',
    tests: jobs,
  },
  {
    rule: 'dear fees have places of their own',
    file: BOUND,
    from: 'return !isDear || others.filter((entry) => entry.isDear).length < DEAR_A_DAY_MAX;',
    to: 'return true;',
    tests: ['test/adversary/operator/references-that-lie.test.ts'],
  },
  {
    rule: 'places of the day are those of a vault',
    file: BOUND,
    from: "return statementDigest(['edge.bridge.day.v1', chain, network, account]);",
    to: "return statementDigest(['edge.bridge.day.v1', network, account]);",
    tests: hosts,
  },
  {
    rule: 'where a cancellation costs cents there are more places',
    file: BOUND,
    from: 'spendsOutputs(vault) ? CANCELLATIONS_A_DAY_MAX : CHEAP_CANCELLATIONS_A_DAY_MAX',
    to: 'CANCELLATIONS_A_DAY_MAX',
    tests: hosts,
  },
  {
    rule: 'what refutes a recovery stands in no record of a transfer',
    file: HOST,
    from: 'const isNoted = !isKept || ',
    to: 'const isNoted = ',
    tests: hosts,
  },
  {
    rule: 'a payout that nobody signs is given up after a while',
    file: PAYMENTS,
    from: 'if (signed === null) await unsigned();\n    else await',
    to: 'if (signed !== null) await',
    tests: payments,
  },
  {
    rule: 'a payout is given up after a day, and no sooner',
    file: PAYMENTS,
    from: 'if (Date.now() < (cancellingSince ?? Date.now()) + GIVE_UP_MS) return;',
    to: '',
    tests: payments,
  },
  {
    rule: 'a payout that is signed is not given up',
    file: PAYMENTS,
    from: ' || signed[signedKey(payment)] !== undefined) return;',
    to: ') return;',
    tests: payments,
  },
  {
    rule: 'what was given up is not cancelled while another payment has its coins',
    file: PAYMENTS,
    from: 'if (isGivenUp && !(await this.#takesAgain(ports, vault, status))) return;',
    to: '',
    tests: payments,
  },
  {
    rule: 'coins that another payment has are not taken again',
    file: 'durable-objects/chain-watcher/chain-watcher.ts',
    from: 'outpointsOf(reference).some((outpoint) => others.has(outpoint))',
    to: 'false',
    tests: ['test/runtime/durable-objects/chain-watcher/given-up.test.ts'],
  },
  {
    rule: 'a deposit that is noted as paid out needs no chain',
    file: CHECK,
    from: 'if (noted.has(commitment)) continue;',
    to: '',
    tests: jobs,
  },
  {
    rule: 'what is seen to be paid out is noted',
    file: CHECK,
    from: 'noted.note(commitment);',
    to: '',
    tests: jobs,
  },
  {
    rule: 'a cancellation of what the signer has signed asks for no payouts',
    file: CHECK,
    from: 'if (hasSigned(record, job, (await eyes.places(terms))[side])) return null;\n  for',
    to: 'for',
    tests: jobs,
  },
  {
    rule: 'a signer notes as paid out what it sees to be',
    file: HOST,
    from: "if (!(await isPaidOut(paidOut, eyes))) return { ok: false, kind: 'not_yet', reason: 'it is not paid out' };",
    to: '',
    tests: hosts,
  },
  {
    rule: 'signers are told again of a payout that not all have noted',
    file: PAYMENTS,
    from: "if (transfer.state === 'confirmed') await this.#notePaidOut(ports);",
    to: '',
    tests: payments,
  },
  {
    rule: 'a payment whose reference is wrong for good is void',
    file: CHECK,
    from: 'if (await isSignedByNobody(terms, before, { eyes, record }).catch(() => false)) continue;',
    to: '',
    tests: jobs,
  },
  {
    rule: 'what the signer has signed itself is not void by its reference',
    file: CHECK,
    from: 'if (record.signed.some((signed) => isSameOrder(signed, order))) return false;',
    to: '',
    tests: jobs,
  },
  {
    rule: 'what may become so is not wrong for good',
    file: CHECK,
    from: 'return fault?.isForGood === true;',
    to: 'return fault !== null;',
    tests: jobs,
  },
  {
    rule: 'three say that a payment is void',
    file: 'domain/bridge/signing/coordinator.ts',
    from: 'const isVoid = isSaid((each) => each.isVoid === true);',
    to: 'const isVoid = isForGood;',
    tests: ['domain/bridge/signing/coordinator.test.ts'],
  },
  {
    rule: 'a transfer goes on from a payment that is void by its reference',
    file: PAYMENTS,
    from: 'if (outcome.isVoid === true) {',
    to: 'if (false) {',
    tests: payments,
  },
  {
    rule: 'a transfer costs no more than its customer has stated',
    file: 'application/bridge/initiate-transfer.ts',
    from: 'if (quote.value.fee > mostFee.value) {',
    to: 'if (false) {',
    tests: ['test/runtime/adversary/bridge-tenant/dust-transfers.test.ts'],
  },
  {
    rule: 'a signer pays out no less than its lane takes',
    file: CHECK,
    from: "return isEnough(terms, places) ? null : never('it brings less than its lane asks for');",
    to: 'return null;',
    tests: jobs,
  },
  {
    rule: 'a signer says before funds come what brings too little',
    file: HOST,
    from: 'const refused = placesRefusal(terms, places);',
    to: 'const refused = scaleRefusal(terms, places);',
    tests: hosts,
  },
  {
    rule: 'a payout brings what its lane asks for and what its chain may',
    file: PLACES,
    from: 'BigInt(fee) >= BigInt(flatFee) + ownCost(destination, scale)',
    to: 'fee >= flatFee',
    tests: places,
  },
  {
    rule: 'a transfer is of the least amount of its lane',
    file: PLACES,
    from: 'return amount >= leastAmount && ',
    to: 'return ',
    tests: places,
  },
  {
    rule: 'floors of lanes follow behind the notice',
    file: 'data/bridge/tenants.ts',
    from: 'const laneTerms = withFloors(value.lanes ?? [], row.laneTerms);',
    to: 'const { laneTerms } = row;',
    tests: ['test/runtime/workers/exchange/operator/bridge-places.test.ts'],
  },
  {
    rule: 'a signer goes by the floor of the very lane',
    file: 'durable-objects/bridge-chains/worker-eyes.ts',
    from: 'origin === externalChain(terms) && asset === terms.asset',
    to: 'origin === externalChain(terms)',
    tests: ['test/runtime/durable-objects/bridge-chains/worker-eyes.test.ts'],
  },
];
