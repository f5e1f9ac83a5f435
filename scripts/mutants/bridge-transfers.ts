import type { Mutant } from './mutant.ts';

const OBJECT = 'durable-objects/transfer/transfer.ts';
const PAYMENTS = 'durable-objects/transfer/transfer-payments.ts';
const tests = ['test/runtime/durable-objects/transfer/transfer.test.ts'];

/** Rules of the object that carries a transfer of the bridge on. */
export const BRIDGE_TRANSFER_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a transfer that is begun again stands where it stood',
    file: OBJECT,
    from: 'if (this.#store.record === null) {\n      const commitment',
    to: 'if (true) {\n      const commitment',
    tests,
  },
  {
    rule: 'a payment of the ledger that is vetoed before its mint is cancelled',
    file: PAYMENTS,
    from: ' || mustCancel(transfer)) return',
    to: ') return',
    tests,
  },
  {
    rule: 'the guard is asked once more before a transfer pays',
    file: OBJECT,
    from: "if (this.#store.begun.transfer.state === 'signing') await this.#watchGuard(ports);\n        await this.#giveRoomBack(ports);\n        return this.#payments.pay(",
    to: 'return this.#payments.pay(',
    tests,
  },
  {
    rule: 'the signature of the hardware module goes on with its transfer',
    file: 'durable-objects/transfer/transfer.ts',
    from: 'await this.#store.save({ coSignature });',
    to: 'await this.#store.save({ coSignature: null });',
    tests: ['test/runtime/durable-objects/transfer/transfer.test.ts'],
  },
  {
    rule: 'a veto counts while a transfer waits for the hardware module',
    file: OBJECT,
    from: "case 'co_sign':\n        await this.#watchGuard(ports);",
    to: "case 'co_sign':",
    tests,
  },
  {
    rule: 'a transfer looks at its funds before each step',
    file: OBJECT,
    from: 'if (isWatched && !(await this.#watchFunds(ports))) return;',
    to: '',
    tests,
  },
  {
    rule: 'funds that a chain no longer has are lost',
    file: OBJECT,
    from: 'if (found === undefined) return this.#missed(ports);',
    to: 'if (found === undefined) return true;',
    tests,
  },
  {
    rule: 'a signer that cannot see now has not refused',
    file: OBJECT,
    from: "if (!answer.ok && answer.kind === 'refused') await",
    to: 'if (!answer.ok) await',
    tests,
  },
  {
    rule: 'a transfer that the guard has no room for waits',
    file: OBJECT,
    from: "if (answer === 'over_limit') {",
    to: 'if (false) {',
    tests,
  },
  {
    rule: 'a transfer goes on once the guard shows that it was counted',
    file: OBJECT,
    from: "if (clearance === null) throw new Error('the guard has not counted the transfer yet');",
    to: "if (clearance === null) return this.#happened({ type: 'limit_checked', fits: true });",
    tests,
  },
  {
    rule: 'a challenge of the guard is one of the transfer',
    file: OBJECT,
    from: 'left_ms > 0 ? { challengeFrom: 0, challenge_ms: left_ms } : {}',
    to: 'left_ms > Infinity ? { challengeFrom: 0, challenge_ms: left_ms } : {}',
    tests,
  },
  {
    rule: 'a payout that signers refuse for good is given up',
    file: PAYMENTS,
    from: "if (outcome.isForGood && order.kind !== 'cancel')",
    to: "if (outcome.isForGood && order.kind === 'refund')",
    tests,
  },
  {
    rule: 'a payout whose signers are away is not given up',
    file: PAYMENTS,
    from: "if (outcome.isForGood && order.kind !== 'cancel')",
    to: "if (order.kind !== 'cancel')",
    tests,
  },
  {
    rule: 'a payment counts once it is deep enough',
    file: PAYMENTS,
    from: 'if (status.confirmations < (await ports.chains.confirmationsNeeded(vault.chain, vault.network))) return false;',
    to: '',
    tests,
  },
  {
    rule: 'a payment whose reference paid nobody is not paid',
    file: PAYMENTS,
    from: "(status.state === 'paid'\n      ?",
    to: '(true\n      ?',
    tests,
  },
  {
    rule: 'what was paid before it was cancelled is paid',
    file: PAYMENTS,
    from: "(status.state === 'paid'\n      ?",
    to: '(false\n      ?',
    tests,
  },
  {
    rule: 'what was minted before it was cancelled is paid',
    file: PAYMENTS,
    from: "if (outcome.type === 'id_conflict') return this.#payAccount(ports, payment);",
    to: '',
    tests,
  },
  {
    rule: 'the id of a mint that is cancelled is taken from it',
    file: PAYMENTS,
    from: "const outcome = await ports.ledger(\n        movementOf(this.#store.begun, { type: 'void', purpose: payment.kind, amount: paidAmount(transfer) }),\n      );",
    to: "const outcome = { type: 'done' } as { type: string };",
    tests,
  },
  {
    rule: 'a payment is not cancelled while its reference is unspent',
    file: PAYMENTS,
    from: "if (payment === null || status.state === 'unspent') return false;",
    to: "if (payment === null) return false;\n    if (status.state === 'unspent') { await this.#cancelled(ports, payment.reference); return true; }",
    tests,
  },
  {
    rule: 'funds count in the depth that their chain asks for',
    file: OBJECT,
    from: 'return this.#confirmationsNeeded;',
    to: 'return 1;',
    tests,
  },
];
