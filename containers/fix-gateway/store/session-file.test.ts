import { appendFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SessionFile } from './session-file.ts';

const fresh = () => join(mkdtempSync(join(tmpdir(), 'fix-store-')), 'session.jsonl');

describe('the message store', () => {
  it('survives the process with sequence numbers, sent messages, and application state', () => {
    const path = fresh();
    const store = new SessionFile(path, 1_000);
    store.recordSent({ sequence: 1, text: null });
    store.recordSent({ sequence: 2, text: 'order' });
    store.recordAccepted(1, 'request');
    store.putState('order:1', { filled: 2 });
    store.flush();
    const again = new SessionFile(path, 2_000);
    expect([again.nextSender, again.nextTarget, again.createdAt_ms]).toEqual([3, 2, 1_000]);
    expect(again.sent(1, 9)).toEqual([
      { sequence: 1, text: null },
      { sequence: 2, text: 'order' },
    ]);
    expect(again.unanswered).toEqual([[1, 'request']]);
    expect(again.state('order:')).toEqual([['order:1', { filled: 2 }]]);
  });

  it('takes a line that was cut off as never written', () => {
    const path = fresh();
    const store = new SessionFile(path, 0);
    store.recordNextTarget(7);
    store.flush();
    appendFileSync(path, '{"type":"target","sequ');
    const again = new SessionFile(path, 0);
    expect(again.nextTarget).toBe(7);
    again.recordNextTarget(8);
    again.flush();
    expect(new SessionFile(path, 0).nextTarget).toBe(8);
  });

  it('writes what was not flushed not at all, so that a message and the state it follows from stay together', () => {
    const path = fresh();
    const store = new SessionFile(path, 0);
    store.putState('fill:1', 1);
    store.recordSent({ sequence: 1, text: 'report' });
    const killed = new SessionFile(path, 0);
    expect([killed.nextSender, killed.state('fill:')]).toEqual([1, []]);
  });

  it('forgets messages and numbers on a reset, never what the application has stored', () => {
    const path = fresh();
    const store = new SessionFile(path, 0);
    store.recordSent({ sequence: 1, text: 'old' });
    store.recordAccepted(1, 'request');
    store.putState('order:1', 1);
    store.reset(5_000);
    const again = new SessionFile(path, 9_000);
    expect([again.nextSender, again.nextTarget, again.createdAt_ms]).toEqual([1, 1, 5_000]);
    expect([again.sent(1, 9), again.unanswered, again.state('order:')]).toEqual([
      [],
      [[1, 'request']],
      [['order:1', 1]],
    ]);
    expect(readFileSync(path, 'utf8')).not.toContain('old');
  });
});
