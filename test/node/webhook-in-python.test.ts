import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGE = join(ROOT, 'docs/webhooks.md');
const SECRET = `whsec_${Buffer.from('a key of thirty-two bytes, or so').toString('base64')}`;
const BODY = JSON.stringify({ webhook_event: { event_id: 'e-1' }, text: 'déjà vu' });

/** What the page shows, and a line that verifies what comes in by standard input. */
const shown = /```python\n([\s\S]*?)```/.exec(readFileSync(PAGE, 'utf8'))?.[1] ?? '';
const PROGRAM = `import sys\n${shown}\ngiven = json.loads(sys.stdin.read())
print(json.dumps(verify(given["secret"], given["headers"], given["body"].encode())))`;

const hasPython = isThere();
if (!hasPython) process.stdout.write('the receiver in Python is not tried: there is no python3 here\n');

function isThere(): boolean {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function verify(change: { secret?: string; body?: string; at?: Date; signatures?: (own: string) => string } = {}) {
  const { secret = SECRET, body = BODY, at = new Date(), signatures = (own) => own } = change;
  const headers = {
    'webhook-id': 'e-1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signatures(new Webhook(SECRET).sign('e-1', at, BODY)),
  };
  const { status, stdout, stderr } = spawnSync('python3', ['-c', PROGRAM], {
    input: JSON.stringify({ secret, headers, body }),
    encoding: 'utf8',
  });
  return status === 0 ? JSON.parse(stdout) : stderr.trim().split('\n').at(-1);
}

describe.skipIf(!hasPython)('what docs/webhooks.md shows in Python', () => {
  it('reads what is signed as the library signs it, also beside the signature of another secret', () => {
    expect(verify()).toEqual(JSON.parse(BODY));
    const other = new Webhook(`whsec_${Buffer.from('another key of thirty-two bytes!').toString('base64')}`);
    expect(verify({ signatures: (own) => `${other.sign('e-1', new Date(), BODY)} ${own}` })).toEqual(JSON.parse(BODY));
  });

  it('refuses another body, another secret, and what is old', () => {
    expect(verify({ body: BODY.replace('vu', 'vue') })).toBe('ValueError: not signed with the secret');
    expect(verify({ secret: `whsec_${Buffer.from('x').toString('base64')}` })).toBe(
      'ValueError: not signed with the secret',
    );
    expect(verify({ at: new Date(Date.now() - 301_000) })).toBe('ValueError: too old, or from the future');
  });
});
