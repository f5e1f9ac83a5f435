import { isIP } from 'node:net';
import type { CallerHeaders, Exchange } from '../application/exchange.ts';
import { ExchangeApplication } from '../application/exchange-application.ts';
import { textOf } from '../codec/fix-message.ts';
import { TAG } from '../codec/tags.ts';
import type { Authenticator } from './authenticator.ts';

const COMP_ID = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Lets in who presents an API key, Username(553) and Password(554) being its id and secret, that the exchange knows. A session belongs to
 * a key and a SenderCompID: nobody takes over another's by its name.
 */
export function exchangeAuthenticator(exchange: Exchange, compId: string, gatewaySecret: string | null): Authenticator {
  return async (logon, address) => {
    const peer = textOf(logon, TAG.SenderCompID) ?? '';
    const keyId = textOf(logon, TAG.Username);
    const secret = textOf(logon, TAG.Password);
    if (!COMP_ID.test(peer) || textOf(logon, TAG.TargetCompID) !== compId)
      return { type: 'refused', text: 'unknown SenderCompID or TargetCompID' };
    if (keyId === null || secret === null)
      return { type: 'refused', text: 'Username (API key id) and Password (its secret) are required' };
    const caller = callerOf(keyId, secret, address, gatewaySecret);
    const answer = await exchange.call('GET', '/v1/orders?limit=1', caller);
    if (answer.type === 'unknown') return { type: 'refused', text: 'the exchange is out of reach' };
    if (answer.type === 'refused') return { type: 'refused', text: `${answer.code}: ${answer.message}` };
    return {
      type: 'peer',
      session: `${keyId}/${peer}`,
      compId: peer,
      applicationOf: (port) => new ExchangeApplication(port, exchange),
      admitted: (application) => application instanceof ExchangeApplication && application.admitted(caller),
    };
  };
}

function callerOf(keyId: string, secret: string, peer: string, gatewaySecret: string | null): CallerHeaders {
  const address = peer.replace(/^::ffff:(?=\d+\.)/i, '');
  const forwarded =
    gatewaySecret === null || isIP(address) === 0
      ? {}
      : { 'x-gateway-secret': gatewaySecret, 'x-gateway-client-address': address };
  return { 'x-api-key': keyId, 'x-api-secret': secret, ...forwarded };
}
