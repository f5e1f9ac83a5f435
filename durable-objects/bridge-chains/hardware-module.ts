import { coSignatureDigest } from '../../domain/bridge/signing/co-signature.ts';
import type { TransferTerms } from '../../domain/bridge/transfer-terms.ts';

/** How long the module may take: people may have to agree there. */
const ANSWER_MS_MAX = 10_000;

interface HardwareEnv {
  /** Empty for none. */
  readonly BRIDGE_HARDWARE_URL: string;
  readonly BRIDGE_HARDWARE_TOKEN?: string;
}

/**
 * The hardware module behind HTTP (containers/hardware-module). It gets the terms, so that it judges by itself, and answers with its signature, 64 bytes in hexadecimal, or not at
 * all for now.
 */
export function coSignerOf({ BRIDGE_HARDWARE_URL: url, BRIDGE_HARDWARE_TOKEN: token = '' }: HardwareEnv) {
  return async (terms: TransferTerms): Promise<string | null> => {
    if (url === '') return null;
    const response = await fetch(new URL('v1/co-sign', url.endsWith('/') ? url : `${url}/`), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ terms, digest: coSignatureDigest(terms) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    if (response.status !== 200) return null;
    const { signature } = (await response.json()) as { signature?: unknown };
    return typeof signature === 'string' && /^[0-9a-f]{128}$/.test(signature) ? signature : null;
  };
}
