import type { Mutant } from './mutant.ts';

const GUARD = 'contracts/bridge/BridgeGuard.sol';
const TURNS = 'durable-objects/chain-watcher/lane-turns.ts';
const TRANSFER = 'durable-objects/transfer/transfer.ts';
const BACK = 'domain/bridge/gives-room-back.ts';
const guardTests = ['test/node/bridge/bridge-guard.test.ts'];
const roomTests = ['test/runtime/adversary/bridge-tenant/room-given-back.test.ts'];
const backTests = ['domain/bridge/gives-room-back.test.ts'];
const turnTests = ['domain/bridge/lane-turns.test.ts'];

/** Rules of room in a lane that is given back, and for whom it is held. */
export const BRIDGE_ROOM_MUTANTS: readonly Mutant[] = [
  {
    rule: 'room is given back once',
    file: GUARD,
    from: 'if (known.isGivenBack) return;',
    to: '',
    tests: guardTests,
  },
  {
    rule: 'no room is given back of a transfer whose payment was announced',
    file: GUARD,
    from: 'if (_payments[commitment].length != 0) revert PaymentAnnounced(commitment);',
    to: '',
    tests: guardTests,
  },
  {
    rule: 'what was given back is vetoed for good',
    file: GUARD,
    from: '        known.isVetoed = true;\n        known.isGivenBack = true;',
    to: '        known.isGivenBack = true;',
    tests: guardTests,
  },
  {
    rule: 'what was given back frees room of its lane',
    file: GUARD,
    from: 'back.total = uint208(total);',
    to: 'back.total = 0;',
    tests: guardTests,
  },
  {
    rule: 'what has left the window frees nothing',
    file: GUARD,
    from: 'if (hour >= from) {',
    to: 'if (hour >= 0) {',
    tests: guardTests,
  },
  {
    rule: 'room that came back leaves with the amount that it was of',
    file: GUARD,
    from: 'total -= back.countedIn[known];',
    to: 'total -= 0 * back.countedIn[known];',
    tests: guardTests,
  },
  {
    rule: 'nothing is given back while the guard is stopped',
    file: GUARD,
    from: 'function giveBack(bytes32 commitment) external onlyRole(REQUESTER_ROLE) whenNotPaused {',
    to: 'function giveBack(bytes32 commitment) external onlyRole(REQUESTER_ROLE) {',
    tests: guardTests,
  },
  {
    rule: 'the requester alone gives room back',
    file: GUARD,
    from: 'function giveBack(bytes32 commitment) external onlyRole(REQUESTER_ROLE) whenNotPaused {',
    to: 'function giveBack(bytes32 commitment) external whenNotPaused {',
    tests: ['test/node/bridge/access.test.ts'],
  },
  {
    rule: 'a signer sees the clearance after the announcement',
    file: 'domain/bridge/signing/check-job.ts',
    from: `    (await standRefusal(job, checks)) ??
    // After the announcement: room is given back only before it, so no clearance is taken away that was seen behind it.
    (payment.kind === 'payout' ? await guardRefusal(job, checks) : null) ??`,
    to: `    (payment.kind === 'payout' ? await guardRefusal(job, checks) : null) ??
    (await standRefusal(job, checks)) ??`,
    tests: ['domain/bridge/signing/check-job.test.ts'],
  },
  {
    rule: 'no room comes back of what was never counted',
    file: BACK,
    from: ' || attestedBy.length < CLUSTER_THRESHOLD',
    to: '',
    tests: backTests,
  },
  {
    rule: 'no room comes back of what may come again with its funds',
    file: BACK,
    from: 'funds === null || funds.isLost ||',
    to: 'funds === null ||',
    tests: backTests,
  },
  {
    rule: 'no room comes back of a payout that may be paid',
    file: BACK,
    from: "payment?.kind === 'payout' && refundReason !== null",
    to: "payment?.kind === 'payout'",
    tests: backTests,
  },
  {
    rule: 'the room of a transfer that goes back is given back',
    file: TRANSFER,
    from: '|| !givesRoomBack(transfer)) return;',
    to: '|| givesRoomBack(transfer)) return;',
    tests: roomTests,
  },
  {
    rule: 'what the ledger gives back waits for no guard',
    file: TRANSFER,
    from: 'if (next !== null) throw error;',
    to: 'throw error;',
    tests: roomTests,
  },
  {
    rule: 'room that the guard did not give back in time is asked for after the end',
    file: TRANSFER,
    from: '        await this.#giveRoomBack(ports);\n        if (transfer.state',
    to: '        if (transfer.state',
    tests: roomTests,
  },
  {
    rule: 'what a customer was given back counts for that customer',
    file: TRANSFER,
    from: 'if (isFree)\n',
    to: 'if (!isFree)\n',
    tests: roomTests,
  },
  {
    rule: 'a customer asks for no more than a limit a day, of what came back',
    file: 'domain/bridge/lane-turns.ts',
    from: 'return givenBack + amount <= limit;',
    to: 'return amount <= limit;',
    tests: turnTests,
  },
  {
    rule: 'one whose customer has no room of its own holds up nobody',
    file: TURNS,
    from: "      this.#sql.exec('DELETE FROM waiting WHERE commitment = ?', commitment);\n      return 'own_day';",
    to: "      return 'own_day';",
    tests: roomTests,
  },
  {
    rule: 'what was given back is forgotten a day later',
    file: TURNS,
    from: "    this.#sql.exec('DELETE FROM given_back WHERE at <= ?', now - DAY_MS);\n",
    to: '',
    tests: roomTests,
  },
  {
    rule: 'what was given back is counted by customer',
    file: TURNS,
    from: 'FROM given_back WHERE customer = ?',
    to: 'FROM given_back WHERE customer != ?',
    tests: roomTests,
  },
  {
    rule: 'room is held for the stated part of a limit',
    file: 'domain/bridge/lane-terms.ts',
    from: 'return Number((BigInt(limit) * BigInt(percent)) / 100n);',
    to: 'return percent > 0 ? limit : 0;',
    tests: ['domain/bridge/lane-terms.test.ts'],
  },
  {
    rule: 'a lane says for how much room is held',
    file: 'application/bridge/initiate-transfer.ts',
    from: '?.roomHeldPercent ??',
    to: '?.flatFee ??',
    tests: ['test/runtime/adversary/bridge-tenant/overtaken-transfers.test.ts'],
  },
  {
    rule: 'no wait ends just as room comes',
    file: 'workers/exchange/operator/bridge-routes.ts',
    from: 'Math.abs(wait_ms - DAY_MS) >= HOUR_MS',
    to: 'Math.abs(wait_ms - DAY_MS) >= 0',
    tests: ['test/runtime/adversary/bridge-tenant/overtaken-transfers.test.ts'],
  },
];
