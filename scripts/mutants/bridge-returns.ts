import type { Mutant } from './mutant.ts';

const CHECK = 'domain/bridge/signing/check-job.ts';
const STEP = 'domain/bridge/step-transfer.ts';
const TRANSFER = 'durable-objects/transfer/transfer.ts';
const PAYMENTS = 'durable-objects/transfer/transfer-payments.ts';
const CEREMONY = 'domain/bridge/signing/ceremony/ceremony-host.ts';
const job = ['domain/bridge/signing/check-job.test.ts'];
const steps = ['domain/bridge/transfer.test.ts'];
const returns = ['test/runtime/workers/exchange/operator/bridge-returns.test.ts'];
const payee = ['durable-objects/transfer/payee-memo.test.ts'];
const kept = ['durable-objects/transfer/kept-returns.test.ts'];
const payments = ['durable-objects/transfer/unknown-reference.test.ts'];
const TRON = 'domain/bridge/chains/tron/tron.ts';
const tron = ['test/node/bridge/chains-accounts/tron.test.ts'];
const evm = ['test/node/bridge/evm-adapter.test.ts'];
const RULE = 'domain/bridge/signing/memory/guard-rule.ts';
const rule = ['domain/bridge/signing/memory/guard-rule.test.ts'];
const names = ['domain/bridge/chains/names-transfer.test.ts'];
const ceremonies = ['domain/bridge/signing/ceremony/next-ceremony.test.ts'];

/** What goes back to whom, and what has to be looked at again before it is written. */
export const BRIDGE_RETURN_MUTANTS: readonly Mutant[] = [
  {
    rule: 'an order of a return is written where nothing of the payer has come while chains were asked',
    file: TRANSFER,
    from: '(await this.#returnRefusal(payer)) ?? this.#orderedReturn(payer)',
    to: 'await this.#returnRefusal(payer)',
    tests: returns,
  },
  {
    rule: 'what somebody else has paid in waits for a late payer',
    file: TRANSFER,
    from: 'returnTo !== undefined && this.#isWaitOver()',
    to: 'returnTo !== undefined',
    tests: returns,
  },
  {
    rule: 'what a payer pays after a return is looked for',
    file: TRANSFER,
    from: 'if (isReturned(transfer) && (await this.#findLate(ports))) return;',
    to: '',
    tests: returns,
  },
  {
    rule: 'a return stands against no refund of another payer’s deposit',
    file: CHECK,
    from: '&& !(await paysOtherFundsBack(job, payment, eyes))',
    to: '',
    tests: job,
  },
  {
    rule: 'nothing follows a payment but a refund to somebody else',
    file: CHECK,
    from: "if (payment.kind !== 'refund' || payment.to === landed.to || !isReturn({ terms, payment: landed })) return false;",
    to: '',
    tests: job,
  },
  {
    rule: 'a deposit of the payer of the terms that several have signed follows a return',
    file: CHECK,
    from: '(payer !== undefined || !isAgainReturn) && payer',
    to: 'payer !== undefined && payer',
    tests: job,
  },
  {
    rule: 'a deposit whose payer nobody names is returned to nobody after a return',
    file: CHECK,
    from: '(payer !== undefined || !isAgainReturn) && payer',
    to: 'payer',
    tests: job,
  },
  {
    rule: 'a deposit of whom a return has paid does not follow it',
    file: CHECK,
    from: ' && payer !== landed.to && !gone',
    to: ' && !gone',
    tests: job,
  },
  {
    rule: 'a deposit that a return has paid back is not paid back again',
    file: CHECK,
    from: ' && !gone.has(reference)',
    to: '',
    tests: job,
  },
  {
    rule: 'a transfer whose return has landed takes late funds of its payer',
    file: STEP,
    from: 'if (isReturned(transfer) && isReturn !== true && funds?.reference !== reference) return paidLate(transfer, event);',
    to: '',
    tests: steps,
  },
  {
    rule: 'what was returned without its funds stays so',
    file: STEP,
    from: 'return hasReturned === true && isUncovered;',
    to: 'return false;',
    tests: steps,
  },
  {
    rule: 'what was returned without its funds stays so, though later funds come',
    file: STEP,
    from: "funds, refundReason: 'late' });\n}",
    to: "funds, refundReason: 'late', isUncovered: false });\n}",
    tests: steps,
  },
  {
    rule: 'a return that was cancelled is not handed in again',
    file: PAYMENTS,
    from: "announced.findLast(({ payment: { kind, to } }) => kind === 'refund' && to === payer)",
    to: "announced.find(({ payment: { kind, to } }) => kind === 'refund' && to === payer)",
    tests: kept,
  },
  {
    rule: 'a return that has landed is not handed in again',
    file: PAYMENTS,
    from: "if ((await chains.statusOf(source, order.payment, this.#made(order.payment))).state !== 'unspent') continue;",
    to: '',
    tests: kept,
  },
  {
    rule: 'a return whose funds are gone as well is not handed in again',
    file: PAYMENTS,
    from: 'if (isCovered) await',
    to: 'await',
    tests: kept,
  },
  {
    rule: 'a return is covered by what its payer has paid, and by no other',
    file: PAYMENTS,
    from: 'one.payer === payer && one.amount',
    to: 'one.amount',
    tests: kept,
  },
  {
    rule: 'the reference of a return is not used again',
    file: STEP,
    from: 'cancelled: [...cancelled, payment.reference], hasReturned',
    to: 'cancelled, hasReturned',
    tests: steps,
  },
  {
    rule: 'nothing is paid out once something was returned',
    file: STEP,
    from: ' || hasReturned === true',
    to: '',
    tests: steps,
  },
  {
    rule: 'a payout whose payee cannot be paid takes no reference',
    file: PAYMENTS,
    from: "kind === 'payout' && vault !== null ? await",
    to: "kind === 'payout' && vault === null ? await",
    tests: payee,
  },
  {
    rule: 'a payout whose payee asks for a memo takes no reference',
    file: PAYMENTS,
    from: 'return memoFault && `the memo',
    to: 'return null && `the memo',
    tests: payee,
  },
  {
    rule: 'a payment whose reference is wrong for good is void, though nobody can look it up',
    file: CHECK,
    from: 'if (!(await isSignedByNobody(terms, order, checks))) throw error;',
    to: 'throw error;',
    tests: job,
  },
  {
    rule: 'a payment that nobody can look up now is not void',
    file: CHECK,
    from: 'if (!(await isSignedByNobody(terms, order, checks))) throw error;',
    to: '',
    tests: job,
  },
  {
    rule: 'signers are asked where the node knows a reference to be wrong for good',
    file: PAYMENTS,
    from: "fault?.isForGood !== true) throw error;\n      return { state: 'unspent' };",
    to: 'fault?.isForGood !== true) throw error;\n      throw error;',
    tests: payments,
  },
  {
    rule: 'a payment that was signed is looked up',
    file: PAYMENTS,
    from: 'if (signed[signedKey(order)] !== undefined) throw error;',
    to: '',
    tests: payments,
  },
  {
    rule: 'a block of Tron that is solid is the reference’s or never will be',
    file: TRON,
    from: 'neverSo(await isOfSolidBlock(transport, reference),',
    to: 'notSo(await isOfSolidBlock(transport, reference),',
    tests: tron,
  },
  {
    rule: 'a block of Tron to come may be the reference’s',
    file: TRON,
    from: "neverSo(BigInt(time) < BigInt(expiration) - WINDOW_MS, 'its block is none')",
    to: "neverSo(false, 'its block is none')",
    tests: tron,
  },
  {
    rule: 'a block of Tron that is to come is none once the chain is as late',
    file: TRON,
    from: "neverSo(BigInt(time) < BigInt(expiration) - WINDOW_MS, 'its block is none'),\n",
    to: '',
    tests: tron,
  },
  {
    rule: 'an allowance that is left is taken back before another is given',
    file: 'domain/bridge/chains/evm/evm-approvals.ts',
    from: 'left === 0n ? [amount] : [0n, amount]',
    to: '[amount]',
    tests: evm,
  },
  {
    rule: 'an allowance that would be enough is given anew',
    file: 'domain/bridge/chains/evm/evm-approvals.ts',
    from: 'left === 0n ? [amount] : [0n, amount]',
    to: 'left === 0n ? [amount] : left >= amount ? [] : [0n, amount]',
    tests: evm,
  },
  {
    rule: 'a record of an earlier release shows the call that approves its amount',
    file: 'workers/bridge/transfer-schema.ts',
    from: 'calls ?? [{ to: token, data: approveCall(spender, amountIn) }];',
    to: 'calls ?? [];',
    tests: ['workers/bridge/transfer-schema.test.ts'],
  },
  {
    rule: 'bytes that name no transfer are signed for the one that the guard was shown',
    file: CHECK,
    from: 'const shared = await sharedRefusal(job, unsigned, eyes);',
    to: 'const shared = null as SignerRefusal | null;',
    tests: job,
  },
  {
    rule: 'bytes that name no transfer are signed for no other than the guard was shown',
    file: CHECK,
    from: "    return never('the guard shows its transaction for another transfer');",
    to: '    return null;',
    tests: job,
  },
  {
    rule: 'a transaction that is shown for another transfer stands against nothing of this one',
    file: CHECK,
    from: '  if (record.isUnderGuardRule === true && (await isShownForAnother(terms, order, eyes))) return true;',
    to: '',
    tests: job,
  },
  {
    rule: 'a transaction that is shown for another transfer pays out no other',
    file: CHECK,
    from: "if (!isItsPayout || (await isClaimedByAnother(terms, { side: 'destination', payment }, eyes))) return false;",
    to: 'if (!isItsPayout) return false;',
    tests: job,
  },
  {
    rule: 'what a signer of an earlier release may have signed is not void by what the guard shows',
    file: CHECK,
    from: 'record.isUnderGuardRule === true && ',
    to: '',
    tests: job,
  },
  {
    rule: 'a signer goes by what the guard shows once all five do',
    file: RULE,
    from: ' + ROLLOUT_MS && ',
    to: ' && ',
    tests: rule,
  },
  {
    rule: 'a transfer of a time to come began under no rule',
    file: RULE,
    from: ' && begunAt <= now',
    to: '',
    tests: rule,
  },
  {
    rule: 'a signer writes down once since when it keeps a rule',
    file: RULE,
    from: "if (memory.read('rule', SINCE) === null) ",
    to: '',
    tests: rule,
  },
  {
    rule: 'a signer tells its checks which transfers began under the rule',
    file: 'domain/bridge/signing/signer-host.ts',
    from: 'isUnderGuardRule: isUnderGuardRule(memory, job.terms, now()),',
    to: '',
    tests: ['domain/bridge/signing/signer-host.test.ts'],
  },
  {
    rule: 'bytes that any guard was shown for another transfer are signed for none of this one',
    file: CHECK,
    from: "if (shown.some((commitment) => isAnother(commitment, payment.commitment)))\n    return never('the guard shows its transaction",
    to: "if (isAnother(shown[0] ?? null, payment.commitment))\n    return never('the guard shows its transaction",
    tests: job,
  },
  {
    rule: 'a transaction that a guard was shown for this transfer is not void by the word of another guard',
    file: CHECK,
    from: ' && !others.includes(commitment);',
    to: ';',
    tests: job,
  },
  {
    rule: 'each guard that a signer keeps is asked for whom a transaction is',
    file: 'domain/bridge/signing/chain-eyes.ts',
    from: '[guard, ...formerGuards]',
    to: '[guard]',
    tests: ['domain/bridge/signing/chain-eyes.test.ts'],
  },
  {
    rule: 'an object asks each guard that it keeps for whom a transaction is',
    file: 'durable-objects/bridge-chains/kept-places.ts',
    from: '(await this.#settings(terms)).map(({ value: { guard } }) => guard)',
    to: '(await this.#settings(terms)).slice(-1).map(({ value: { guard } }) => guard)',
    tests: ['test/runtime/durable-objects/bridge-chains/kept-places.test.ts'],
  },
  {
    rule: 'the guard is shown for which transfer bytes are that name none',
    file: PAYMENTS,
    from: "if (order.kind !== 'cancel' && !namesTransfer(vault)) await this.#shown(ports, order, vault);",
    to: '',
    tests: payee,
  },
  {
    rule: 'a memo of a payee may name another transfer, so that nothing else is named by memos',
    file: 'domain/bridge/chains/names-transfer.ts',
    from: ", 'stellar', 'cosmos'];",
    to: '];',
    tests: names,
  },
  {
    rule: 'a provider is given an id that follows from the transfer',
    file: 'domain/bridge/chains/names-transfer.ts',
    from: 'custody !== undefined || ',
    to: '',
    tests: names,
  },
  {
    rule: 'a key that is in use has room for a ceremony a day',
    file: CEREMONY,
    from: ' && !this.#hasRoomBehind(terms, records)',
    to: '',
    tests: ceremonies,
  },
  {
    rule: 'a key that is not in use has no room behind the bound',
    file: CEREMONY,
    from: 'if (key === undefined || !isInUse) return false;',
    to: '',
    tests: ceremonies,
  },
  {
    rule: 'a key has one ceremony a day behind the bound',
    file: CEREMONY,
    from: '(record.confirmedAt ?? 0) > since',
    to: 'false',
    tests: ceremonies,
  },
];
