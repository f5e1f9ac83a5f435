import { textOf } from '../../containers/fix-gateway/codec/fix-message.ts';
import { TAG } from '../../containers/fix-gateway/codec/tags.ts';
import type { Settings } from '../../containers/fix-gateway/settings.ts';
import { type Gateway, startGateway } from '../../containers/fix-gateway/start-gateway.ts';
import type { Authenticator } from '../../containers/fix-gateway/transport/authenticator.ts';
import { err, ok } from '../../domain/result.ts';
import { ECHOED, echo } from './echo-application.ts';

/** The one peer of the acceptance scripts, and what it calls the gateway. */
const PEER = 'TW44';
const COMP_ID = 'ISLD';

const authenticate: Authenticator = async (logon) => {
  if (textOf(logon, TAG.SenderCompID) !== PEER || textOf(logon, TAG.TargetCompID) !== COMP_ID)
    return err('CompID problem');
  return ok({
    session: PEER,
    compId: PEER,
    applicationOf: ({ answer }) => echo((sequence, outgoing) => answer(sequence, outgoing === null ? [] : [outgoing])),
    admitted: () => undefined,
  });
};

/**
 * The gateway's session layer for the acceptance scripts: their peer needs no credentials, and its messages come back. The scripts expect a
 * refused Logon to end its connection without a word.
 */
export function startAcceptanceGateway(
  settings: Pick<Settings, 'storeFolder'> & Partial<Pick<Settings, 'tls' | 'proxies'>>,
  explainsRefusals = false,
): Promise<Gateway> {
  return startGateway(
    {
      host: '127.0.0.1',
      port: 0,
      healthPort: 0,
      compId: COMP_ID,
      tls: null,
      proxies: [],
      schedule: null,
      isTest: true,
      drain_ms: 10_000,
      ...settings,
    },
    {
      authenticate,
      supported: ECHOED,
      resetOnLogon: true,
      explainsRefusals,
      isHealthy: () => Promise.resolve(true),
      close: () => Promise.resolve(),
    },
  );
}
