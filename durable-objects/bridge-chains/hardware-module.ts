import { isCoSignature } from '../../domain/bridge/signing/co-signature.ts';
import type { TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import { CO_SIGN_CALL_BYTES_MAX, CO_SIGN_CALLS } from '../../protocol/bridge/co-sign-calls.ts';

/** How long the module may take: a cloud's takes seconds. */
const ANSWER_MS_MAX = 10_000;

interface HardwareEnv {
  /** Empty for none. */
  readonly BRIDGE_HARDWARE_URL: string;
  readonly BRIDGE_HARDWARE_TOKEN?: string;
  /** Compressed secp256k1, hexadecimal. */
  readonly BRIDGE_HARDWARE_KEY: string;
}

/**
 * The hardware module behind HTTP (containers/hardware-module). It gets the terms, so that it judges by itself, and answers with its signature, 64 bytes in hexadecimal, or null
 * where it does not sign them now. It throws where the module does not answer as it should.
 */
export function coSignerOf(env: HardwareEnv) {
  const { BRIDGE_HARDWARE_URL: url, BRIDGE_HARDWARE_TOKEN: token = '', BRIDGE_HARDWARE_KEY: key } = env;
  return async (terms: TransferTerms): Promise<string | null> => {
    if (url === '') return null;
    const response = await fetch(new URL('v1/coSign', url.endsWith('/') ? url : `${url}/`), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify([terms]),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    if (Number(response.headers.get('content-length') ?? 0) > CO_SIGN_CALL_BYTES_MAX)
      throw new Error('the hardware module: the answer is too long');
    const text = await response.text();
    if (response.status !== 200) throw new Error(`the hardware module: ${response.status} ${text.slice(0, 200)}`);
    const answer = CO_SIGN_CALLS.coSign.answered.parse(JSON.parse(text));
    if (!answer.ok) return null;
    if (!isCoSignature([key], terms, answer.value)) throw new Error('the hardware module has another key');
    return answer.value;
  };
}
