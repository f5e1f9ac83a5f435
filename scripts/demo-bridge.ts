import { startDevnet } from './contracts/devnet.ts';
import { runBridge } from './demo-bridge/run-bridge.ts';
import { auditTable } from './local/audit-table.ts';
import { ownSettings, startOwnSystem } from './local/own-system.ts';
import { freePort } from './local/port.ts';
import { fetchAudit } from './local/remote-audit.ts';

/** Chain id of the chain that stands for Ethereum here. */
const EXTERNAL_CHAIN_ID = 31_337;

/**
 * `npm run demo:bridge`: two tenants move an asset between a chain that stands for Ethereum and the exchange, in a system and on chains of its own: keys by five signers, contracts,
 * deposits, mints, burns, releases; then what is over the limit, what waits for room, what is vetoed, and refunds. Prints each step and the audit. Exit code 1 where an answer
 * is not the expected one, or a check does not hold.
 */
async function demo(): Promise<boolean> {
  const say = (text: string) => console.log(text);
  say('starting a chain that stands for Ethereum, and a system of its own');
  const external = await startDevnet({ chainId: EXTERNAL_CHAIN_ID });
  const settings = await ownSettings();
  const devnetPort = await freePort();
  const chains = { BRIDGE_RPC_URLS: JSON.stringify({ ethereum: external.url }), DEVNET_PORT: String(devnetPort) };
  const system = await startOwnSystem({ ...settings, env: { ...settings.env, ...chains }, hasDemo: true }).catch(
    async (error: unknown) => {
      await external.stop();
      throw error;
    },
  );
  try {
    await runBridge({ origin: system.origin, external: external.url, exchange: `http://127.0.0.1:${devnetPort}`, say });
    const checks = await fetchAudit({ exchange: `${system.origin}/exchange`, iam: `${system.origin}/iam` });
    say(`\n${auditTable(checks)}`);
    return checks.every(({ holds }) => holds);
  } finally {
    await system.stop();
    await external.stop();
  }
}

try {
  process.exitCode = (await demo()) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
