import { isCoSignature } from '../../domain/bridge/signing/co-signature.ts';
import type { TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import { CO_SIGN_CALL_BYTES_MAX, CO_SIGN_CALLS } from '../../protocol/bridge/co-sign-calls.ts';

/** A module answers in milliseconds, a cloud's in seconds. */
const ANSWER_WAIT_MS = 15_000;

/** Where a hardware module listens, what opens it, and its key. */
export interface RemoteModule {
  readonly url: string;
  readonly token: string;
  /** Compressed secp256k1, hexadecimal. */
  readonly key: string;
}

/** What a hardware module (containers/hardware-module) says of a transfer. @throws Error where it does not answer as it should */
export async function coSigned(
  { url, token, key }: RemoteModule,
  terms: TransferTerms,
): Promise<{ readonly ok: true; readonly value: string } | { readonly ok: false; readonly reason: string }> {
  const response = await fetch(new URL('v1/coSign', url.endsWith('/') ? url : `${url}/`), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify([terms]),
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_WAIT_MS),
  });
  if (Number(response.headers.get('content-length') ?? 0) > CO_SIGN_CALL_BYTES_MAX)
    throw new Error('the answer is too long');
  const text = await response.text();
  if (response.status !== 200) throw new Error(`the hardware module: ${response.status} ${text.slice(0, 200)}`);
  const answer = CO_SIGN_CALLS.coSign.answered.parse(JSON.parse(text));
  if (answer.ok && !isCoSignature([key], terms, answer.value)) throw new Error('the hardware module has another key');
  return answer;
}
