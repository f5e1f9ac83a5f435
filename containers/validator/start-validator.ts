import { MemberHost } from '../../domain/consensus/member-host.ts';
import type { ServedCall } from '../../protocol/calls/answer-call.ts';
import { MEMBER_CALL_BYTES_MAX, MEMBER_CALLS } from '../../protocol/validator/member-calls.ts';
import { type RunningServer, serveCalls } from '../process/serve-calls.ts';
import { loadCheckpointCrypto } from './load-checkpoint-crypto.ts';
import { MemoryFile } from './memory-file.ts';
import type { Settings } from './settings.ts';

/** A member of committees behind HTTP: one process, one memory. Two processes on one memory would vote twice. */
export async function startValidator({ host, port, token, memory }: Settings): Promise<RunningServer> {
  const crypto = loadCheckpointCrypto();
  const member = new MemberHost(
    new MemoryFile(memory),
    () => crypto,
    () => Date.now(),
  );
  const { publicKey, wouldVote, consider, endRound, checkpointKeys, signCheckpoint, signSuccessor, signHandover } =
    MEMBER_CALLS;
  const calls = new Map<string, ServedCall>([
    ['publicKey', { asked: publicKey.asked, answer: member.publicKey.bind(member) }],
    ['wouldVote', { asked: wouldVote.asked, answer: member.wouldVote.bind(member) }],
    ['consider', { asked: consider.asked, answer: member.consider.bind(member) }],
    ['endRound', { asked: endRound.asked, answer: member.endRound.bind(member) }],
    ['checkpointKeys', { asked: checkpointKeys.asked, answer: member.checkpointKeys.bind(member) }],
    ['signCheckpoint', { asked: signCheckpoint.asked, answer: member.signCheckpoint.bind(member) }],
    ['signSuccessor', { asked: signSuccessor.asked, answer: member.signSuccessor.bind(member) }],
    ['signHandover', { asked: signHandover.asked, answer: member.signHandover.bind(member) }],
  ]);
  return serveCalls({ host, port, token, bytesMax: MEMBER_CALL_BYTES_MAX, callAt: (name) => calls.get(name) ?? null });
}
