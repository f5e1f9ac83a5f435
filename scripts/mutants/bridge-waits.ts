import type { Mutant } from './mutant.ts';

const STEP = 'domain/bridge/step-transfer.ts';
const LOOK = 'domain/bridge/next-look.ts';
const OBJECT = 'durable-objects/transfer/transfer.ts';
const CHECK = 'domain/bridge/signing/check-job.ts';
const steps = ['domain/bridge/transfer.test.ts'];
const looks = ['domain/bridge/next-look.test.ts'];
const objects = ['test/runtime/durable-objects/transfer/transfer.test.ts'];
const routes = ['test/runtime/workers/bridge/bridge.test.ts'];
const signers = ['domain/bridge/signing/signer-host.test.ts'];

/** What ends a wait of a transfer, and what does not. */
export const BRIDGE_WAIT_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a payout that nobody signs in time goes back',
    file: STEP,
    from: "if (state === 'signing') return stopPayout(transfer, 'timed_out');",
    to: '',
    tests: steps,
  },
  {
    rule: 'a refund that nobody signs in time takes another reference',
    file: STEP,
    from: "if (state === 'refund_signing') return abandonRefund(transfer);",
    to: '',
    tests: steps,
  },
  {
    rule: 'a refund of the ledger keeps its one id however long it waits',
    file: STEP,
    from: 'refund_ms === null ? null : at + refund_ms',
    to: 'at + (refund_ms ?? 0)',
    tests: steps,
  },
  {
    rule: 'a transfer from an account has no other refund than that of the ledger',
    file: OBJECT,
    from: 'settings.source === null ? null : answer_ms',
    to: 'answer_ms',
    tests: objects,
  },
  {
    rule: 'a payment that is given up is cancelled',
    file: 'domain/bridge/transfer.ts',
    from: ' || payment.isAbandoned',
    to: '',
    tests: steps,
  },
  {
    rule: 'the first reason for which a transfer is not paid stands',
    file: STEP,
    from: 'if (transfer.refundReason !== null) return NOTHING;',
    to: '',
    tests: steps,
  },
  {
    rule: 'funds that were in time are in time when they are seen again',
    file: STEP,
    from: 'Math.min(funds.cameAt, cameAt) : cameAt',
    to: 'cameAt : cameAt',
    tests: steps,
  },
  {
    rule: 'funds are in time by when the chain says that they came',
    file: OBJECT,
    from: 'cameAt: Math.min(at ?? now, now)',
    to: 'cameAt: now',
    tests: objects,
  },
  {
    rule: 'funds that a node does not show for a moment are not lost',
    file: OBJECT,
    from: 'if (now - (missingSince ?? now) < this.missing_ms) {',
    to: 'if (false) {',
    tests: objects,
  },
  {
    rule: 'a transfer does not go on while its funds are missing',
    file: OBJECT,
    from: "this.#waitsFor = 'the source does not show its funds now';\n      return false;",
    to: "this.#waitsFor = 'the source does not show its funds now';\n      return true;",
    tests: objects,
  },
  {
    rule: 'funds that are missing again are given their time again',
    file: OBJECT,
    from: 'if (missingSince !== undefined) await this.#store.save({ missingSince: undefined });',
    to: '',
    tests: objects,
  },
  {
    rule: 'a debit that may have been made does not expire',
    file: OBJECT,
    from: 'if (!this.#isDebitOpen()) await',
    to: 'await',
    tests: objects,
  },
  {
    rule: 'a reference that was chosen for funds that are lost is free again',
    file: OBJECT,
    from: "for (const vault of [settings.source, settings.destination])\n        if (vault !== null) await ports.watcher(vault).ended(commitment);\n    }\n    await this.#happened({ type: 'funds_lost'",
    to: "}\n    await this.#happened({ type: 'funds_lost'",
    tests: objects,
  },
  {
    rule: 'refunds that come to nothing lie apart',
    file: OBJECT,
    from: "if (kind === 'refund' && Date.now() < this.nextRefund(refunds)) {",
    to: 'if (false) {',
    tests: objects,
  },
  {
    rule: 'the longer a transfer waits, the less often it is looked at',
    file: LOOK,
    from: 'Math.min(waited / PARTS_LATER, REST_MS_MAX)',
    to: '0',
    tests: looks,
  },
  {
    rule: 'a transfer that waits is looked at every hour at least',
    file: LOOK,
    from: 'Math.min(waited / PARTS_LATER, REST_MS_MAX)',
    to: 'waited / PARTS_LATER',
    tests: looks,
  },
  {
    rule: 'a transfer is looked at when its state ends',
    file: LOOK,
    from: 'until !== null && until > now ? Math.min(at, until) : at',
    to: 'at',
    tests: looks,
  },
  {
    rule: 'who pays in is answered within a minute',
    file: LOOK,
    from: "return state === 'awaiting_funds' || state === 'confirming';",
    to: 'return false;',
    tests: looks,
  },
  {
    rule: 'a signer signs no payment that was paid',
    file: CHECK,
    from: 'if (spent !== null) return { ok: false, ...spent };',
    to: '',
    tests: signers,
  },
  {
    rule: 'a signer goes by a reference that is spent once that is deep',
    file: CHECK,
    from: "return notYet('its reference is spent');",
    to: "return never('its reference is spent');",
    tests: signers,
  },
  {
    rule: 'funds that a signer saw before a block had them came then',
    file: CHECK,
    from: 'Math.min(deposit.at ?? Number.POSITIVE_INFINITY, seenAt(deposit.reference))',
    to: 'deposit.at ?? seenAt(deposit.reference)',
    tests: signers,
  },
  {
    rule: 'funds came when their block says, where a signer sees them later',
    file: CHECK,
    from: 'Math.min(deposit.at ?? Number.POSITIVE_INFINITY, seenAt(deposit.reference))',
    to: 'seenAt(deposit.reference)',
    tests: signers,
  },
  {
    rule: 'the guard counts a transfer again that it has forgotten',
    file: OBJECT,
    from: 'if (clearance !== null) return;\n    // A reorganization',
    to: 'return;\n    // A reorganization',
    tests: objects,
  },
  {
    rule: 'a transfer whose account is not debited ends then, and says why',
    file: OBJECT,
    from: "return this.#happened({ type: 'debit_refused' });\n    }",
    to: 'return;\n    }',
    tests: routes,
  },
  {
    rule: 'nothing is paid to a contract of the bridge',
    file: 'application/bridge/initiate-transfer.ts',
    from: 'if (isOwnAddress(side, place?.address ?? null))',
    to: 'if (false)',
    tests: routes,
  },
  {
    rule: 'no address is shown where a contract has to be called',
    file: 'workers/bridge/transfer-schema.ts',
    from: 'place.call === null ? place.address : null',
    to: 'place.address',
    tests: routes,
  },
  {
    rule: 'no transfer begins at a tenant that was switched off',
    file: 'workers/bridge/initiate-transfer-route.ts',
    from: 'await tenantOf(c,',
    to: "await (await import('./tenant-of.ts')).knownTenantOf(c,",
    tests: routes,
  },
  {
    rule: 'a tenant that was switched off is shown to nobody',
    file: 'application/bridge/tenant-at.ts',
    from: 'return tenant?.isEnabled === true ? tenant : null;',
    to: 'return tenant;',
    tests: routes,
  },
  {
    rule: 'transfers of a tenant that was switched off are carried on',
    file: 'workers/bridge/complete-transfer-route.ts',
    from: 'await knownTenantOf(c,',
    to: "await (await import('./tenant-of.ts')).tenantOf(c,",
    tests: routes,
  },
  {
    rule: 'tenants see nothing of what a node says',
    file: 'durable-objects/bridge-chains/chains-of.ts',
    from: 'the chain does not answer as it should`);',
    to: 'the chain says `.concat(reason));',
    tests: objects,
  },
  {
    rule: 'whoever relays takes another nonce where another has taken it',
    file: 'domain/bridge/chains/evm/relay.ts',
    from: 'const NONCE_TRIES = 10;',
    to: 'const NONCE_TRIES = 1;',
    tests: ['test/node/bridge/bridge-guard.test.ts'],
  },
  {
    rule: 'what a reorganization has taken away after the end is paid again',
    file: OBJECT,
    from: ': this.#keepPaid(ports);',
    to: ': undefined;',
    tests: objects,
  },
];
