import { expect, it } from 'vitest';
import { AGENT_TOOLS } from '../../protocol/agent/agent-tools.ts';
import type { AgentTool } from '../../protocol/agent/tool.ts';
import type { SignedRest } from './signed-rest.ts';
import { ToolCallLog } from './tool-call-log.ts';

const tool = (name: string) => AGENT_TOOLS.find((one) => one.name === name) as AgentTool;

/** A log of an exchange that takes a report when it is told to. */
function logOf(exchange: { takes: boolean }) {
  const rest = { send: async () => ({ status: exchange.takes ? 201 : 429, body: {} }) };
  return new ToolCallLog(rest as unknown as SignedRest);
}

const DONE = { ok: true, output: {} } as const;

it('An agent whose calls cannot be logged cancels on, and does nothing else', async () => {
  const exchange = { takes: false };
  const log = logOf(exchange);
  await log.append(tool('get_markets'), {}, DONE);
  expect(await log.flush()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect([log.allows(tool('cancel_order')), log.allows(tool('place_order'))]).toEqual([true, false]);
  exchange.takes = true;
  expect(await log.flush()).toBeNull();
});

it('It cancels on while at most a thousand calls are untold', async () => {
  const log = logOf({ takes: false });
  for (let at = 0; at < 1_000; at++) {
    expect(log.allows(tool('cancel_order'))).toBe(true);
    await log.append(tool('cancel_order'), {}, DONE);
  }
  expect(log.allows(tool('cancel_order'))).toBe(false);
});
