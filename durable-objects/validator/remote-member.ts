import type { HostedMember } from '../../domain/consensus/member-host.ts';
import { MEMBER_CALL_BYTES_MAX, MEMBER_CALLS, type MemberCall } from '../../protocol/validator/member-calls.ts';

/** Who answers nothing for so long is away. */
const ANSWER_WAIT_MS = 10_000;

/** A member in a process of its own, behind HTTP (containers/validator). Each call throws where it does not answer as it should. */
export function remoteMember(url: string, token: string, answerWait_ms = ANSWER_WAIT_MS): HostedMember {
  async function ask<Call extends MemberCall>(call: Call, ...args: unknown[]): Promise<unknown> {
    const response = await fetch(new URL(`v1/${call}`, url.endsWith('/') ? url : `${url}/`), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(args),
      redirect: 'manual',
      signal: AbortSignal.timeout(answerWait_ms),
    });
    const text = await textOf(response.body);
    if (text === null) throw new Error(`${call}: the answer is too long`);
    if (response.status !== 200) throw new Error(`${call}: ${response.status} ${text.slice(0, 200)}`);
    return JSON.parse(text);
  }
  const { publicKey, wouldVote, consider, endRound, checkpointKeys, signCheckpoint, signSuccessor, signHandover } =
    MEMBER_CALLS;
  return {
    publicKey: async (epoch) => publicKey.answered.parse(await ask('publicKey', epoch)),
    wouldVote: async (...args) => wouldVote.answered.parse(await ask('wouldVote', ...args)),
    consider: async (...args) => consider.answered.parse(await ask('consider', ...args)),
    endRound: async (...args) => endRound.answered.parse(await ask('endRound', ...args)),
    checkpointKeys: async (committee) => checkpointKeys.answered.parse(await ask('checkpointKeys', committee)),
    signCheckpoint: async (...args) => signCheckpoint.answered.parse(await ask('signCheckpoint', ...args)),
    signSuccessor: async (...args) => signSuccessor.answered.parse(await ask('signSuccessor', ...args)),
    signHandover: async (...args) => signHandover.answered.parse(await ask('signHandover', ...args)),
  };
}

/** Null where it is too long: a member that lies may answer without an end. */
async function textOf(body: ReadableStream<Uint8Array> | null): Promise<string | null> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ; ) {
    const part = await reader.read();
    if (part.done) return text + decoder.decode();
    bytes += part.value.byteLength;
    if (bytes > MEMBER_CALL_BYTES_MAX) {
      // Not awaited: the member may keep it.
      reader.cancel().catch(() => undefined);
      return null;
    }
    text += decoder.decode(part.value, { stream: true });
  }
}
