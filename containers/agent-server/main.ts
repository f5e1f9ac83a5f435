#!/usr/bin/env node
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { callTool } from '../../protocol/agent/call-tool.ts';
import { createToolServer } from '../../protocol/agent/create-tool-server.ts';
import { settingsOrExit } from '../process/settings-or-exit.ts';
import { readSettings } from './settings.ts';
import { SignedRest } from './signed-rest.ts';
import { ToolCallLog } from './tool-call-log.ts';

/**
 * The agent tool server over standard input and output (X-AGT-15): `npx edge-exchange-agent`, with EXCHANGE_API_URL,
 * EXCHANGE_API_KEY and EXCHANGE_API_SECRET in its environment. Standard output belongs to the protocol; errors go to standard error.
 */
const rest = new SignedRest(settingsOrExit(readSettings));
const log = new ToolCallLog(rest);

const server = createToolServer(async (tool, parameters) => {
  const refusal = await log.flush();
  if (refusal !== null && !log.allows(tool)) return { ok: false, error: refusal };
  const outcome = await callTool(tool, parameters, (call) => rest.send(call));
  await log.append(tool, parameters, outcome);
  return outcome;
});

await server.connect(new StdioServerTransport());

const stop = () => void server.close().then(() => process.exit(0));
process.stdin.once('end', stop);
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
