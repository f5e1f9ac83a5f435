import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEMO_CLIENTS } from '../application/seed/demo-credentials.ts';
import { TokenSession } from '../clients/sdk/token-session.ts';
import { localSystem } from '../test/black-box/local-system.ts';
import { bearingProxy } from './mcp-conformance/bearing-proxy.ts';
import { listServerScenarios, runScenario } from './mcp-conformance/conformance-tool.ts';
import { APPLICABLE, NOT_APPLICABLE } from './mcp-conformance/scenarios.ts';

/**
 * `npm run mcp:conformance`: starts a system of its own and runs the scenarios of @modelcontextprotocol/conformance against its agent
 * tool server, over HTTP. Ends with 1 when one that applies fails, or when the package has one that nobody has judged.
 */
async function main(): Promise<number> {
  const system = await localSystem();
  await system.start();
  const proxy = await bearingProxy(system.origin, await accessToken(system.origin));
  try {
    return await runAll(`${proxy.origin}/agent/mcp`);
  } finally {
    proxy.close();
    await system.stop('SIGTERM');
  }
}

async function runAll(url: string): Promise<number> {
  const results = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
  let failed = 0;
  for (const scenario of APPLICABLE) {
    const { passed, output } = await runScenario(scenario, url, results);
    console.log(`${passed ? 'passed' : 'FAILED'}  ${scenario}`);
    if (passed) continue;
    failed++;
    console.log(output);
  }
  console.log('\nNot applicable:');
  for (const [scenario, reason] of Object.entries(NOT_APPLICABLE)) console.log(`  ${scenario}: ${reason}`);
  const scenarios = await listServerScenarios();
  if (scenarios.length === 0) throw new Error('@modelcontextprotocol/conformance lists no scenario');
  const unjudged = scenarios.filter(
    (scenario) => !APPLICABLE.includes(scenario) && NOT_APPLICABLE[scenario] === undefined,
  );
  if (unjudged.length > 0) console.log(`\nNeither run nor explained: ${unjudged.join(', ')}`);
  console.log(`\n${APPLICABLE.length - failed} passed, ${failed} failed`);
  return failed === 0 && unjudged.length === 0 ? 0 : 1;
}

async function accessToken(origin: string): Promise<string> {
  const client = DEMO_CLIENTS.find(({ id }) => id === 'demo-service');
  if (client?.secret === undefined || client.secret === null) throw new Error('the demo has no machine client');
  return new TokenSession({ iamUrl: `${origin}/iam`, clientId: client.id, clientSecret: client.secret }).accessToken();
}

process.exitCode = await main();
