import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, launchChromium } from './chromium.ts';
import { type LocalSystem, localSystem } from './local-system.ts';

const executable = findChromium();
if (executable === null)
  process.stderr.write('agent-browser: skipped, no Chromium here (apt-get install chromium, or CHROMIUM_PATH)\n');

/** What a page gets to see of an MCP session that it begins, uses and ends. */
interface Seen {
  readonly session: string | null;
  readonly tools: number;
  readonly ended: number;
}

describe.skipIf(executable === null)('the agent server, from a page in Chromium', () => {
  let system: LocalSystem;
  let browser: Browser;
  /** Serves one empty page, under every name: a page that never came over the network may not reach this machine. */
  let pages: Server;
  let accessToken: string;

  beforeAll(async () => {
    system = await localSystem();
    await system.start();
    browser = await launchChromium(executable ?? '', ['--host-resolver-rules=MAP page.example 127.0.0.1']);
    pages = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>page</title>');
    }).listen(0, '127.0.0.1');
    await once(pages, 'listening');
    const response = await fetch(`${system.origin}/iam/api/login/oauth/access_token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'demo-service',
        client_secret: 'demo-service-secret-local-only',
      }),
    });
    accessToken = ((await response.json()) as { access_token: string }).access_token;
  });

  afterAll(async () => {
    await browser?.close();
    pages?.close();
    await system?.stop('SIGTERM');
  });

  async function talkFrom(hostname: string): Promise<Seen> {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(`http://${hostname}:${(pages.address() as AddressInfo).port}/`);
    try {
      return await page.evaluate(
        async ({ url, token }) => {
          const headers = {
            authorization: `Bearer ${token}`,
            accept: 'application/json, text/event-stream',
            'content-type': 'application/json',
            'mcp-protocol-version': '2025-06-18',
          };
          const clientInfo = { name: 'page', version: '1' };
          const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
          const send = (message: object, more: object = {}) =>
            fetch(url, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(message) });
          const begun = await send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
          const session = begun.headers.get('mcp-session-id');
          const under = { 'mcp-session-id': session ?? '' };
          const listed = await send({ jsonrpc: '2.0', id: 2, method: 'tools/list' }, under);
          const { result } = (await listed.json()) as { result: { tools: unknown[] } };
          const ended = await fetch(url, { method: 'DELETE', headers: { ...headers, ...under } });
          return { session, tools: result.tools.length, ended: ended.status };
        },
        { url: `${system.origin}/agent/mcp`, token: accessToken },
      );
    } catch (error) {
      throw new Error(complaints.join('\n'), { cause: error });
    } finally {
      await page.close();
    }
  }

  test('serves one of an allowed origin: a session begun, used and ended', async () => {
    expect(await talkFrom('localhost')).toEqual({ session: expect.any(String), tools: 9, ended: 204 });
  });

  test('is closed to one of any other', async () => {
    await expect(talkFrom('page.example')).rejects.toThrow(/preflight request doesn't pass access control check/);
  });
});
