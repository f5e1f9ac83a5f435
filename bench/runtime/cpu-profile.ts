/** What a function took of a run, without what it called. */
export interface ProfileLine {
  readonly name: string;
  readonly ms: number;
  /** Of the time in which anything ran. */
  readonly share: number;
}

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const SAMPLING_INTERVAL_US = 200;
const IDLE = '(idle)';

/**
 * Runs something while the Worker is profiled, and answers where its isolate spent the time, most first. The Worker was started with this
 * `inspectorPort`. D1, R2 and the runtime itself have isolates of their own: to this one they are `(idle)` or `(program)`.
 */
export async function profiled(inspectorPort: number, run: () => Promise<void>): Promise<ProfileLine[]> {
  const inspector = await connected(`ws://127.0.0.1:${inspectorPort}/core:user:`);
  try {
    await inspector.send('Profiler.enable');
    await inspector.send('Profiler.setSamplingInterval', { interval: SAMPLING_INTERVAL_US });
    await inspector.send('Profiler.start');
    await run();
    const { profile } = (await inspector.send('Profiler.stop')) as { profile: CpuProfile };
    return linesOf(profile);
  } finally {
    inspector.close();
  }
}

function linesOf({ nodes, samples, timeDeltas }: CpuProfile): ProfileLine[] {
  const names = new Map(
    nodes.map(({ id, callFrame }) => [id, `${callFrame.functionName || 'anonymous'}:${callFrame.lineNumber}`]),
  );
  const ms = new Map<string, number>();
  for (const [at, id] of samples.entries()) {
    const name = names.get(id) ?? 'unknown';
    if (!name.startsWith(IDLE)) ms.set(name, (ms.get(name) ?? 0) + (timeDeltas[at] ?? 0) / 1_000);
  }
  const total = [...ms.values()].reduce((sum, each) => sum + each, 0);
  return Array.from(ms, ([name, each]) => ({ name, ms: each, share: each / total })).sort((a, b) => b.ms - a.ms);
}

interface Inspector {
  send(method: string, params?: object): Promise<unknown>;
  close(): void;
}

async function connected(url: string): Promise<Inspector> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, (answer: unknown) => void>();
  let id = 0;
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as { id?: number; result?: unknown };
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer.result);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error(`nothing to profile at ${url}`)));
  });
  return {
    send: (method, params = {}) =>
      new Promise((resolve) => {
        id += 1;
        waiting.set(id, resolve);
        socket.send(JSON.stringify({ id, method, params }));
      }),
    close: () => socket.close(),
  };
}
