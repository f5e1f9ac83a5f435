import { isIP } from 'node:net';
import { ownId } from '../../../domain/identity/own-id.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { CallerHeaders, Exchange } from '../application/exchange.ts';
import { ExchangeApplication } from '../application/exchange-application.ts';
import type { OrderNames } from '../application/order-names.ts';
import { whyUnanswered } from '../application/order-placement.ts';
import { type FixMessage, textOf } from '../codec/fix-message.ts';
import { TAG } from '../codec/tags.ts';
import { readTimestamp } from '../codec/timestamp.ts';
import type { Settings } from '../settings.ts';
import type { Authenticator } from './authenticator.ts';

/** What a header of HTTP carries as it is. */
const VISIBLE = /^[\x21-\x7e]{1,1024}$/;
const COMP_ID = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Lets in who proves an API key that the exchange knows, Username(553) being its id: by Password(554), its secret, or by RawData(96), a
 * signature over the call that opens a session of the key, with SendingTime(52) as its timestamp. A session belongs to a key and a
 * SenderCompID: nobody takes over another's by its name.
 */
export function exchangeAuthenticator(
  exchange: Exchange,
  names: OrderNames,
  { compId, gatewaySecret }: Pick<Settings, 'compId' | 'gatewaySecret'>,
): Authenticator {
  return async (logon, address) => {
    const peer = textOf(logon, TAG.SenderCompID) ?? '';
    const username = textOf(logon, TAG.Username);
    // One key is one session, however its id is written.
    const keyId = username === null ? null : ownId(username);
    if (!COMP_ID.test(peer) || textOf(logon, TAG.TargetCompID) !== compId)
      return err('unknown SenderCompID or TargetCompID');
    const proof = proofOf(logon);
    if (keyId === null || proof === null)
      return err('Username (API key id) and Password (its secret) or RawData (a signature) are required');
    if (![keyId, proof.type === 'secret' ? proof.secret : proof.signature].every((text) => VISIBLE.test(text)))
      return err('Username, Password and RawData are visible ASCII characters');
    const proved = await prove(exchange, { 'x-api-key': keyId, ...forwarded(address, gatewaySecret) }, proof);
    if (!proved.ok) return proved;
    const caller = proved.value;
    return ok({
      session: `${keyId}/${peer}`,
      compId: peer,
      applicationOf: (port) => new ExchangeApplication(port, exchange, names),
      admitted: (application) => application instanceof ExchangeApplication && application.admitted(caller),
    });
  };
}

type Proof =
  | { readonly type: 'secret'; readonly secret: string }
  | { readonly type: 'signature'; readonly signature: string; readonly timestamp_ms: number };

function proofOf(logon: FixMessage): Proof | null {
  const secret = textOf(logon, TAG.Password);
  if (secret !== null) return { type: 'secret', secret };
  const signature = textOf(logon, TAG.RawData);
  const timestamp_ms = readTimestamp(textOf(logon, TAG.SendingTime) ?? '');
  return signature === null || timestamp_ms === null ? null : { type: 'signature', signature, timestamp_ms };
}

/** A secret goes with every call from then on; a signature proves one call, whose answer is the token that goes with the others. */
async function prove(exchange: Exchange, key: CallerHeaders, proof: Proof): Promise<Result<CallerHeaders, string>> {
  if (proof.type === 'secret') {
    const caller = { ...key, 'x-api-secret': proof.secret };
    const answer = await exchange.call('GET', '/v1/orders?limit=1', caller);
    return answer.type === 'ok' ? ok(caller) : err(whyUnanswered(answer));
  }
  const { signature, timestamp_ms } = proof;
  const signed = { ...key, 'x-api-timestamp': String(timestamp_ms), 'x-api-signature': signature };
  const answer = await exchange.call('POST', '/v1/key-sessions', signed);
  if (answer.type !== 'ok') return err(whyUnanswered(answer));
  return ok({ ...key, 'x-api-session': (answer.body as { token: string }).token });
}

function forwarded(peer: string, gatewaySecret: string | null): CallerHeaders {
  const address = peer.replace(/^::ffff:(?=\d+\.)/i, '');
  if (gatewaySecret === null || isIP(address) === 0) return {};
  return { 'x-gateway-secret': gatewaySecret, 'x-gateway-client-address': address };
}
