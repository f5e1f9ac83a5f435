import type { Metadata } from '@grpc/grpc-js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Framer } from '../../../containers/fix-gateway/codec/framer.ts';
import { readMessage } from '../../../containers/fix-gateway/codec/read-message.ts';
import { writeMessage } from '../../../containers/fix-gateway/codec/write-message.ts';
import { trailersOf } from '../../../containers/grpc-gateway/answer-unary.ts';
import { callContext } from '../../../containers/grpc-gateway/call-context.ts';
import { logOf } from '../../../containers/process/log.ts';
import { CLIENT_ORDER_ID } from '../../../protocol/order-entry/client-order-id.ts';
import { eventText } from '../../../workers/book/event-stream.ts';
import { OrderRequestBody } from '../../../workers/book/order-request-body.ts';
import { csvOf } from '../../../workers/responses/csv.ts';

const HOSTILE = [
  'x\x01150=F\x0139=2\x0114=999999',
  'y\x0110=123\x018=FIX.4.4\x01',
  '=HYPERLINK("x")',
  '\uff1d1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  'x;=1',
  '\u00a0=1',
  '\n=1',
  'a\r\nid: 9\r\nevent: fill\r\ndata: {}\r\n\r\n',
  'a"\u2028{"level":"error"}',
  '\u009b31m',
  '\x1b[2J',
  '\u0085',
  '\ud800',
  'x-api-key: other',
  '€',
  '.',
  '..',
  '%2e%2e',
  '\0',
];
const text = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 30 }));
const RUNS = { numRuns: 300, seed: 35 };

describe('X-03: a text of one door in the protocol of another', () => {
  it('stays within its field of FIX', () => {
    const check = (value: string) => {
      const bytes = Buffer.from(
        writeMessage(
          '8',
          [],
          [
            [11, value],
            [150, '0'],
            [58, value],
            [39, '0'],
          ],
        ),
        'latin1',
      );
      const [frame = '', ...others] = new Framer().push(bytes.toString('latin1'));
      const read = readMessage(frame);
      expect(others).toEqual([]);
      expect(read.ok && read.value.fields.slice(2).map(([tag]) => tag)).toEqual([35, 11, 150, 58, 39]);
    };
    fc.assert(fc.property(text, check), RUNS);
  });

  it('stays within its cell of a table, is no formula, and is text that every store takes', () => {
    const check = (value: string) => {
      const csv = csvOf(['a', 'b'], [[value, 'end']]);
      expect(csv.isWellFormed()).toBe(true);
      const cells = csv.slice('a,b\r\n'.length);
      expect(cells.endsWith(',end\r\n')).toBe(true);
      const cell = cells.slice(0, -',end\r\n'.length);
      expect(cell).toMatch(/^(?:"(?:[^"]|"")*"|[^",\r\n]*)$/);
      const texts = cell.replace(/^"/, '').split(/[;|\t\r\n]/);
      for (const each of texts) expect(each).not.toMatch(/^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/);
      expect([...cell].every((character) => character >= ' ' || '\t\r\n'.includes(character))).toBe(true);
    };
    fc.assert(fc.property(text, check), RUNS);
  });

  it('stays within its line of a log, without anything that a terminal would act on', () => {
    const check = (value: string) => {
      let written = '';
      const stream = { write: (line: string) => (written += line) } as unknown as NodeJS.WritableStream;
      logOf('fix-gateway', stream)('error', 'session', { what: value, [value]: 1 });
      expect(written.slice(0, -1)).toMatch(/^[ -~\u00a0-\u2027\u202a-\uffff]*$/);
      expect(JSON.parse(written)).toMatchObject({ event: 'session', what: value });
    };
    fc.assert(fc.property(text, check), RUNS);
  });

  it('stays within its event of a stream', () => {
    const check = (value: string) => {
      const data = JSON.stringify({ type: 'order', client_order_id: value });
      const lines = eventText('order', 7, data).split(/\r\n|\r|\n/);
      expect(lines).toEqual(['id: 7', 'event: order', `data: ${data}`, '', '']);
    };
    fc.assert(fc.property(text, check), RUNS);
  });

  it('is no request id and no header of a call of gRPC', () => {
    const check = (value: string) => {
      const metadata = { get: (name: string) => (name === 'x-request-id' ? [value] : []) } as unknown as Metadata;
      const peers = { clientOf: () => null };
      const forwarding = { gatewaySecret: null, peers } as unknown as Parameters<typeof callContext>[2];
      const context = callContext({ metadata, getPeer: () => '' }, new AbortController().signal, forwarding);
      expect(context.requestId).toMatch(/^[A-Za-z0-9._-]{8,64}$/);
      expect(() => trailersOf(context)).not.toThrow();
    };
    fc.assert(fc.property(text, check), RUNS);
  });

  it('is a client order id only where every protocol writes it as it is', () => {
    const body = { symbol: 'ACME-USD', side: 'buy', type: 'limit', size: 1, price: 1 };
    const check = (value: string) => {
      const isTaken = OrderRequestBody.safeParse({ ...body, client_order_id: value }).success;
      expect(isTaken).toBe(CLIENT_ORDER_ID.test(value));
      if (!isTaken) return;
      const path = new URL(`https://exchange/book/v1/orders/client/${encodeURIComponent(value)}`).pathname;
      expect(decodeURIComponent(path.split('/').at(-1) ?? '')).toBe(value);
      expect(writeMessage('8', [], [[11, value]])).toContain(`\x0111=${value}\x01`);
    };
    fc.assert(fc.property(fc.oneof(text, fc.stringMatching(/^[\x21-\x7e]{1,64}$/)), check), RUNS);
    for (const value of HOSTILE.filter((one) => !/^[\x21-\x7e]+$/.test(one)))
      expect(OrderRequestBody.safeParse({ ...body, client_order_id: value }).success, JSON.stringify(value)).toBe(
        false,
      );
  });
});
